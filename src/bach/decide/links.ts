import type { Plan } from './plan.ts';

/** The plan's references by index, packed: dependencies, then children, each once and in declared order. */
export interface Links {
  /** Where the references of a target begin in `to`; one entry more than targets. */
  readonly first: Int32Array;
  /** Where its children begin. */
  readonly firstChild: Int32Array;
  readonly to: Int32Array;
}

export function linksOf(plan: Plan): Links {
  const first = new Int32Array(plan.targets.length + 1);
  const firstChild = new Int32Array(plan.targets.length);
  const to: number[] = [];
  const append = (names: readonly string[]) => {
    for (const name of names.length > 1 ? new Set(names) : names) to.push(plan.indexOf.get(name)!);
  };
  plan.targets.forEach((target, index) => {
    append(target.dependsOn);
    firstChild[index] = to.length;
    append(target.children);
    first[index + 1] = to.length;
  });
  return { first, firstChild, to: Int32Array.from(to) };
}
