import { statfsSync } from 'node:fs';
import { describeSystemError, type DroverError } from '../errors/index.ts';
import { gitFailed, indexLocked, notARepository, repositoryNotOwned } from './errors.ts';

/** How git, whose language is fixed, tells that there is no room. */
const NO_SPACE = /No space left on device|Out of diskspace/;
const NO_QUOTA = /Disk quota exceeded/;
/** Of a lock file it says no more; what it removed again on its way out leaves some room. */
const NOT_WRITTEN = /couldn't write '|unable to write |write error/;
const LITTLE_SPACE = 2 ** 20;

interface Refusal {
  readonly code: number;
  readonly stderr: string;
}

/** What git meant by ending with an exit code that is no answer. */
export function failureOf({ code, stderr }: Refusal, { what, where }: { what: string; where: string }): DroverError {
  const lock = /Unable to create '([^']+\.lock)': File exists/.exec(stderr);
  if (lock !== null) return indexLocked({ path: lock[1] ?? where });
  const foreign = /detected dubious ownership in repository at '([^']*)'|unsafe repository \('([^']*)'/.exec(stderr);
  if (foreign !== null) return repositoryNotOwned({ path: foreign[1] ?? foreign[2] ?? where });
  if (/not a git repository/.test(stderr)) return notARepository({ path: where });
  const space = spaceFailure(stderr, where);
  if (space !== undefined) return describeSystemError({ code: space }, { action: what, path: where });
  return gitFailed({ what, where, said: saidBy(stderr) ?? `it ended with exit code ${code}` });
}

function spaceFailure(stderr: string, where: string): 'ENOSPC' | 'EDQUOT' | undefined {
  if (NO_SPACE.test(stderr)) return 'ENOSPC';
  if (NO_QUOTA.test(stderr)) return 'EDQUOT';
  return NOT_WRITTEN.test(stderr) && hasLittleSpace(where) ? 'ENOSPC' : undefined;
}

function hasLittleSpace(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < LITTLE_SPACE;
  } catch {
    // Git's own words have to do.
    return false;
  }
}

/** The lines with which git dies or complains, without its hints. */
function saidBy(stderr: string): string | undefined {
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('hint:'));
  const grave = lines.filter((line) => /^(fatal|error): /.test(line));
  const said = (grave.length > 0 ? grave : lines).slice(0, 3).join('; ');
  return said === '' ? undefined : said.slice(0, 1_000);
}
