/**
 * An environment as a program gets it: without the names that have no value, and without those that `unwanted` names.
 *
 * @example
 * const env = definedVariables(process.env, (name) => name.startsWith('GIT_'));
 */
export function definedVariables(
  env: Readonly<Record<string, string | undefined>>,
  unwanted: (name: string) => boolean = () => false,
): Readonly<Record<string, string>> {
  const entries = Object.entries(env).flatMap(([name, value]) => (value === undefined || unwanted(name) ? [] : [[name, value] as const]));
  return Object.fromEntries(entries);
}
