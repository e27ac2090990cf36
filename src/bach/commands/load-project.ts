import { formatDiagnostic, type Diagnostic } from '../../kernel/text/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { compositeCycle } from '../decide/index.ts';
import { fileDiagnostic, readBachfile, type Project } from '../model/index.ts';
import { projectRoot, readBachfileBytes, type StatePlace } from '../store/index.ts';
import { invalidBachfile } from './errors.ts';
import type { ProjectInput } from './inputs.ts';

/** A project that may be used: decoded without errors, with its folder. */
export interface LoadedProject {
  readonly project: Project;
  readonly place: StatePlace;
}

export interface CheckedBachfile {
  /** Nothing when a diagnostic is an error. */
  readonly project: Project | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads the project for a verb that needs it whole. Throws `invalid-bachfile` with every diagnostic. */
export function loadProject(input: ProjectInput, context: VerbContext): LoadedProject {
  const { project, diagnostics } = checkBachfile(input, context);
  if (project === undefined) throw invalidBachfile({ lines: diagnostics.map(formatDiagnostic) });
  for (const diagnostic of diagnostics) context.out.notice(formatDiagnostic(diagnostic));
  const { root } = project;
  const path = projectRoot({ file: input.file, root, cwd: context.cwd, home: context.env['HOME'] });
  return { project, place: { root: path, statePath: project.statePath, clock: context.clock } };
}

/** Reads and checks the Bachfile; faults of the file come back as diagnostics, only a missing file is thrown. */
export function checkBachfile(input: ProjectInput, context: VerbContext): CheckedBachfile {
  const bytes = readBachfileBytes(input.file, context.cwd);
  const read = readBachfile(bytes, { file: input.file, overrides: input.vars, environment: context.env });
  return read.project === undefined ? read : withCycles(read.project, read.diagnostics);
}

/** A circle through groups and pipelines has no meaning, so it is refused before any verb. */
function withCycles(project: Project, diagnostics: readonly Diagnostic[]): CheckedBachfile {
  const cycle = compositeCycle(project.targets);
  const range = cycle && project.targets.get(cycle.target)?.range;
  if (cycle === undefined || range === undefined) return { project, diagnostics };
  return { project: undefined, diagnostics: [...diagnostics, fileDiagnostic(project.file, range, cycle.message)] };
}
