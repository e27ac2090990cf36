import { stateRule, type IsState } from '../../model/index.ts';
import { FileHashes, type RememberedHashes } from './file-hashes.ts';
import { FileFinder, type InputRequest } from './find-files.ts';
import { sha256, type Clock } from './content.ts';
import { awaited, done, Slice, type Work } from './slice.ts';
import { notSeen, passedOver, ProjectTree, type Tell, type TreeAnswers } from './tree.ts';

export interface InputPlace {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The state database, from the root. */
  readonly statePath: string;
  readonly clock: Clock & { mono(): number };
}

/** Of more, asking again takes about as long as working everything out. */
const MOST_ANSWERS = 60_000;
const NO_ANSWERS: TreeAnswers = { seen: [], listings: [], links: [] };

export interface InputFile {
  /** From the root. */
  readonly path: string;
  /** SHA-256 of its bytes, in hex; nothing while they are not known, and then nothing may rest on the set. */
  readonly hash: string | undefined;
  /** Its name is not UTF-8, and so nothing is known of its content. */
  readonly isUndecodable?: true;
}

/** What of the remembered hashes is to be written at the end of a run. */
export interface HashChanges {
  readonly put: RememberedHashes;
  /** Paths of files that are gone. */
  readonly drop: readonly string[];
}

/**
 * Reads the inputs of one run. What was looked at once is not looked at again, by whatever set, until `forget`.
 *
 * @example
 * const reader = new InputReader(place, remembered);
 * const [files] = await reader.read([{ patterns: ['src/**'], except: ['src/out'] }], signal);
 */
export class InputReader {
  readonly #place: InputPlace;
  readonly #isState: IsState;
  readonly #hashes: FileHashes;
  readonly #told = new Set<string>();
  #look: Look | undefined;

  constructor(place: InputPlace, remembered: RememberedHashes) {
    this.#place = place;
    this.#isState = stateRule(place.statePath);
    this.#hashes = new FileHashes({ clock: place.clock, remembered });
  }

  /** Sentences about what was passed over, such as a folder that nobody may read; each once. */
  get told(): readonly string[] {
    return [...this.#told];
  }

  /**
   * The files of each set, sorted by path. Sets of the same patterns from which nothing is left out get the same array.
   * Throws `input-outside-root`, `malformed-input-pattern`, what the system refuses, and the reason of the signal.
   */
  async read(requests: readonly InputRequest[], signal?: AbortSignal): Promise<readonly (readonly InputFile[])[]> {
    this.#look ??= this.#newLook();
    return done(readSets(this.#look, { requests, hashes: this.#hashes, slice: new Slice(this.#place.clock, signal), signal }));
  }

  /** Everything that was asked of the tree since the last `forget`, with its answers; nothing when it is too much to keep. */
  get answers(): TreeAnswers | undefined {
    if (this.#look === undefined) return NO_ANSWERS;
    const { tree } = this.#look;
    return tree.size > MOST_ANSWERS ? undefined : tree.answers;
  }

  /** To be called when something ran: any part of the tree may be another one now. */
  forget(): void {
    this.#look = undefined;
  }

  /** Call it before `forget`: only what was listed is known to be gone. */
  changes(): HashChanges {
    const tree = this.#look?.tree;
    const drop = tree === undefined ? [] : this.#hashes.unused.filter((path) => tree.isKnownGone(path));
    return { put: this.#hashes.fresh, drop };
  }

  #newLook(): Look {
    const { root } = this.#place;
    const tell: Tell = (sentence) => void this.#told.add(sentence);
    const tree = new ProjectTree({ root, isState: this.#isState, tell });
    return { tree, tell, finder: new FileFinder(root, tree), files: new Map(), sets: new Map() };
  }
}

/** What is known between two calls of `forget`; who began with one goes on with it. */
interface Look {
  readonly tree: ProjectTree;
  readonly finder: FileFinder;
  readonly tell: Tell;
  /** Without one for what is gone or may not be read. */
  readonly files: Map<string, InputFile | undefined>;
  readonly sets: Map<readonly string[], readonly InputFile[]>;
}

interface Reading {
  readonly hashes: FileHashes;
  readonly slice: Slice;
  readonly signal: AbortSignal | undefined;
}

function* readSets(look: Look, { requests, ...reading }: Reading & { readonly requests: readonly InputRequest[] }): Work<readonly (readonly InputFile[])[]> {
  const sets: (readonly InputFile[])[] = [];
  for (const request of requests) {
    const paths = yield* look.finder.files(request, reading.slice);
    sets.push(look.sets.get(paths) ?? (yield* readSet(look, paths, reading)));
  }
  return sets;
}

function* readSet(look: Look, paths: readonly string[], reading: Reading): Work<readonly InputFile[]> {
  const files: InputFile[] = [];
  for (const path of paths) {
    if (reading.slice.isOver()) yield reading.slice.rest();
    const file = look.files.has(path) ? look.files.get(path) : (readAtOnce(look, path, reading) ?? (yield* readSlowly(look, path, reading)));
    look.files.set(path, file);
    if (file !== undefined) files.push(file);
  }
  look.sets.set(paths, files);
  return files;
}

function readAtOnce({ tree }: Look, path: string, { hashes }: Reading): InputFile | undefined {
  const seen = tree.lookAt(path);
  if (seen?.kind !== 'file') return undefined;
  const hash = hashes.at(path, { absolute: tree.absolute(path), stamp: seen.stamp });
  return hash === undefined ? undefined : { path, hash };
}

function* readSlowly({ tree, tell }: Look, path: string, { hashes, signal }: Reading): Work<InputFile | undefined> {
  const seen = tree.lookAt(path);
  if (seen === undefined) return undefined;
  if (seen.kind === 'undecodable') return undecodable(path, tell);
  if (seen.kind !== 'file') return linkAsFile(tree, path);
  const file = { absolute: tree.absolute(path), stamp: seen.stamp };
  hashes.learnDisk(file);
  const hash = hashes.at(path, file);
  if (hash !== undefined) return { path, hash };
  const content = yield* awaited(hashes.read(path, file, signal));
  if (content.kind === 'hashed') return { path, hash: content.file.hash };
  if (content.kind === 'denied') tell(passedOver(path, 'it may not be read'));
  return content.kind === 'changing' ? { path, hash: undefined } : undefined;
}

function undecodable(path: string, tell: Tell): InputFile {
  tell(notSeen(path));
  return { path, hash: undefined, isUndecodable: true };
}

/** Where a link leads is all there is to it when it is not followed. */
function linkAsFile(tree: ProjectTree, path: string): InputFile | undefined {
  const text = tree.linkText(path);
  return text === undefined ? undefined : { path, hash: sha256(text) };
}
