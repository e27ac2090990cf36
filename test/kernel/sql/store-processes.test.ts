import { join } from 'node:path';
import { expect } from 'vitest';
import { bundledProgram } from '../../support/bundle.ts';
import { testUnless } from '../../support/needs.ts';
import { postgresServer, withoutPostgres } from '../../support/postgres.ts';
import { runNode } from '../../support/run-node.ts';
import { rowsOfSuperuser } from './superuser.ts';

const PROCESSES = 30;

const server = postgresServer();
const raise = bundledProgram(join(import.meta.dirname, 'programs/raise.ts'));

// Thirty processes are the property; starting them takes most of the time.
testUnless(withoutPostgres, 'thirty processes make one store on PostgreSQL at the same moment', async () => {
  const results = await Promise.all(Array.from({ length: PROCESSES }, () => runNode(raise.file, [server.url])));
  expect(results.map(({ stdout, stderr }) => stdout + stderr)).toEqual(results.map(() => 'done'));
  expect(await rowsOfSuperuser(server, 'SELECT CAST(value AS INTEGER) AS value FROM "raised together".numbers')).toEqual([{ value: PROCESSES }]);
  expect(await rowsOfSuperuser(server, 'SELECT id FROM "raised together".migrations ORDER BY id')).toEqual([{ id: '001-numbers' }, { id: '002-names' }]);
});
