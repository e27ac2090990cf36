import { tempFolder } from '../../support/temp-folder.ts';
import { connectSqlite } from '../../../src/kernel/sql/index.ts';
import { describeSqlContract } from './contract.ts';

const folder = tempFolder();

describeSqlContract({
  name: 'SQLite',
  without: undefined,
  address: () => ({ path: folder.at('a.db') }),
  schema: (schema) => schema,
  makeForeign(table) {
    const other = connectSqlite(folder.at('a.db'));
    other.exec(`CREATE TABLE ${table} (something TEXT)`);
    other.close();
    return Promise.resolve();
  },
});
