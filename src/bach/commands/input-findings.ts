import { cleanPath, relativePath } from '../../kernel/paths/index.ts';
import type { Diagnostic } from '../../kernel/text/index.ts';
import { climbsOut, fileDiagnostic, inputPaths, stateFault, type Project, type Target } from '../model/index.ts';
import { globsWithoutMatch, type StatePlace } from '../store/index.ts';

/**
 * What the files of a project say of the inputs of its targets: an entry that no run could resolve is an error, a
 * pattern that matches nothing a warning. Each is told once, at the first target that it is an input of.
 */
export async function inputFindings(project: Project, place: StatePlace): Promise<readonly Diagnostic[]> {
  const uses = firstUses(project);
  const faults = [...uses].map(([entry, target]) => ({ entry, target, fault: faultOf(entry, place) }));
  const sound = faults.flatMap(({ entry, fault }) => (fault === undefined ? [entry] : []));
  const idle = new Set(await globsWithoutMatch(sound, place));
  return faults.flatMap(({ entry, target, fault }) => {
    if (fault !== undefined) return [diagnosticOf(target, entry, fault)];
    return idle.has(entry) ? [{ ...diagnosticOf(target, entry, 'matches no file'), severity: 'warning' as const }] : [];
  });
}

function firstUses({ targets, inputs, resources }: Project): ReadonlyMap<string, Target> {
  const uses = new Map<string, Target>();
  for (const target of targets.values()) {
    for (const entry of inputPaths(target.inputs, inputs, resources)) if (!uses.has(entry)) uses.set(entry, target);
  }
  return uses;
}

function faultOf(entry: string, { root, statePath }: StatePlace): string | undefined {
  const clean = cleanPath(entry);
  const inside = clean.startsWith('/') ? relativePath(root, clean) : clean;
  if (inside === undefined || climbsOut(inside)) return `must stay under the project root ${root}`;
  return stateFault(inside, statePath);
}

function diagnosticOf({ name, file, range }: Target, entry: string, words: string): Diagnostic {
  return fileDiagnostic(file, range, `target ${JSON.stringify(name)} input ${JSON.stringify(entry)} ${words}`);
}
