import { ANY, equalTypes, listOf, mapOf, objectOf, STRING, tupleOf, type Type } from './type.ts';

type ObjectType = Extract<Type, { kind: 'object' }>;
type TupleType = Extract<Type, { kind: 'tuple' }>;

/**
 * The one type that values of all these types convert to, `undefined` if there is none. Objects with equal keys
 * stay an object, others become a map; tuples of one length stay a tuple, others become a list; number and bool
 * give way to string.
 */
export function unify(types: readonly Type[]): Type | undefined {
  const typed = types.filter((type) => type.kind !== 'any');
  const first = typed[0];
  if (first === undefined) return ANY;
  if (typed.every((type) => equalTypes(type, first))) return first;
  if (typed.every((type) => type.kind === 'object')) return unifyObjects(typed);
  if (typed.every((type) => type.kind === 'tuple')) return unifyTuples(typed);
  if (typed.every((type) => type.kind === 'object' || type.kind === 'map')) return collection(typed, mapOf);
  if (typed.every((type) => type.kind === 'tuple' || type.kind === 'list')) return collection(typed, listOf);
  return unifyPrimitives(typed);
}

/** A number and a bool have no common type, unless a string is among them: both have a text. */
function unifyPrimitives(types: readonly Type[]): Type | undefined {
  const arePrimitive = types.every(({ kind }) => kind === 'string' || kind === 'number' || kind === 'bool');
  return arePrimitive && types.some(({ kind }) => kind === 'string') ? STRING : undefined;
}

function unifyObjects(types: readonly ObjectType[]): Type | undefined {
  const names = [...(types[0]?.attributes.keys() ?? [])];
  const haveSameNames = types.every(
    ({ attributes }) => attributes.size === names.length && names.every((name) => attributes.has(name)),
  );
  if (!haveSameNames) return collection(types, mapOf);
  const unified = unifyColumns(names.map((name) => types.map(({ attributes }) => attributes.get(name) ?? ANY)));
  return unified && objectOf(names.map((name, index) => [name, unified[index] ?? ANY]));
}

function unifyTuples(types: readonly TupleType[]): Type | undefined {
  const length = types[0]?.elements.length ?? 0;
  if (types.some(({ elements }) => elements.length !== length)) return collection(types, listOf);
  const columns = Array.from({ length }, (_, index) => types.map(({ elements }) => elements[index] ?? ANY));
  const unified = unifyColumns(columns);
  return unified && tupleOf(unified);
}

function unifyColumns(columns: readonly (readonly Type[])[]): Type[] | undefined {
  const unified = columns.map(unify).filter((type) => type !== undefined);
  return unified.length === columns.length ? unified : undefined;
}

function collection(types: readonly Type[], wrap: (element: Type) => Type): Type | undefined {
  const element = unify(types.flatMap(partTypes));
  return element && wrap(element);
}

function partTypes(type: Type): readonly Type[] {
  if (type.kind === 'list' || type.kind === 'map') return [type.element];
  if (type.kind === 'tuple') return type.elements;
  return type.kind === 'object' ? [...type.attributes.values()] : [];
}
