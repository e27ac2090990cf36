export type * from './ast.ts';
export type { SpanDiagnostic } from './diagnostic.ts';
export {
  decodeSource,
  movedBody,
  parseExpression,
  parseHcl,
  SourceText,
  topLines,
  type TopLine,
  traversalOf,
  variablesOf,
} from './syntax/index.ts';
export { wordsOf } from './words.ts';
export {
  ANY,
  BOOL,
  convert,
  entriesOf,
  evaluate,
  isKnown,
  itemsOf,
  listOf,
  mapOf,
  NUMBER,
  objectValue,
  STRING,
  stringValue,
  toPlain,
  UNKNOWN,
  type CallFailure,
  type HclFunction,
  type Plain,
  type Scope,
  type Type,
  type Value,
} from './values/index.ts';
