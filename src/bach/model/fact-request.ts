/** What an expression asks of the world, for the caller to find out. */
export type FactRequest =
  | { readonly kind: 'git-short-sha' }
  | { readonly kind: 'git-dirty-suffix' }
  /** Files, folders and globs, relative to the root. */
  | { readonly kind: 'file-hash'; readonly paths: readonly string[] };

/** A fact, or a clause that says why there is none. */
export type FactAnswer = { readonly value: string } | { readonly failure: string };

/** By `factKey`. */
export type FactAnswers = ReadonlyMap<string, FactAnswer>;

/** Equal requests have equal keys. */
export function factKey(request: FactRequest): string {
  return request.kind === 'file-hash' ? JSON.stringify([request.kind, ...request.paths]) : request.kind;
}

/** The request that has this key. */
export function factOfKey(key: string): FactRequest {
  if (key === 'git-short-sha' || key === 'git-dirty-suffix') return { kind: key };
  const [, ...paths] = JSON.parse(key) as readonly string[];
  return { kind: 'file-hash', paths };
}
