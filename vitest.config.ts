import { defineConfig } from 'vitest/config';
import { CountsReporter } from './tools/test-reporter.mjs';

const SECOND = 1000;

/** These look at nothing of their process; the others change it, count its descriptors or weigh its memory. */
const SHARED = ['bach', 'conformance', 'desk', 'ledger', 'kernel/{config,errors,paths,redact,terminal,text,time}'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

/** Of every suite. */
export const EACH = {
  pool: 'forks',
  // Generous, since no verdict may depend on how busy the machine is; a hang still ends.
  testTimeout: 120 * SECOND,
  hookTimeout: 120 * SECOND,
  allowOnly: false,
} as const;

export default defineConfig({
  test: {
    // What can share a process does, one file after another: starting one and loading the house costs more than most tests.
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
      // A suite of its own: vitest.faults.config.ts.
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: ['**/node_modules/**', 'test/faults/**', ...SHARED] } },
    ],
    ...EACH,
    // One more than processors that it must do with, since tests wait for programs.
    maxWorkers: 3,
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
