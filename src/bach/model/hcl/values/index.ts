export { convert, type Failure } from './convert.ts';
export { describe, toPlain, typeName, type Plain } from './describe.ts';
export { equalValues } from './equality.ts';
export { evaluate } from './evaluate.ts';
export { toInteger, type Float } from './float.ts';
export { floatText } from './float-text.ts';
export type { Evaluation } from './run.ts';
export type { CallFailure, HclFunction, Parameter, Scope } from './scope.ts';
export { ANY, BOOL, listOf, mapOf, NUMBER, objectOf, STRING, tupleOf, typeText, type Type } from './type.ts';
export {
  boolValue,
  entriesOf,
  integerValue,
  isKnown,
  itemsOf,
  listValue,
  mapValue,
  NULL,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  typeOf,
  UNKNOWN,
  type Value,
} from './value.ts';
