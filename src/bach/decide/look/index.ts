export { affectedTargets, type AffectedTarget } from './affected.ts';
export { explanationDocument, explanationLines } from './explanation.ts';
export { graphView, requiredRisks, type GraphEdge, type GraphNode, type GraphView } from './graph-view.ts';
export type { RiskLabels } from './labels.ts';
export { mermaidLines } from './mermaid.ts';
export { aliasNotice, namedNode, type NamedNode, type UnknownNode } from './named-node.ts';
export { oneLine } from './one-line.ts';
export { provenanceOf, type FileParty, type Provenance } from './provenance.ts';
