import { cleanPath } from '../../kernel/paths/index.ts';
import { compileGlob } from '../../kernel/text/index.ts';
import type { PlacedText } from './expressions.ts';
import type { Findings } from './findings.ts';
import { stateRule } from './state-paths.ts';

/** True for a relative path that leaves the root by its text. An absolute one is for those to judge who know the root. */
export function climbsOut(path: string): boolean {
  const clean = cleanPath(path);
  return clean === '..' || clean.startsWith('../');
}

export interface InputRules {
  /** Of the state database, from the root. */
  readonly statePath: string;
  /** Names of input sets, which are no paths. */
  readonly setNames: ReadonlySet<string>;
}

/** Tells each entry that no input can be: nothing, outside the root, a malformed pattern, or state that no walk enters. */
export function checkInputPaths(
  entries: readonly PlacedText[],
  { subject, findings, ...rules }: InputRules & { readonly subject: string; readonly findings: Findings },
): void {
  for (const { text, span } of entries) {
    const fault = rules.setNames.has(text) ? undefined : inputFault(text, rules.statePath);
    if (fault !== undefined) findings.error(span, `${subject} ${JSON.stringify(text)} ${fault}`);
  }
}

/** What keeps a path or pattern from being an input, as a clause that follows it. */
export function inputFault(path: string, statePath: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (climbsOut(path)) return 'must stay under the project root';
  const clean = cleanPath(path);
  const { fault } = compileGlob(clean);
  if (fault !== undefined) return `is a malformed pattern: it ${fault}`;
  return clean.startsWith('/') ? undefined : stateFault(clean, statePath);
}

/** What is wrong with a cleaned path from the root that names state; nothing for one that does not. */
export function stateFault(path: string, statePath: string): string | undefined {
  return stateRule(statePath)(path) ? 'names state, which is never an input' : undefined;
}
