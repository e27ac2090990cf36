export type * from './ast.ts';
export type { SpanDiagnostic } from './diagnostic.ts';
export {
  decodeSource,
  parseHcl,
  SourceText,
  traversalOf,
  variablesOf,
} from './syntax/index.ts';
export { wordsOf } from './words.ts';
export {
  ANY,
  convert,
  entriesOf,
  evaluate,
  isKnown,
  itemsOf,
  listOf,
  objectValue,
  STRING,
  stringValue,
  UNKNOWN,
  type HclFunction,
  type Scope,
  type Type,
  type Value,
} from './values/index.ts';
