import { formatDuration } from '../../kernel/text/index.ts';
import type { GraphTarget } from './graph-target.ts';
import type { Plan } from './plan.ts';

type Labelled = Pick<GraphTarget, 'name' | 'lock'>;

/** What stands in brackets before a target's lines: `shell/test`, or `shell/test lock=db`. */
export function targetLabel({ name, lock }: Labelled): string {
  return lock === '' ? name : `${name} lock=${lock}`;
}

/**
 * `[pipeline/x] pipeline: a -> b` for each pipeline reached from the requested targets through steps and members:
 * the requested ones, then the nested ones, outermost first, each once. Only of those that are shown.
 */
export function pipelineHeaders(plan: Plan, isShown: (name: string) => boolean = () => true): string[] {
  const reached = new Set(plan.requested);
  const lines: string[] = [];
  for (const name of reached) {
    const target = plan.targets[plan.indexOf.get(name)!]!;
    if (target.kind === 'pipeline' && isShown(name)) lines.push(`[${targetLabel(target)}] pipeline: ${target.children.join(' -> ')}`);
    for (const child of target.children) reached.add(child);
  }
  return lines;
}

/** What a target without a command prints when it is complete; a pipeline prints nothing more. */
export function completionLine(target: GraphTarget): string | undefined {
  if (target.kind === 'pipeline') return undefined;
  const label = `[${targetLabel(target)}]`;
  if (target.kind === 'group') return `${label} group: ${target.children.join(', ')}`;
  return target.dependsOn.length > 0 ? `${label} aggregate` : `${label} noop`;
}

/** `target "group/ci" timed out after 50ms` */
export function timeoutMessage(name: string, timeoutMs: number): string {
  const whole = Math.trunc(timeoutMs);
  const nanoseconds = BigInt(whole) * 1_000_000n + BigInt(Math.round((timeoutMs - whole) * 1_000_000));
  return `target ${JSON.stringify(name)} timed out after ${formatDuration(nanoseconds)}`;
}
