import type { GraphEdge, GraphNode, GraphView } from './graph-view.ts';
import { oneLine } from './one-line.ts';

/** The graph as a Mermaid flowchart, one statement a line. */
export function mermaidLines({ nodes, edges }: Pick<GraphView, 'nodes' | 'edges'>): readonly string[] {
  const ids = new Map(nodes.map(({ name }, index) => [name, `n${index}`]));
  const boxes = nodes.map((node) => `  ${ids.get(node.name)}["${label(node)}"]`);
  const arrows = edges.map((edge) => `  ${ids.get(edge.from)} -- ${words(edge)} --> ${ids.get(edge.to)}`);
  return ['flowchart TD', ...boxes, ...arrows];
}

/** Mermaid itself breaks a line at a backslash with an `n`. */
function label({ name, kind, lock, risks }: GraphNode): string {
  const lines = [name, kind, ...(lock === '' ? [] : [`lock=${lock}`]), ...(risks.length === 0 ? [] : [`risks=${risks.join(',')}`])];
  return lines.map(escaped).join('\\n');
}

function escaped(text: string): string {
  return oneLine(text).replace(/["|]/g, '\\$&');
}

function words({ type, order }: GraphEdge): string {
  return order === undefined ? type : `${type} ${order}`;
}
