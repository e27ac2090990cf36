import type { StaleReason } from './freshness.ts';

/** What the cache says of a target before it runs. */
export type CacheVerdict =
  | { readonly kind: 'not-cacheable' }
  /** The fingerprint is empty where it is not firm, the reasons where nobody looked; what is empty is not shown. */
  | { readonly kind: 'stale'; readonly fingerprint: string; readonly reasons: readonly StaleReason[] }
  | { readonly kind: 'fresh'; readonly fingerprint: string };

/** What stands before the operation on the terminal: `(cached)`, `(stale: changed input, missing output)`, or nothing. */
export function verdictText(verdict: CacheVerdict): string {
  if (verdict.kind === 'fresh') return '(cached)';
  const isTold = verdict.kind === 'stale' && verdict.reasons.length > 0;
  return isTold ? `(stale: ${verdict.reasons.join(', ')})` : '';
}

/** `cache` of a target in the document of a dry run. */
export function verdictEntry(verdict: CacheVerdict): object {
  if (verdict.kind === 'not-cacheable') return { cacheable: false, expectation: 'not_cacheable', fresh: false };
  const { fingerprint } = verdict;
  if (verdict.kind === 'fresh') return { cacheable: true, expectation: 'cached', fresh: true, fingerprint };
  const { reasons } = verdict;
  const shown = { ...(fingerprint === '' ? {} : { fingerprint }), ...(reasons.length === 0 ? {} : { reasons }) };
  return { cacheable: true, expectation: 'run', fresh: false, ...shown };
}
