import { connectSqlite, sqliteLibraryName, type SqliteLibraryName } from '../../kernel/sql/index.ts';
import { ok, type Check } from './check.ts';

const NAMES: Readonly<Record<SqliteLibraryName, string>> = { node: 'the one of Node.js', package: 'the one of this package' };

export const sqlite: Check = {
  name: 'sqlite',
  run: () => {
    const connection = connectSqlite(':memory:');
    try {
      const [row] = connection.prepare('SELECT sqlite_version() AS version').all() as readonly { readonly version: string }[];
      return Promise.resolve(ok(`${row?.version}, ${NAMES[sqliteLibraryName()]}`));
    } finally {
      connection.close();
    }
  },
};
