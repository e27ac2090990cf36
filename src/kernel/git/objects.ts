export { readBlob, writeBlob } from './objects/blob.ts';
export { commitTree, readCommit, type Commit } from './objects/commit.ts';
export { changedPaths, emptyTree, patchBetween, type PathChange, type PathSide, type TreePair } from './objects/difference.ts';
export { commitsBetween, isAncestor, mergeBases, type HistoryCommit } from './objects/history.ts';
export { mergeTrees, type MergeOutcome, type MergeRequest } from './objects/merge.ts';
export { findInTree, listTree, writeTree, type EntryKind, type TreeEdit, type TreeEntry } from './objects/tree.ts';
