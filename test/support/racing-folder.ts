import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { isDroverError } from '../../src/kernel/errors/index.ts';
import { hashTree, openFolder, type SafeFolder } from '../../src/kernel/files/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';

export interface Race {
  /** A bundled `swap-links.ts`. */
  readonly program: string;
  /** At least; it goes on until there was each of `endings`. */
  readonly swaps: number;
  readonly endings: readonly string[];
  readonly random: () => number;
}

export interface Raced {
  readonly swaps: number;
  /** How often an operation ended so: `done`, or an error's code. */
  readonly endings: Readonly<Record<string, number>>;
  /** Anything read from outside, or changed there. */
  readonly leaks: readonly string[];
}

const SECRET = 'the secret outside';

/** What losing the race may say; everything else is a fault. */
const EXPECTED = new Set(['symlink-refused', 'not-found', 'not-a-directory', 'already-exists', 'not-a-file', 'folder-closed']);

/**
 * Works in a folder `root/a/b` from four loops at once while another process swaps `a`, `b` and a file in it for links
 * that lead out, and tells what came of it.
 */
export async function raceWithSwaps({ program, swaps, endings, random }: Race): Promise<Raced> {
  const folder = quickFolder();
  const root = join(folder, 'root');
  const outside = join(folder, 'outside');
  for (const place of [join(root, 'a', 'b'), join(outside, 'b')]) mkdirSync(place, { recursive: true });
  for (const place of ['f', 'b/f', 'b/secret', 'secret']) writeFileSync(join(outside, place), SECRET);
  writeFileSync(join(root, 'a', 'b', 'f'), 'inside');
  const before = snapshot(outside);
  const enough = join(folder, 'enough');
  const race = new Racers(await openFolder(root), { random, wanted: endings, onEnough: () => writeFileSync(enough, '') });
  const pairs = [join(root, 'a'), outside, join(root, 'a', 'b'), join(outside, 'b'), join(root, 'a', 'b', 'f'), join(outside, 'f')];
  const swapping = promisify(execFile)(process.execPath, [program, `${swaps}`, enough, `${Math.floor(random() * 2 ** 31)}`, ...pairs]);
  const { stdout } = await race.during(swapping);
  return { swaps: Number(stdout), endings: race.endings, leaks: [...race.leaks, ...changes(before, snapshot(outside))] };
}

/** In memory where there is such a place: a disk that syncs slowly would let most swaps meet nothing. */
function quickFolder(): string {
  const folder = mkdtempSync(join(isWritable('/dev/shm') ? '/dev/shm' : tmpdir(), 'drover-race-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // Not there, or not ours: the usual place will do.
    return false;
  }
}

class Racers {
  readonly endings: Record<string, number> = {};
  readonly leaks: string[] = [];
  readonly #safe: SafeFolder;
  readonly #random: () => number;
  readonly #wanted: Set<string>;
  readonly #onEnough: () => void;
  readonly #uses: readonly (() => Promise<unknown>)[];

  constructor(safe: SafeFolder, { random, wanted, onEnough }: { readonly random: () => number; readonly wanted: readonly string[]; readonly onEnough: () => void }) {
    this.#safe = safe;
    this.#random = random;
    this.#wanted = new Set(wanted);
    this.#onEnough = onEnough;
    this.#uses = [
      async () => this.#expectInside(await safe.read('a/b/f')),
      async () => this.#expectInside(await safe.read('a/b/secret')),
      () => safe.replace('a/b/f', 'inside'),
      () => safe.replace('a/g', 'inside'),
      () => safe.writeNew(`a/b/n${this.#pick(6)}`, 'inside'),
      () => safe.rename(`a/b/n${this.#pick(6)}`, `a/b/m${this.#pick(6)}`),
      () => safe.rename('a/g', 'a/b/g'),
      () => safe.ensureFolder(`a/b/d${this.#pick(6)}`),
      () => safe.remove(`a/b/d${this.#pick(6)}`),
      () => safe.remove('a/b/secret'),
      () => this.#write('append'),
      () => this.#write('update'),
      async () => this.#expectNoSecret(await safe.list('a/b')),
      () => this.#hash(),
    ];
  }

  async during<Result>(swapping: Promise<Result>): Promise<Result> {
    let isOver = false;
    const ended = swapping.finally(() => (isOver = true));
    const loop = async (): Promise<void> => {
      while (!isOver) await this.#use();
    };
    await Promise.all([loop(), loop(), loop(), loop()]);
    await this.#safe.close();
    return ended;
  }

  async #use(): Promise<void> {
    const ending = (await this.#uses[this.#pick(this.#uses.length)]?.().then(() => 'done', codeOf)) ?? '';
    this.endings[ending] = (this.endings[ending] ?? 0) + 1;
    if (this.#wanted.delete(ending) && this.#wanted.size === 0) this.#onEnough();
  }

  async #write(use: 'append' | 'update'): Promise<void> {
    const file = await this.#safe.open('a/b/f', use);
    await file.write('inside', use === 'update' ? { offset: 0 } : {});
    file.close();
  }

  async #hash(): Promise<void> {
    for await (const entry of hashTree(join(this.#safe.path), { clock: systemClock() })) {
      if (entry.path.endsWith('secret')) this.leaks.push(`hashed ${entry.path}`);
    }
  }

  #expectInside(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString();
    if (text.includes(SECRET)) this.leaks.push(`read ${text}`);
  }

  #expectNoSecret(entries: readonly { readonly name: string | undefined }[]): void {
    if (entries.some(({ name }) => name === 'secret')) this.leaks.push('listed outside');
  }

  #pick(count: number): number {
    return Math.floor(this.#random() * count);
  }
}

function codeOf(error: unknown): string {
  if (isDroverError(error) && EXPECTED.has(error.code)) return error.code;
  // The folder that a temporary file was moved from was swapped with another folder, which is not empty.
  if (isDroverError(error) && /ENOTEMPTY|EEXIST/.test(error.message)) return 'in-the-way';
  throw error;
}

function snapshot(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(paths.map((path) => [path, describe(join(folder, path))]));
}

function describe(path: string): string {
  const stats = statSync(path, { bigint: true });
  return `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.isFile() ? readFileSync(path, 'utf8') : ''}`;
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).map((path) => `changed outside: ${path}`);
}
