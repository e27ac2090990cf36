import { createRequire } from 'node:module';
import type * as Pg from 'pg';
import type { PostgresServer } from '../../support/postgres.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Runs SQL past the store, as the server's superuser; of several statements the rows of the last. */
export async function rowsOfSuperuser({ url }: PostgresServer, text: string): Promise<Rows> {
  const { Client } = createRequire(import.meta.url)('pg') as typeof Pg;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const results: { rows: Rows } | { rows: Rows }[] = await client.query(text);
    return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? [];
  } finally {
    await client.end();
  }
}

export async function asSuperuser(server: PostgresServer, text: string): Promise<void> {
  await rowsOfSuperuser(server, text);
}
