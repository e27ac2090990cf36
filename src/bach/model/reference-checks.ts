import { didYouMean } from '../../kernel/text/index.ts';
import type { Findings } from './findings.ts';
import type { TargetKind } from './project.ts';
import type { Reference } from './references.ts';
import type { DecodedTarget } from './targets.ts';

/** Reports references to targets that the file does not have. */
export function checkReferences(
  decoded: readonly DecodedTarget[],
  defaultTarget: Reference | undefined,
  findings: Findings,
): void {
  const names = new Set(decoded.map(({ target }) => target.name));
  const missing = (references: readonly Reference[]) => references.filter(({ name }) => !names.has(name));
  for (const { target, dependsOn, children } of decoded) {
    const subject = `target ${JSON.stringify(target.name)}`;
    for (const reference of missing(dependsOn)) tell(reference, `${subject} depends on missing target`);
    for (const reference of missing(children)) tell(reference, `${subject} has missing ${childWord(target.kind)}`);
  }
  if (defaultTarget === undefined || names.has(defaultTarget.name)) return;
  const quoted = JSON.stringify(defaultTarget.name);
  findings.error(defaultTarget.span, `default target ${quoted} does not exist${didYouMean(defaultTarget.name, names)}`);

  function tell({ name, span }: Reference, what: string): void {
    findings.error(span, `${what} ${JSON.stringify(name)}${didYouMean(name, names)}`);
  }
}

function childWord(kind: TargetKind): string {
  return kind === 'pipeline' ? 'pipeline step' : 'group member';
}
