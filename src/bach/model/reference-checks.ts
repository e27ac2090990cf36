import { didYouMean } from '../../kernel/text/index.ts';
import type { Findings } from './findings.ts';
import type { Span } from './hcl/index.ts';
import type { InputSet, Plugin, TargetKind } from './project.ts';
import type { Reference } from './references.ts';
import { targetHint } from './target-hint.ts';
import type { DecodedTarget } from './targets.ts';

/** Reports references to targets that the project does not have. */
export function checkTargets(decoded: readonly DecodedTarget[], names: ReadonlySet<string>, findings: Findings): void {
  const missing = (references: readonly Reference[]) => references.filter(({ name }) => !names.has(name));
  for (const { target, dependsOn, children } of decoded) {
    const subject = `target ${JSON.stringify(target.name)}`;
    for (const reference of missing(dependsOn)) tell(reference, `${subject} depends on missing target`);
    for (const reference of missing(children)) tell(reference, `${subject} has missing ${childWord(target.kind)}`);
  }

  function tell({ name, span }: Reference, what: string): void {
    findings.error(span, `${what} ${JSON.stringify(name)}${targetHint(name, names)}`);
  }
}

function childWord(kind: TargetKind): string {
  return kind === 'pipeline' ? 'pipeline step' : 'group member';
}

export interface Producible {
  readonly inputs: ReadonlyMap<string, InputSet>;
  readonly resources: ReadonlySet<string>;
  readonly plugins: ReadonlyMap<string, Plugin>;
}

/** Reports what is produced without being declared, and what two targets produce. */
export function checkProduced(decoded: readonly DecodedTarget[], declared: Producible, findings: Findings): void {
  const names = producibleNames(declared);
  const producers = new Map<string, { readonly target: string; readonly span: Span }>();
  for (const { target, produces } of decoded) {
    for (const { text, span } of produces) {
      const first = producers.get(text) ?? { target: target.name, span };
      producers.set(text, first);
      if (!names.has(text)) findings.error(span, `target ${JSON.stringify(target.name)} ${missingProduct(text, names)}`);
      else if (first.target !== target.name) findings.duplicate(span, twiceProduced(text, first.target, target.name), first.span);
    }
  }
}

function missingProduct(text: string, names: ReadonlySet<string>): string {
  const what = text.startsWith('resource/') ? 'resource' : 'input';
  return `produces missing ${what} ${JSON.stringify(text)}${didYouMean(text, names)}`;
}

function twiceProduced(text: string, first: string, second: string): string {
  return `input ${JSON.stringify(text)} produced by both ${JSON.stringify(first)} and ${JSON.stringify(second)}`;
}

function producibleNames({ inputs, resources, plugins }: Producible): ReadonlySet<string> {
  const ofPlugins = [...plugins.values()].flatMap(({ name, sources }) => [...sources.keys()].map((source) => `plugin/${name}/${source}`));
  return new Set([...inputs.keys(), ...[...resources].map((name) => `resource/${name}`), ...ofPlugins]);
}
