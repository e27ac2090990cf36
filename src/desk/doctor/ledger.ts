import { join } from 'node:path';
import { isDroverError } from '../../kernel/errors/index.ts';
import { openLedger } from '../../ledger/index.ts';
import { ok, type Check, type Finding, type Patient } from './check.ts';
import { whereStateLies } from './state-place.ts';

/** The ledger of this machine, which is only read. */
export const ledger: Check = {
  name: 'ledger',
  run: (patient) =>
    whereStateLies(patient, async (existing) => {
      const folder = await patient.stateFolder();
      return existing === folder ? look(join(folder, 'ledger.db'), patient) : NONE_YET;
    }),
};

const NONE_YET = ok('none yet; it is made at its first use');

async function look(path: string, { clock, signal }: Patient): Promise<Finding> {
  try {
    const found = await openLedger(path, { clock, signal, readOnly: true, mask: (words) => words });
    const counts = [`${found.sessions.alive().length} sessions that have not ended`, `${found.asks.open().length} open questions`];
    found.close();
    return ok(`${path}: ${counts.join(', ')}`);
  } catch (error) {
    if (isDroverError(error) && error.code === 'database-missing') return NONE_YET;
    throw error;
  }
}
