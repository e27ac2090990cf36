import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes, readBytesIfPresent } from '../../kernel/files/index.ts';
import { endLeftovers } from '../../kernel/process/index.ts';
import { crashProgramFailed } from '../errors.ts';
import { runChild, type ChildEnd, type CrashHost } from './child.ts';
import { firstDifference } from './difference.ts';
import type { CrashPlace, CrashScenario } from './scenario.ts';

/** Of a trace or an end state: far more than any has. */
const MOST_BYTES = 64 * 2 ** 20;

/** A point at which the end was not the one without a crash. */
export interface CrashFailure {
  readonly point: number;
  /** What stands right before or after the point, e.g. `rename:before`. */
  readonly name: string;
  readonly difference: string;
}

export interface CrashReport {
  readonly points: number;
  readonly equal: number;
  readonly failed: readonly CrashFailure[];
}

export interface CrashOptions extends CrashHost {
  /** An existing folder; what is made in it is removed again. */
  readonly folder: string;
  /** How many points are tried at once. */
  readonly parallel: number;
  /** The points to try, of so many. Default: all. */
  readonly choose?: (points: number) => readonly number[];
  /** A second kill, counted from the start of the resumed run; one that it does not reach is left out. */
  readonly again?: (point: number) => number;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Ends the work at each of its durable points, one after the other, resumes it each time, and compares the end with
 * that of an undisturbed run. Throws `selftest-broken` when already that run fails, and the reason of the signal.
 */
export async function checkCrashes(scenario: CrashScenario, options: CrashOptions): Promise<CrashReport> {
  const check = new CrashCheck(scenario, options);
  const baseline = await check.undisturbed();
  const chosen = options.choose?.(baseline.names.length) ?? baseline.names.map((_, index) => index + 1);
  const failed: CrashFailure[] = [];
  const rest = [...chosen];
  const work = async (): Promise<void> => {
    for (let point = rest.shift(); point !== undefined; point = rest.shift()) {
      const difference = await check.crashAt(point, baseline.state);
      if (difference !== undefined) failed.push({ point, name: baseline.names[point - 1] ?? '', difference });
      options.onProgress?.({ done: chosen.length - rest.length, total: chosen.length });
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  failed.sort((one, other) => one.point - other.point);
  return { points: chosen.length, equal: chosen.length - failed.length, failed };
}

interface Undisturbed {
  /** Of all durable points, in order. */
  readonly names: readonly string[];
  readonly state: unknown;
}

class CrashCheck {
  readonly #scenario: CrashScenario;
  readonly #options: CrashOptions;
  #template: Promise<string> | undefined;

  constructor(scenario: CrashScenario, options: CrashOptions) {
    this.#scenario = scenario;
    this.#options = options;
  }

  async undisturbed(): Promise<Undisturbed> {
    const place = this.#placeAt('undisturbed');
    try {
      await this.#makeReady(place);
      const end = await this.#run(place, { DROVER_CRASH_TRACE: place.trace });
      if (end.end !== 'exit 0') throw crashProgramFailed({ what: `the undisturbed run of ${this.#scenario.name}:`, ...end });
      const names = textIn(readBytes(place.trace, { maxBytes: MOST_BYTES })).split('\n').filter((name) => name !== '');
      return { names, state: endStateOf(place) };
    } finally {
      await this.#clear(place);
    }
  }

  /** Says what differs in the end, or nothing. */
  async crashAt(point: number, expected: unknown): Promise<string | undefined> {
    const place = this.#placeAt(`point-${point}`);
    try {
      await this.#makeReady(place);
      const crashed = await this.#run(place, { DROVER_CRASH_AT: String(point) });
      if (crashed.end !== 'SIGKILL') return `the kill did not happen: ${textOf(crashed)}`;
      const again = this.#options.again?.(point);
      if (again !== undefined) {
        const crashedAgain = await this.#run(place, { DROVER_CRASH_AT: String(again) });
        if (!['SIGKILL', 'exit 0'].includes(crashedAgain.end)) return `the second run failed: ${textOf(crashedAgain)}`;
      }
      const resumed = await this.#run(place, {});
      if (resumed.end !== 'exit 0') return `the resumed run failed: ${textOf(resumed)}`;
      const { found } = await endLeftovers(place, { graceMs: 0 });
      if (found === 'running') return 'processes of these runs outlived the resumed run';
      return firstDifference(expected, endStateOf(place));
    } finally {
      await this.#clear(place);
    }
  }

  /** Whatever happened, nothing stays: neither what a killed run had started nor its files. */
  async #clear({ root, marker }: Place): Promise<void> {
    await endLeftovers({ marker }, { graceMs: 0 });
    rmSync(root, { recursive: true, force: true });
  }

  #run(place: Place, variables: Readonly<Record<string, string>>): Promise<ChildEnd> {
    return runChild({ argv: this.#scenario.run(place), cwd: place.root, log: place.log, variables }, this.#options);
  }

  async #makeReady(place: Place): Promise<void> {
    mkdirSync(place.work, { recursive: true });
    if (this.#scenario.prepared === 'each') await this.#prepare(place);
    else cpSync(await (this.#template ??= this.#makeTemplate()), place.work, { recursive: true });
  }

  #placeAt(name: string): Place {
    const root = join(this.#options.folder, name);
    const inside = (file: string): string => join(root, file);
    const marker = `${this.#options.marker}-${name}`;
    return { root, marker, work: inside('work'), log: inside('log'), trace: inside('trace'), endState: inside('end-state.json') };
  }

  async #makeTemplate(): Promise<string> {
    const place = this.#placeAt('template');
    mkdirSync(place.work, { recursive: true });
    await this.#prepare(place);
    return place.work;
  }

  async #prepare(place: Place): Promise<void> {
    const { prepare, prepared } = this.#scenario;
    const end = await runChild({ argv: prepare(place), cwd: place.root, log: place.log }, this.#options);
    if (end.end !== (prepared === 'each' ? 'SIGKILL' : 'exit 0')) throw crashProgramFailed({ what: `preparing ${this.#scenario.name}:`, ...end });
  }
}

interface Place extends CrashPlace {
  readonly root: string;
  readonly log: string;
  readonly trace: string;
}

/** A run that ends in good order without it differs in everything. */
function endStateOf({ endState }: Place): unknown {
  const bytes = readBytesIfPresent(endState, { maxBytes: MOST_BYTES });
  return bytes === undefined ? 'no end state' : JSON.parse(textIn(bytes));
}

function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

function textOf({ end, log }: ChildEnd): string {
  return log === '' ? end : `${end}: ${log}`;
}
