import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';

/** What stands in the file: who wrote it, his count, and a text that shows a cut. */
interface State {
  readonly writer: number;
  readonly count: number;
  readonly text: string;
}

export interface Replacing {
  /** A bundled `replace-state.ts`. */
  readonly program: string;
  readonly path: string;
  readonly writers: number;
  /** How often each writer replaces the file. */
  readonly times: number;
  /** About how many writers are killed meanwhile, at random. */
  readonly kills: number;
  /** Between 0 and 1. */
  readonly random: () => number;
}

export interface Replaced {
  readonly reads: number;
  readonly kills: number;
  /** Reads that gave no whole state. */
  readonly torn: readonly string[];
  /** Reads in which a writer's count was lower than one of his before. */
  readonly backwards: readonly string[];
  /** The last acknowledged count of each writer. */
  readonly acknowledged: ReadonlyMap<number, number>;
  readonly last: State;
}

/**
 * Lets processes replace one file at the same time, each with its own count, kills some at random moments and starts
 * them again where they were, and reads all the while.
 */
export async function replaceFromMany({ program, path, writers, times, kills, random }: Replacing): Promise<Replaced> {
  const acknowledged = new Map<number, number>();
  const reader = new Reader(path);
  const lives = Array.from({ length: writers }, () => livesOf({ times, meanLife: (times * writers) / kills, random }));
  let killed = 0;
  let running = writers;
  const run = async (lasts: readonly number[], writer: number): Promise<void> => {
    for (const last of lasts) {
      const from = (acknowledged.get(writer) ?? 0) + 1;
      const child = spawn(process.execPath, [program, path, `${writer}`, `${from}`, `${times}`, `${last}`], { stdio: ['ignore', 'pipe', 'inherit'] });
      for await (const line of createInterface(child.stdout)) {
        if (line !== '') acknowledged.set(writer, Number(line));
        // It replaces on until it is hit.
        if (line === `${last}` && last < times && child.kill('SIGKILL')) killed += 1;
      }
    }
    running -= 1;
  };
  const all = Promise.all(lives.map(run));
  while (running > 0) {
    reader.read();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await all;
  const last = reader.read();
  return { ...reader.found, kills: killed, acknowledged, last };
}

/** At which counts a writer is killed, and in the end the last one. Drawn before all, so that no order of theirs decides. */
function livesOf({ times, meanLife, random }: { readonly times: number; readonly meanLife: number; readonly random: () => number }): readonly number[] {
  const lasts: number[] = [];
  for (let last = 0; last < times; ) {
    last = Math.min(times, last + 1 + Math.floor(random() * 2 * meanLife));
    lasts.push(last);
  }
  return lasts;
}

class Reader {
  readonly found = { reads: 0, torn: [] as string[], backwards: [] as string[] };
  readonly #seen = new Map<number, number>();
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): State {
    const text = readFileSync(this.#path, 'utf8');
    this.found.reads += 1;
    const state = parse(text);
    if (state === undefined) {
      this.found.torn.push(text.slice(0, 200));
      return { writer: -1, count: -1, text };
    }
    const before = this.#seen.get(state.writer) ?? 0;
    if (state.count < before) this.found.backwards.push(`${state.writer}: ${before}, then ${state.count}`);
    this.#seen.set(state.writer, Math.max(before, state.count));
    return state;
  }
}

function parse(text: string): State | undefined {
  try {
    const state = JSON.parse(text) as State;
    return state.text.length === 3000 + state.count ? state : undefined;
  } catch {
    // Cut: that is what is looked for.
    return undefined;
  }
}
