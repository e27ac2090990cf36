import { resolve } from 'node:path';
import { artifactKind, type ArtifactRecord, type Target } from '../model/index.ts';
import { outputExists, type RunFolder } from '../store/index.ts';
import { expandRunDirectory } from './operation.ts';

export interface MadeByTarget {
  readonly artifacts: readonly ArtifactRecord[];
  /** Declared outputs that are not there, as declared. */
  readonly missing: readonly string[];
  /** The run directory holds more files than are recorded. */
  readonly truncated: boolean;
}

/** Looks for what a target made: its log, its run directory with every file in it, its declared outputs. */
export function artifactsOf(target: Target, root: string, folder: RunFolder): MadeByTarget {
  const { name } = target;
  const directory = folder.runDirectory(name);
  const { files, truncated } = folder.filesOf(name);
  const declared = target.outputs.map(({ path }) => ({ path, place: resolve(root, expandRunDirectory(path, directory)) }));
  const present = declared.filter(({ place }) => outputExists(place)).map(({ place }) => place);
  const made = [...new Set([...files, ...present])];
  const record = (kind: ArtifactRecord['kind'], path: string) => ({ target: name, kind, path: folder.stored(path) });
  return {
    artifacts: [
      record('log', folder.logPath(name)),
      record('run-directory', directory),
      ...made.map((path) => record(artifactKind(path), path)),
    ],
    missing: declared.filter(({ place }) => !present.includes(place)).map(({ path }) => path),
    truncated,
  };
}
