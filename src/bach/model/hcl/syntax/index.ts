export { decodeSource, type DecodedSource } from './decode.ts';
export { parseExpression, parseHcl, parseTemplate, type ParsedExpression, type ParsedFile } from './parse.ts';
export { SourceText } from './source-text.ts';
export { traversalOf, type Traversal, type TraversalStep } from './traversal-of.ts';
export { variablesOf } from './variables-of.ts';
export { topLines, type TopLine } from './top-lines.ts';
export { movedBody } from './move.ts';
