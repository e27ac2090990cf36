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
  itemsOf,
  listOf,
  objectValue,
  STRING,
  stringValue,
  type HclFunction,
  type Scope,
  type Type,
  type Value,
} from './values/index.ts';
