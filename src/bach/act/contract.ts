import type { CompletionCheck, Target } from '../model/index.ts';
import type { TextSearch } from './text-search.ts';

/** How the command of a check ended: `cut` when it was ended from outside, and an error when it could not be started. */
export type CheckAnswer = 'true' | 'false' | 'cut' | { readonly error: string };

export interface ContractWorld {
  /** Everything that the operation printed. */
  readonly printed: TextSearch;
  fileExists(path: string): boolean;
  run(argv: readonly [string, ...string[]]): Promise<CheckAnswer>;
}

/** The texts that the output of a target is searched for. */
export function searchedTexts({ failWhen, successWhen }: Target): readonly string[] {
  return [...failWhen, ...successWhen].flatMap((check) => (check.kind === 'output_contains' ? [check.text] : []));
}

/**
 * Holds a target whose operation succeeded to its contract: what must not be, then what must be, each in declared
 * order. Says what is against it; nothing when all is well. When
 * a check was ended from outside, what it says means nothing.
 */
export async function brokenContract(target: Target, world: ContractWorld): Promise<string | undefined> {
  for (const check of target.failWhen) {
    const answer = await answerTo(check, world);
    if (answer !== 'false') return faultOf(answer, { check, says: `target ${JSON.stringify(target.name)} fail_when`, fault: 'matched' });
  }
  for (const check of target.successWhen) {
    const answer = await answerTo(check, world);
    if (answer !== 'true') return faultOf(answer, { check, says: `target ${JSON.stringify(target.name)} success_when`, fault: 'not satisfied' });
  }
  return undefined;
}

async function answerTo(check: CompletionCheck, world: ContractWorld): Promise<CheckAnswer> {
  if (check.kind === 'command') return world.run(check.argv);
  const holds = check.kind === 'file_exists' ? world.fileExists(check.path) : world.printed.has(check.text);
  return holds ? 'true' : 'false';
}

interface Fault {
  readonly check: CompletionCheck;
  readonly says: string;
  readonly fault: string;
}

/** A check that cannot be made is no proof of either: the target fails, and the reason is told. */
function faultOf(answer: CheckAnswer, { check, says, fault }: Fault): string {
  if (typeof answer === 'string') return `${says} ${fault}: ${detailOf(check)}`;
  return `${says} could not be checked: ${detailOf(check)}: ${answer.error}`;
}

function detailOf(check: CompletionCheck): string {
  if (check.kind === 'command') return `command ${check.argv.join(' ')}`;
  if (check.kind === 'file_exists') return `file_exists ${JSON.stringify(check.path)}`;
  return `output_contains ${JSON.stringify(check.text)}`;
}
