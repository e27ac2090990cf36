import { isPlainValue } from './plain-values.ts';
import { isSecretKey } from './secret-names.ts';
import { isLongEnough } from './secrets.ts';

/**
 * A value as JSON would hold it, with all texts in it masked, keys as well. What stands under a key that is named like
 * a secret is masked whole. A value in which nothing is masked comes back itself.
 */
export function redactValue(value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (hasOwnForm(value)) return redactValue(value.toJSON(), redactText);
  if (Array.isArray(value)) return unlessSame(value, value.map((item: unknown) => redactValue(item, redactText)));
  const entries = Object.entries(value);
  const masked = entries.map(([key, item]) => [redactText(key), redactUnder(key, item, redactText)] as const);
  const isSame = masked.every(([key, item], index) => key === entries[index]?.[0] && item === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(masked);
}

function redactUnder(key: string, item: unknown, redactText: (text: string) => string): unknown {
  if (typeof item !== 'string' || !isSecretKey(key)) return redactValue(item, redactText);
  if (!isLongEnough(item) || isPlainValue(item)) return redactText(item);
  return '*'.repeat(Buffer.byteLength(item));
}

function unlessSame(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}

function hasOwnForm(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
