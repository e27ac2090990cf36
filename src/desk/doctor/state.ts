import { access, constants } from 'node:fs/promises';
import { fail, ok, type Check } from './check.ts';
import { nearestFolder } from './state-place.ts';

/** Whether what belongs to this machine can be kept. The folder is not made. */
export const state: Check = {
  name: 'state',
  run: async ({ stateFolder }) => {
    const folder = await stateFolder();
    const existing = await nearestFolder(folder);
    if (!(await isWritable(existing))) {
      return fail(`${folder}: ${existing} cannot be written`, 'make it writable for you, or set state.folder in your configuration file');
    }
    return ok(existing === folder ? folder : `${folder} (made at its first use)`);
  },
};

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // Whatever the reason, nothing can be kept there.
    return false;
  }
}
