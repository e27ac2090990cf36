import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The contract of a store on SQLite, with the library of this folder in the place of the one that drover has. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  resolve: { alias: [{ find: /^\.\/driver\.ts$/, replacement: join(import.meta.dirname, 'driver.ts') }] },
  test: { include: ['test/kernel/sql/store-sqlite.test.ts', 'test/kernel/sql/removed.test.ts', 'test/kernel/lock/lease-sqlite.test.ts'], pool: 'forks', testTimeout: 120_000 },
});
