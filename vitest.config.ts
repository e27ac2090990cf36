import { defineConfig } from 'vitest/config';
import { CountsReporter } from './tools/test-reporter.mjs';

const SECOND = 1000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A suite of its own: vitest.faults.config.ts.
    exclude: ['**/node_modules/**', 'test/faults/**'],
    // Tests start processes, take locks and change the working folder: each file has a process of its own.
    pool: 'forks',
    maxWorkers: 2,
    // Generous, since no verdict may depend on how busy the machine is; a hang still ends.
    testTimeout: 120 * SECOND,
    hookTimeout: 120 * SECOND,
    allowOnly: false,
    // On for the whole suite alone (tools/test.mjs): where the next step is decided, no branch goes untested.
    coverage: {
      provider: 'istanbul',
      include: ['src/engine/**/*.ts', 'src/*/decide/**/*.ts'],
      reporter: [['text', { skipFull: true }]],
      reportsDirectory: 'reports/coverage',
      thresholds: { branches: 100 },
    },
    reporters: ['default', new CountsReporter('reports/tests.json')],
  },
});
