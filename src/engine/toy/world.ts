import { join } from 'node:path';
import { ensureFolder, readBytes, readBytesIfPresent, replaceFile, spaceShortage } from '../../kernel/files/index.ts';
import { findGit, openRepository, readCommit, readRef, type Commit, type GitHost, type Repository } from '../../kernel/git/index.ts';
import { createRedaction, secretsFrom, type Redaction } from '../../kernel/redact/index.ts';
import type { Standing } from '../contract.ts';
import { toyFileBroken } from './errors.ts';
import type { ToyFacts, ToyState, Unit } from './model.ts';
import type { ToySessions } from './sessions.ts';

/** Of a file of the toy: what a program printed is cut far below it. */
const MOST_BYTES = 16 * 2 ** 20;

/** The branch that the toy moves. */
export const BRANCH = 'refs/heads/main';

/** Where the toy works: a folder with the work file, the results, the run, and a repository. */
export interface ToyWorld {
  readonly folder: string;
  readonly repository: Repository;
  readonly host: GitHost;
  /** Of the environment's secrets: for the step log, and for what programs print. */
  readonly redaction: Redaction;
  readonly sessions?: ToySessions;
  /** Bytes of the disk that are kept for units that were begun. */
  readonly reserveBytes?: number;
  /** Moves the branch between a commit and its move, as a person may. */
  readonly person?: () => Promise<void>;
}

export async function openToyWorld(folder: string, host: GitHost): Promise<ToyWorld> {
  for (const name of ['claims', 'results', 'marks', 'run/logs', 'run/sessions']) ensureFolder(join(folder, name), { root: folder });
  const redaction = createRedaction(secretsFrom({ env: host.env }));
  return { folder, host, redaction, repository: await openRepository(await findGit(host), join(folder, 'repository.git')) };
}

export function pathsOf(folder: string) {
  const inside = (...names: readonly string[]): string => join(folder, ...names);
  return {
    work: inside('work.json'),
    status: inside('status.json'),
    run: inside('run'),
    sessions: inside('run/sessions'),
    claim: (unit: string) => inside('claims', unit),
    mark: (unit: string) => inside('marks', unit),
    result: (unit: string) => inside('results', unit),
    log: (sequence: number) => inside('run/logs', `${sequence}.log`),
    session: (unit: string) => inside('run/sessions', `${unit}.json`),
  };
}

export async function gatherToy(_state: ToyState, { folder, repository, reserveBytes }: ToyWorld): Promise<ToyFacts> {
  const paths = pathsOf(folder);
  const units = readJson(paths.work) as readonly Unit[];
  const marked = units.map(({ name }) => name).filter((name) => exists(paths.mark(name)));
  const shortage = await spaceShortage(folder, reserveBytes === undefined ? {} : { reserveBytes });
  return { units, marked, tip: (await tipOf(repository)) ?? '', ...(shortage === undefined ? {} : { shortage }) };
}

/** The commit that the branch holds, or nothing when it is gone. */
export async function tipOf(repository: Repository): Promise<string | undefined> {
  return (await readRef(repository, BRANCH))?.id;
}

/** What the branch holds, the newest first, along first parents. */
export async function historyOf(repository: Repository): Promise<readonly Commit[]> {
  const commits: Commit[] = [];
  let id = await tipOf(repository);
  while (id !== undefined) {
    const commit: Commit = await readCommit(repository, id);
    commits.push(commit);
    [id] = commit.parents;
  }
  return commits;
}

/** Throws `toy-file-broken`. */
export function readJson(path: string): unknown {
  const text = Buffer.from(readBytes(path, { maxBytes: MOST_BYTES })).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw toyFileBroken({ path }, error);
  }
}

/** The documented file: where the run and each unit stand. */
export async function publishToy({ units }: ToyState, standing: Standing, { folder }: ToyWorld): Promise<void> {
  const stages = Object.entries(units).map(([unit, { stage }]) => [unit, stage.at] as const);
  await replaceFile(pathsOf(folder).status, textOf({ run: standing, units: Object.fromEntries(stages.sort()) }));
}

export function exists(path: string): boolean {
  return readBytesIfPresent(path) !== undefined;
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
