import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leaseWorkerMissing } from './errors.ts';

const NAME = 'lease-worker';

/**
 * The file of the thread that keeps leases: built beside the executables, whose shared parts lie one folder deeper,
 * and like them; where the sources run as they are it is the source. Throws `lease-worker-missing`.
 */
export function leaseWorkerFile(self: string = fileURLToPath(import.meta.url)): string {
  const name = `${NAME}${extname(self)}`;
  const candidates = [join(dirname(self), name), join(dirname(self), '..', name)];
  const found = candidates.find((file) => existsSync(file));
  if (found === undefined) throw leaseWorkerMissing({ path: candidates[0] ?? name });
  return found;
}
