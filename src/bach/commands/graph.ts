import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { effectiveRisks, graphView, mermaidLines, type GraphEdge, type GraphNode, type GraphView } from '../decide/index.ts';
import { unsupportedGraphFormat } from './errors.ts';
import type { ProjectInput } from './inputs.ts';
import { loadProject } from './load-project.ts';
import { projectWorld } from './project-world.ts';

export interface GraphInput extends ProjectInput {
  /** `mermaid` or `json`, as it was given. */
  readonly format: string;
}

/** `bach graph`: the targets and what leads from one to another, as a flowchart or as a document. */
export async function graphVerb(input: GraphInput, context: VerbContext): Promise<VerbResult> {
  if (input.format !== 'mermaid' && input.format !== 'json') throw unsupportedGraphFormat({ format: input.format });
  const { project } = await loadProject(input, context, projectWorld(context));
  const view = graphView(project, effectiveRisks(project.targets));
  return { exit: 0, json: documentOf(view, project.profiles.selected), text: mermaidLines(view).join('\n') };
}

function documentOf({ nodes, edges, relaxed }: GraphView, profiles: readonly string[]): object {
  return {
    ...(profiles.length > 0 && { profiles }),
    nodes: nodes.map(nodeDocument),
    edges: edges.map(edgeDocument),
    ...(relaxed.length > 0 && { relaxed: relaxed.map(({ from, to }) => ({ from, to, type: 'barrier' })) }),
  };
}

function nodeDocument({ name, kind, description, cost, lock, risks }: GraphNode): object {
  const flags = Object.fromEntries(risks.map((label) => [label, true]));
  return {
    name,
    kind,
    ...(description !== '' && { description }),
    ...(cost !== '' && { cost }),
    ...(lock !== '' && { lock }),
    ...flags,
    ...(risks.length > 0 && { risks }),
  };
}

function edgeDocument({ from, to, type, order }: GraphEdge): object {
  return order === undefined ? { from, to, type } : { from, to, type, order };
}
