import { findGit, openRepository } from '../../../../src/kernel/git/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';
import {
  cloneBackend,
  inPlaceBackend,
  worktreeBackend,
  type Backend,
  type Snapshot,
  type WorkspaceRecord,
  type WorkspaceRequest,
} from '../../../../src/workspace/index.ts';
import { copyingSeeder } from '../../../support/copying-seeder.ts';

const WHO = { name: 'Drover Test', email: 'test@drover.test' };

export const MAKERS = { worktree: worktreeBackend, clone: cloneBackend, 'in-place': inPlaceBackend };

/** One thing that a process does with workspaces, to be killed while it does; its outcome is printed. */
export type WorkOrder = { readonly backend: keyof typeof MAKERS } & (
  | { readonly what: 'create'; readonly request: WorkspaceRequest }
  | { readonly what: 'remove'; readonly record: WorkspaceRecord }
  | { readonly what: 'restore'; readonly record: WorkspaceRecord; readonly snapshot: Snapshot }
);

async function make(backend: Backend, order: WorkOrder): Promise<unknown> {
  if (order.what === 'create') {
    const outcome = await backend.create(order.request);
    return outcome.kind === 'created' ? { kind: 'created', record: outcome.workspace.record } : outcome;
  }
  if (order.what === 'remove') return backend.remove({ record: order.record }, WHO);
  return backend.restore(await backend.open(order.record), order.snapshot, WHO);
}

const [folder, receiptsFolder = '', text] = process.argv.slice(2);
if (folder !== undefined && text !== undefined) {
  const git = await findGit({ clock: systemClock(), env: process.env, marker: 'workspace-test', receiptsFolder });
  const order = JSON.parse(text) as WorkOrder;
  const backend = MAKERS[order.backend]({ source: await openRepository(git, folder), seeder: copyingSeeder });
  process.stdout.write(JSON.stringify(await make(backend, order)));
}
