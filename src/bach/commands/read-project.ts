import { factKey, readBachfile, type Bachfile, type FactAnswer, type ReadImport } from '../model/index.ts';
import { readImport, type ProjectSource } from '../store/index.ts';
import type { AnswerFact } from './project-source.ts';

export interface ReadProject extends Bachfile {
  /** The bytes of what was imported, by canonical path. */
  readonly imported: ReadonlyMap<string, Uint8Array>;
}

/** How the files are read: `rootOf` makes a folder of `project.root` as written. */
export interface Reading {
  readonly answer: AnswerFact;
  rootOf(written: string | undefined): string;
  readonly salvages: boolean;
}

/** Reads the files again until everything that their expressions ask of the world is known. */
export async function readProject(source: ProjectSource, { answer, rootOf, salvages }: Reading): Promise<ReadProject> {
  const answers = new Map<string, FactAnswer>();
  for (;;) {
    const imported = new Map<string, Uint8Array>();
    const read = readBachfile(source.bytes, { ...source, answers, salvages, readImport: remembering(imported) });
    if (read.needs.length === 0) return { ...read, imported };
    const place = { root: rootOf(read.root), statePath: read.statePath };
    for (const request of read.needs) answers.set(factKey(request), await answer(request, place));
  }
}

/** Of a file that is imported twice only the first reading goes into the project. */
function remembering(imported: Map<string, Uint8Array>): ReadImport {
  return (importer, path) => {
    const read = readImport(importer, path);
    if (read.kind === 'file' && !imported.has(read.canonical)) imported.set(read.canonical, read.bytes);
    return read;
  };
}
