import { plainName } from '../text/index.ts';

/** Where a value comes from; later ones win. */
export type Origin =
  | { readonly layer: 'default' }
  | { readonly layer: 'user' | 'project'; readonly file: string; readonly line?: number }
  | { readonly layer: 'environment'; readonly variable: string }
  | { readonly layer: 'flag'; readonly flag: string };

/** `default`, `file:line`, the name of the variable, or the option. */
export function formatOrigin(origin: Origin): string {
  if (origin.layer === 'default') return 'default';
  if (origin.layer === 'environment') return origin.variable;
  if (origin.layer === 'flag') return origin.flag;
  const file = plainName(origin.file);
  return origin.line === undefined ? file : `${file}:${origin.line}`;
}
