import type { Preflight, Target, ToolRequirement } from '../model/index.ts';

/** A requirement with the targets that have it, in the order of their names. */
export interface Need<Requirement> {
  readonly requirement: Requirement;
  readonly targets: readonly string[];
}

/** Everything that a host must have for these targets: what is the same in every word is asked for once. */
export interface Needs {
  readonly tools: readonly Need<ToolRequirement>[];
  readonly preflights: readonly Need<Preflight>[];
}

export function needsOf(targets: readonly Target[]): Needs {
  return { tools: union(targets, ({ tools }) => tools), preflights: union(targets, ({ preflights }) => preflights) };
}

function union<Requirement>(targets: readonly Target[], of: (target: Target) => readonly Requirement[]): readonly Need<Requirement>[] {
  const needs = new Map<string, { readonly requirement: Requirement; readonly targets: Set<string> }>();
  for (const target of targets) {
    for (const requirement of of(target)) {
      const key = JSON.stringify(requirement);
      const need = needs.get(key) ?? { requirement, targets: new Set<string>() };
      need.targets.add(target.name);
      needs.set(key, need);
    }
  }
  return [...needs.values()].map((need) => ({ requirement: need.requirement, targets: [...need.targets].sort() }));
}
