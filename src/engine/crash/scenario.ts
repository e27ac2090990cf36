type Argv = readonly [string, ...string[]];

/** Work that a crash test carries out as a program of its own, again and again. */
export interface CrashScenario {
  readonly name: string;
  /** Makes an empty folder ready for the work. Not counted. */
  readonly prepare: (place: CrashPlace) => Argv;
  /** One preparing serves for all points, by a copy; or each needs its own, which may end with a SIGKILL. */
  readonly prepared: 'once' | 'each';
  /**
   * Does the work, or goes on with it, to its end; then writes to `endState` what there is, as JSON in which equal
   * ends are equal: without times, process ids and what a repetition may add.
   */
  readonly run: (place: CrashPlace) => Argv;
}

/** Where the work takes place. */
export interface CrashPlace {
  readonly work: string;
  /** The file that `run` writes at its end. */
  readonly endState: string;
  /** Of every program that the work starts: what still runs when a point was tried is ended by it. */
  readonly marker: string;
}
