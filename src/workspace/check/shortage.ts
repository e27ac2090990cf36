import { spaceShortage } from '../../kernel/files/index.ts';
import type { CheckHost } from './command.ts';

/** Why a full disk is to be thought of, whatever a command said. */
export async function shortageAt(folders: readonly string[], { reserveBytes }: CheckHost): Promise<string | undefined> {
  for (const folder of folders) {
    // A folder that is gone says nothing of the disk; whoever uses it tells.
    const said = await spaceShortage(folder, reserveBytes === undefined ? {} : { reserveBytes }).catch(() => undefined);
    if (said !== undefined) return said;
  }
  return undefined;
}
