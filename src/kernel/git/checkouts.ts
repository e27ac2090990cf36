export { recordCommit, type RecordOutcome, type RecordRequest } from './checkouts/record-commit.ts';
export { repositoryLock, tryRepositoryLock, type RepositoryLockKind } from './checkouts/repository-lock.ts';
export { cloneShared, type CloneRequest } from './checkouts/shared-clone.ts';
export { readStatus, type FileChange, type StatusEntry } from './checkouts/status.ts';
export { takeCommits } from './checkouts/take-commits.ts';
export { snapshotFiles, type FileSnapshot } from './checkouts/working-tree.ts';
export {
  addWorktree,
  keepFiles,
  removeWorktree,
  type KeptFiles,
  type RemovalOutcome,
  type WorktreeOutcome,
  type WorktreeRequest,
} from './checkouts/worktree.ts';
export { listWorktrees, type Worktree } from './checkouts/worktree-list.ts';
