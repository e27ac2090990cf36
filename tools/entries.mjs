/** What is bundled, by the name that it gets in `dist/`. */

/** The executables. */
export const PROGRAMS = { bach: 'src/cli/bach.ts', drover: 'src/cli/drover.ts' };

/** What the executables start beside themselves. */
export const BESIDE = {
  'lease-worker': 'src/kernel/lock/lease-worker.ts',
  'selftest-toy': 'src/engine/toy/selftest-run.ts',
};

export const ENTRIES = { ...PROGRAMS, ...BESIDE };

/** Found when the program runs: what Node brings, and packages that have native parts or that few users load. */
export const EXTERNAL = [/^node:/, '@photostructure/sqlite', 'pg'];
