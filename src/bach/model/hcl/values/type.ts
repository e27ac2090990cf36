/** What a value is made of. `any` is the type of a null that nothing has given a type yet. */
export type Type =
  | { readonly kind: 'any' | 'string' | 'number' | 'bool' }
  | { readonly kind: 'list' | 'map'; readonly element: Type }
  | { readonly kind: 'tuple'; readonly elements: readonly Type[] }
  | { readonly kind: 'object'; readonly attributes: ReadonlyMap<string, Type> };

export const ANY: Type = { kind: 'any' };
export const STRING: Type = { kind: 'string' };
export const NUMBER: Type = { kind: 'number' };
export const BOOL: Type = { kind: 'bool' };

export function listOf(element: Type): Type {
  return { kind: 'list', element };
}

export function mapOf(element: Type): Type {
  return { kind: 'map', element };
}

export function tupleOf(elements: readonly Type[]): Type {
  return { kind: 'tuple', elements };
}

export function objectOf(attributes: Iterable<readonly [string, Type]>): Type {
  return { kind: 'object', attributes: new Map(attributes) };
}

/** The type as HCL writes it: `object({a = string})`. Equal types have equal texts. */
export function typeText(type: Type): string {
  if (type.kind === 'list' || type.kind === 'map') return `${type.kind}(${typeText(type.element)})`;
  if (type.kind === 'tuple') return `tuple([${type.elements.map(typeText).join(', ')}])`;
  if (type.kind !== 'object') return type.kind;
  const attributes = [...type.attributes].sort(([a], [b]) => compareKeys(a, b));
  return `object({${attributes.map(([name, each]) => `${name} = ${typeText(each)}`).join(', ')}})`;
}

export function equalTypes(left: Type, right: Type): boolean {
  return left === right || typeText(left) === typeText(right);
}

/** The order in which HCL iterates keys: by code points, which is not the order of UTF-16 units. */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for the highest code points, above every other unit. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
