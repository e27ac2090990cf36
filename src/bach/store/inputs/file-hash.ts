import { createHash, type Hash } from 'node:crypto';
import { fstatSync, openSync, readSync, statSync } from 'node:fs';
import { describeSystemError, isDroverError } from '../../../kernel/errors/index.ts';
import { closeDescriptor, refuseHeld } from '../../../kernel/files/index.ts';
import { cleanPath } from '../../../kernel/paths/index.ts';
import { systemClock } from '../../../kernel/time/index.ts';
import { stateRule, type FactAnswer, type IsState } from '../../model/index.ts';
import { isSame, READ_BUFFER, READING } from './content.ts';
import { inputChanging, inputDenied, inputIsState } from './errors.ts';
import { FileFinder } from './find-files.ts';
import { done, Slice } from './slice.ts';
import { notSeen, ProjectTree } from './tree.ts';

/** As many hexadecimal digits as the function of the language gives. */
const SHOWN = 12;
/** As in `kernel/files`. */
const MOST_READINGS = 4;
const DEFAULT_STATE = '.bach/state.db';

/**
 * The value of `file_hash(paths...)`: files, folders and patterns are resolved as for inputs, and of each file its path
 * from the root and its bytes count. What is missing adds nothing; what nobody may read is a failure, since the value
 * would depend on who asks.
 */
export async function fileHash(paths: readonly string[], { root, statePath = DEFAULT_STATE, stop }: HashPlace): Promise<FactAnswer> {
  try {
    const tree = { root, isState: stateRule(statePath) };
    return { value: (await digestOf(paths, tree, new Slice(systemClock(), stop))).slice(0, SHOWN) };
  } catch (error) {
    if (isDroverError(error)) return { failure: error.message };
    throw error;
  }
}

export interface HashPlace {
  readonly root: string;
  /** The state database from the root. */
  readonly statePath?: string;
  /** Files may be large: rejects with its reason. */
  readonly stop?: AbortSignal;
}

interface HashTree {
  readonly root: string;
  readonly isState: IsState;
}

async function digestOf(patterns: readonly string[], { root, isState }: HashTree, slice: Slice): Promise<string> {
  const state = patterns.find((pattern) => isState(cleanPath(pattern)));
  if (state !== undefined) throw inputIsState({ path: state });
  const tree = new ProjectTree({ root, isState, tell: refuse });
  const files = await done(new FileFinder(root, tree).files({ patterns, except: [] }, slice));
  let digest = createHash('sha256');
  for (const path of files) digest = await addFile(digest, { tree, path, slice });
  return digest.digest('hex');
}

/** The value would not change with what is in there. */
function refuse(sentence: string): never {
  throw inputDenied({ sentence });
}

interface Added {
  readonly tree: ProjectTree;
  readonly path: string;
  readonly slice: Slice;
}

async function addFile(digest: Hash, { tree, path, slice }: Added): Promise<Hash> {
  const seen = tree.lookAt(path);
  if (seen?.kind === 'undecodable') return refuse(notSeen(path));
  if (seen?.kind !== 'file') return seen === undefined ? digest : digest.update(`${path}\0${tree.linkText(path) ?? ''}\0`);
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    const trial = digest.copy().update(`${path}\0`);
    if (await addContent(trial, tree.absolute(path), slice)) return trial.update('\0');
  }
  throw inputChanging({ path });
}

/** False when the file moved meanwhile. */
async function addContent(digest: Hash, path: string, slice: Slice): Promise<boolean> {
  try {
    refuseHeld(path, statSync(path, { bigint: true }));
    const descriptor = openSync(path, READING);
    const before = fstatSync(descriptor, { bigint: true });
    try {
      await addBytes(digest, descriptor, slice);
      return isSame(before, fstatSync(descriptor, { bigint: true }));
    } finally {
      closeDescriptor(descriptor, before);
    }
  } catch (error) {
    if (slice.isStop(error)) throw error;
    throw describeSystemError(error, { action: 'read', path });
  }
}

async function addBytes(digest: Hash, descriptor: number, slice: Slice): Promise<void> {
  for (let read = -1; read !== 0; digest.update(READ_BUFFER.subarray(0, read))) {
    if (slice.isOver()) await slice.rest();
    read = readSync(descriptor, READ_BUFFER, 0, READ_BUFFER.length, null);
  }
}
