export { deleteRef, keepRef, type Keep } from './refs/keep-ref.ts';
export { moveRef, type RefMove, type RefMoveOutcome } from './refs/move-ref.ts';
export { listRefs, readHead, readRef, resolveCommit, type Head, type Ref } from './refs/read-refs.ts';
export { readReceipts, type Change, type Receipt, type Receipts, type ReceiptsMark } from './refs/receipts.ts';
export {
  recordRefs,
  suspectChanges,
  unexplainedChanges,
  type ExplainedMove,
  type RefRecord,
  type Suspicions,
  type UnexplainedChange,
} from './refs/ref-changes.ts';
export { isRefName } from './refs/ref-name.ts';
