import type { DroverError } from '../errors/index.ts';
import { gitFailed, indexLocked, notARepository, repositoryNotOwned } from './errors.ts';

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
  return gitFailed({ what, where, said: saidBy(stderr) ?? `it ended with exit code ${code}` });
}

/** The lines with which git dies or complains, without its hints. */
function saidBy(stderr: string): string | undefined {
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('hint:'));
  const grave = lines.filter((line) => /^(fatal|error): /.test(line));
  const said = (grave.length > 0 ? grave : lines).slice(0, 3).join('; ');
  return said === '' ? undefined : said.slice(0, 1_000);
}
