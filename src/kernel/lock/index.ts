export { holderNote, readHolderNote, type HolderNote } from './holder-note.ts';
export type { Beat } from './keeper-contract.ts';
export { fence, releaseLease, renewLease, takeLease } from './lease.ts';
export type { Lease, LeaseRequest, Machine, Taking } from './lease-contract.ts';
export { keepLease, type KeepOptions, type LeaseKeeper } from './lease-keeper.ts';
export { leaseMigration } from './lease-row.ts';
export { leasedStore, type LeasedStore } from './leased-store.ts';
export { isHeld, tryLock, type Lock } from './lock.ts';
export { takeLock, type TakeOptions } from './take-lock.ts';
