import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  addWorktree,
  commitTree,
  findGit,
  gitPath,
  openRepository,
  writeBlob,
  writeTree,
  type Git,
  type GitHost,
  type ObjectId,
  type Repository,
  type TreeEdit,
} from '../../src/kernel/git/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { temporaryFolder } from './temp.ts';

export const WHO = { name: 'Drover Test', email: 'test@drover.test' };
export const SIGNATURE = { ...WHO, date: { seconds: 1_700_000_000, offsetMinutes: 60 } };

/** A person's environment without a configuration of their own. */
export function personEnvironment(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
}

/** With a folder of the person's own for receipts, where no agent gets. */
export function gitHost(home: string, changes: Partial<GitHost> = {}): GitHost {
  const receiptsFolder = join(home, 'receipts');
  mkdirSync(receiptsFolder, { recursive: true });
  return { receiptsFolder, clock: systemClock(), env: personEnvironment(home), marker: 'git-test', ...changes };
}

/** Runs git as a person would, to set a stage or to look at a result. */
export function runGit(folder: string, args: readonly string[], { input = '' }: { readonly input?: string | Buffer } = {}): string {
  const identity = {
    GIT_AUTHOR_NAME: 'Person',
    GIT_AUTHOR_EMAIL: 'person@drover.test',
    GIT_COMMITTER_NAME: 'Person',
    GIT_COMMITTER_EMAIL: 'person@drover.test',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const options = ['-c', 'core.fsync=none', '-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always'];
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...identity };
  return execFileSync('git', [...options, ...args], { cwd: folder, env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }).trim();
}

export interface Stage {
  /** Outside of the repository: the person's home, and where worktrees and clones may be put. */
  readonly home: string;
  readonly folder: string;
  readonly repository: Repository;
}

interface Shape {
  readonly format?: 'sha1' | 'sha256';
  readonly bare?: boolean;
}

const made = new Map<string, string>();
let found: Git | undefined;

/** Made once by git for each shape, and copied from there: many tests begin with one. */
function template({ format = 'sha1', bare = false }: Shape): string {
  const name = `${format} ${bare}`;
  const folder = made.get(name) ?? join(mkdtempSync(join(tmpdir(), 'drover-template-')), 'project');
  if (made.has(name)) return folder;
  runGit(dirname(folder), ['init', '-q', `--object-format=${format}`, ...(bare ? ['--bare'] : []), folder]);
  made.set(name, folder);
  process.once('exit', () => rmSync(dirname(folder), { recursive: true, force: true }));
  return folder;
}

/** A new repository on the branch main, without a commit. */
export async function emptyStage(shape: Shape = {}): Promise<Stage> {
  const home = temporaryFolder();
  const folder = join(home, 'project');
  cpSync(template(shape), folder, { recursive: true });
  found ??= await findGit(gitHost(home));
  return { home, folder, repository: await openRepository({ ...gitHost(home), version: found.version }, folder) };
}

/** As `emptyStage`, with one commit of these files, checked out. */
export async function stageWith(files: Readonly<Record<string, string>>): Promise<Stage & { readonly tip: ObjectId }> {
  const stage = await emptyStage();
  return { ...stage, tip: commitInCheckout(stage.folder, files) };
}

/** A repository with two files and a worktree of it, on the branch where one is named. */
export async function stageWithWorktree(branch?: string) {
  const stage = await stageWith({ a: '1', 'dir/b': '1' });
  const path = join(stage.home, 'tree');
  const outcome = await addWorktree(stage.repository, { path, commit: stage.tip, who: WHO, ...(branch === undefined ? {} : { branch }) });
  if (outcome.kind !== 'added') throw new TypeError('not added');
  return { ...stage, path, worktree: outcome.worktree };
}

/** What a person does: edit, add, commit. */
export function commitInCheckout(folder: string, files: Readonly<Record<string, string>>, message = 'work'): ObjectId {
  for (const [path, text] of Object.entries(files)) put(join(folder, path), text);
  runGit(folder, ['add', '-A']);
  runGit(folder, ['commit', '-q', '--allow-empty', '-m', message]);
  return runGit(folder, ['rev-parse', 'HEAD']);
}

/** A commit in the object store alone. */
export async function commitOf(
  repository: Repository,
  files: Readonly<Record<string, string>>,
  parents: readonly ObjectId[] = [],
): Promise<ObjectId> {
  const edits: TreeEdit[] = [];
  for (const [path, text] of Object.entries(files)) {
    edits.push({ path: gitPath(path), kind: 'file', id: await writeBlob(repository, text) });
  }
  const tree = await writeTree(repository, edits);
  return commitTree(repository, { tree, parents, author: SIGNATURE, committer: SIGNATURE, message: 'work\n' });
}

export function put(path: string, text: string | Buffer, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (mode !== undefined) chmodSync(path, mode);
}

/** A program that leaves a file when anybody starts it. */
export interface Canary {
  readonly program: string;
  sang(): boolean;
}

export function canaryIn(folder: string): Canary {
  const song = join(folder, 'canary-sang');
  const program = join(folder, 'canary');
  put(program, `#!/bin/sh\necho "$0 $*" >> '${song}'\ncat\nexit 0\n`, 0o755);
  return { program, sang: () => existsSync(song) };
}
