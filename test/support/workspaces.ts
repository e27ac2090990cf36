import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listRefs, type ObjectId, type Repository } from '../../src/kernel/git/index.ts';
import type { BackendSetting } from '../../src/workspace/backends/backend-setting.ts';
import type { Backend, Workspace, WorkspaceRequest } from '../../src/workspace/contract.ts';
import { copyingSeeder } from './copying-seeder.ts';
import { commitInCheckout, runGit, stageWith, WHO, type Stage } from './git-repository.ts';

export type MakeBackend = (setting: BackendSetting) => Backend | Promise<Backend>;

export const OWNER = { system: 'bach', run: 'r1', unit: 'build' };

/** What a person had before there were workspaces. */
export const FILES = { '.gitignore': 'ignored/\n*.local\n', 'a.txt': 'a', 'dir/b.txt': 'b' };

export interface WorkspaceStage extends Stage {
  readonly tip: ObjectId;
  readonly backend: Backend;
  requestFor(id: string, changes?: Partial<WorkspaceRequest>): WorkspaceRequest;
  /** The same repository, seen by a process that comes later. */
  again(): Promise<Backend>;
}

/** A repository of a person, with a backend over it. */
export async function workspaceStage(make: MakeBackend, files: Readonly<Record<string, string>> = FILES): Promise<WorkspaceStage> {
  return stageOver(await stageWith(files), make);
}

export async function stageOver(stage: Stage & { readonly tip: ObjectId }, make: MakeBackend): Promise<WorkspaceStage> {
  const setting = { source: stage.repository, seeder: copyingSeeder };
  return { ...stage, backend: await make(setting), requestFor: requestsOf(stage), again: async () => make(setting) };
}

function requestsOf({ home, tip }: Stage & { readonly tip: ObjectId }): WorkspaceStage['requestFor'] {
  return (id, changes = {}) => ({
    id,
    path: join(home, 'trees', id),
    base: tip,
    branch: `refs/heads/drover/${id}`,
    owner: OWNER,
    seeds: [],
    who: WHO,
    ...changes,
  });
}

/** Makes one, which must succeed. */
export async function madeBy(backend: Backend, request: WorkspaceRequest): Promise<Workspace> {
  const outcome = await backend.create(request);
  if (outcome.kind !== 'created') throw new TypeError(`not created: ${outcome.reason}: ${outcome.said}`);
  return outcome.workspace;
}

/** What a person sees of their repository: branches, tags, worktrees, HEAD, status, and the files beside it. */
export async function personView({ home, repository, folder }: Stage): Promise<unknown> {
  const refs = (await listRefs(repository)).filter(({ name }) => !name.startsWith('refs/drover/'));
  return {
    refs,
    worktrees: runGit(folder, ['worktree', 'list', '--porcelain']),
    status: repository.bare ? '' : runGit(folder, ['status', '--porcelain=v2', '--branch', '--ignored']),
    beside: namesIn(home),
    trees: namesIn(join(home, 'trees')),
  };
}

function namesIn(folder: string): readonly string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder).sort() : ['(not there)'];
}

/** Whether a file of this text can be reached from what drover keeps, once all that nothing refers to is gone. */
export function isKept({ commonDir }: Repository, text: string): boolean {
  runGit(commonDir, ['reflog', 'expire', '--expire=now', '--all']);
  runGit(commonDir, ['gc', '-q', '--prune=now']);
  const id = runGit(commonDir, ['hash-object', '--stdin'], { input: text });
  return runGit(commonDir, ['rev-list', '--objects', '--glob=refs/drover/keep']).includes(id);
}

export interface WorkspaceTools {
  /** Commits files in a workspace, as its agent would. */
  readonly commit: (path: string, files: Readonly<Record<string, string>>) => ObjectId | Promise<ObjectId>;
}

export const GIT_TOOLS: WorkspaceTools = { commit: (path, files) => commitInCheckout(path, files) };
