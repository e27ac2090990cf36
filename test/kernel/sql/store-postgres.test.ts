import { beforeEach } from 'vitest';
import { postgresServer, withoutPostgres } from '../../support/postgres.ts';
import { describeSqlContract } from './contract.ts';
import { asSuperuser } from './superuser.ts';

const server = postgresServer();
let namespace = '';
let tests = 0;

beforeEach(() => {
  tests += 1;
  namespace = `Test ${tests}`;
});

describeSqlContract({
  name: 'PostgreSQL',
  without: withoutPostgres,
  address: () => ({ url: server.url }),
  schema: (schema) => ({ ...schema, namespace }),
  makeForeign: (table) => asSuperuser(server, `CREATE SCHEMA "${namespace}"; CREATE TABLE "${namespace}".${table} (something TEXT)`),
});
