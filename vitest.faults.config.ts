import { defineConfig } from 'vitest/config';
import { CountsReporter } from './tools/test-reporter.mjs';
import { EACH } from './vitest.config.ts';

const MINUTE = 60_000;

/** The fault matrix: slower than the everyday suite, and never part of it. */
export default defineConfig({
  test: {
    ...EACH,
    maxWorkers: 2,
    include: ['test/faults/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // The whole counts of the matrix take hours; a hang still ends.
    testTimeout: (process.env['DROVER_FAULTS'] === 'full' ? 240 : 20) * MINUTE,
    hookTimeout: 5 * MINUTE,
    reporters: ['default', new CountsReporter('reports/faults.json')],
  },
});
