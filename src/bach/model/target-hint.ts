import { nearest } from '../../kernel/text/index.ts';

/**
 * `; did you mean "shell/build"?` or nothing. Types are left out of the comparison: they would make any two targets of
 * one type look alike. A name without its type, or with another one, is the commonest slip of all.
 */
export function targetHint(name: string, known: Iterable<string>): string {
  const found = meant(name, [...known]);
  return found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`;
}

function meant(name: string, known: readonly string[]): string | undefined {
  const own = ownName(name);
  const sameType = known.filter((each) => typeOf(each) === typeOf(name));
  return known.find((each) => ownName(each) === own) ?? near(own, sameType) ?? near(own, known) ?? unslashed(name, known);
}

/** `shellbuild`: the type is there, and its slash is not. */
function unslashed(name: string, known: readonly string[]): string | undefined {
  return name.includes('/') ? undefined : nearest(name, known);
}

function near(own: string, known: readonly string[]): string | undefined {
  const found = nearest(own, known.map(ownName));
  return found === undefined ? undefined : known.find((each) => ownName(each) === found);
}

function typeOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf('/')));
}

function ownName(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}
