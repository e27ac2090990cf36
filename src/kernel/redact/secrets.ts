import { isPlainValue } from './plain-values.ts';
import { isSecretName } from './secret-names.ts';

/** Fewer characters would be found in innocent text. */
const FEWEST_CHARACTERS = 8;

/** What a user says about variables. */
export interface SecretNames {
  /** Further ones whose values are secrets, whatever they look like. */
  readonly extra: readonly string[];
  /** Those that are none although they are named like one. */
  readonly except: readonly string[];
}

export interface SecretSources extends Partial<SecretNames> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The known secrets of an environment: the values of at least 8 characters of variables whose name contains TOKEN,
 * SECRET, KEY, PASSWORD, PASSWD, CREDENTIAL or AUTH, less what is plainly none (`docs/running.md` has the list).
 *
 * @example
 * const redaction = createRedaction(secretsFrom({ env: process.env, except: ['CACHE_KEY'] }));
 */
export function secretsFrom({ env, extra = [], except = [] }: SecretSources): readonly string[] {
  const found = new Set<string>();
  for (const [name, text] of Object.entries(env)) {
    const value = (text ?? '').trim();
    if (!isLongEnough(value) || except.includes(name)) continue;
    if (extra.includes(name) || isSecret(name, value)) found.add(value);
  }
  return [...found];
}

function isSecret(name: string, value: string): boolean {
  return isSecretName(name) && !isPlainValue(value);
}

/** Counted in characters, so that eight of any script are enough. */
export function isLongEnough(value: string): boolean {
  if (value.length < FEWEST_CHARACTERS) return false;
  return value.length >= 2 * FEWEST_CHARACTERS || [...value].length >= FEWEST_CHARACTERS;
}
