/** What is bundled, by the name that it gets in `dist/`. */

/** The executables. */
export const PROGRAMS = { bach: 'src/cli/bach.ts', drover: 'src/cli/drover.ts' };

/** What the executables start beside themselves. */
export const BESIDE = {};

export const ENTRIES = { ...PROGRAMS, ...BESIDE };

/** Found when the program runs: what Node brings, what has native parts, and what is used only where it is installed. */
export const EXTERNAL = [/^node:/, '@photostructure/sqlite', 'pg-native'];
