import { formatDiagnostic, type Diagnostic } from '../../kernel/text/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { dependencyCycles } from '../decide/index.ts';
import { fileDiagnostic, type Project } from '../model/index.ts';
import { projectRoot, type StatePlace } from '../store/index.ts';
import { inputFindings } from './input-findings.ts';
import type { ProjectInput } from './inputs.ts';
import { checkBachfile } from './load-project.ts';
import { projectWorld } from './project-world.ts';

interface Summary {
  readonly targets: number;
  readonly aliases: number;
  readonly inputs: number;
  readonly profiles: number;
}

/** `bach validate`: parses, decodes and checks the Bachfile; nothing runs and nothing is written. */
export async function validateVerb(input: ProjectInput, context: VerbContext): Promise<VerbResult> {
  const { project, diagnostics: found } = await checkBachfile(input, context, projectWorld(context));
  const further = project === undefined ? [] : [...cycleWarnings(project), ...(await inputFindings(project, placeOf(project, context)))];
  const diagnostics = [...found, ...further];
  const valid = project !== undefined && diagnostics.every(({ severity }) => severity !== 'error');
  const summary = summaryOf(valid ? project : undefined);
  const json = { valid, files: [input.file], summary, diagnostics: diagnostics.map(asDocument) };
  const lines = diagnostics.map(formatDiagnostic);
  if (!valid) return { exit: 1, json, text: lines.join('\n'), errors: ['Bachfile validation failed'] };
  return { exit: 0, json, text: [...lines, summaryLine(summary)].join('\n') };
}

function placeOf({ file, root, backend }: Project, { cwd, env, clock }: VerbContext): StatePlace {
  return { root: projectRoot({ file, root, cwd, home: env['HOME'] }), statePath: backend.statePath, clock };
}

/** A circle of `depends_on` keeps only its own targets from running, so the file as a whole stays usable. */
function cycleWarnings({ targets }: Project): readonly Diagnostic[] {
  return dependencyCycles(targets).flatMap(({ target: name, message }) => {
    const target = targets.get(name);
    return target === undefined ? [] : [{ ...fileDiagnostic(target.file, target.range, message), severity: 'warning' }];
  });
}

function summaryOf(project: Project | undefined): Summary {
  if (project === undefined) return { targets: 0, aliases: 0, inputs: 0, profiles: 0 };
  const { targets, aliases, inputs, profiles } = project;
  return { targets: targets.size, aliases: aliases.size, inputs: inputs.size, profiles: profiles.declared.length };
}

function summaryLine({ targets, aliases, inputs, profiles }: Summary): string {
  return `Bachfile valid: ${targets} targets, ${aliases} aliases, ${inputs} inputs, ${profiles} profiles`;
}

function asDocument({ severity, file, range, message, code }: Diagnostic) {
  const place = ({ line, column }: Diagnostic['range']['start']) => ({ line, column });
  return { severity, file, range: { start: place(range.start), end: place(range.end) }, message, code };
}
