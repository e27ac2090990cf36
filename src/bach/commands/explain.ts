import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { aliasNotice, effectiveRisks, explanationDocument, explanationLines, namedNode } from '../decide/index.ts';
import type { ProjectInput } from './inputs.ts';
import { loadProject } from './load-project.ts';
import { projectWorld } from './project-world.ts';

export interface ExplainInput extends ProjectInput {
  /** A target in either form of its name, an alias, or a generated policy node. */
  readonly target: string;
}

/** `bach explain`: what a target is for, what it needs and what it risks; it runs nothing but graph plugins. */
export async function explainVerb(input: ExplainInput, context: VerbContext): Promise<VerbResult> {
  const { project } = await loadProject(input, context, projectWorld(context));
  const named = namedNode(input.target, project);
  if (named.kind === 'unknown') throw named.error;
  if (named.kind === 'target' && named.alias !== undefined) context.out.notice(aliasNotice(named.alias));
  const risks = effectiveRisks(project.targets);
  return { exit: 0, json: explanationDocument(named, risks), text: explanationLines(named, risks).join('\n') };
}
