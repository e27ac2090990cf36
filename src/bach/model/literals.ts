import type { Scope } from './hcl/index.ts';

/** For what is read before anything has a value: it may name nothing and call nothing. */
export const LITERALS_ONLY: Scope = { variables: new Map(), functions: new Map() };
