/**
 * The suites, in the order of CI: where each keeps its tests, its configuration and its counts, and the flag of
 * `tools/test.mjs` that chooses it. The first one is `npm test`.
 */
export const SUITES = [
  { folder: 'test', config: 'vitest.config.ts', counts: 'reports/tests.json' },
  { folder: 'test/faults', config: 'vitest.faults.config.ts', counts: 'reports/faults.json', flag: '--faults' },
];
