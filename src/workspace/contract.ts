import type { GitPath, Identity, ObjectId, Obstruction, Repository } from '../kernel/git/index.ts';

/** How a workspace is set apart from the person's own checkout; `in-place` is that checkout itself. */
export type BackendName = 'in-place' | 'worktree' | 'clone' | 'jj';

/** Whose work it is. Each system maps its own words to these. */
export interface Owner {
  /** `bach`, `loop`, `batch`, `swarm`. */
  readonly system: string;
  readonly run: string;
  /** The target, plan, story, change or task. */
  readonly unit: string;
}

/** What is written down of a workspace, in its marker and in the ledger: enough to find it again, and to tell it is ours. */
export interface WorkspaceRecord {
  /** Fit for a file name and for a part of a ref; no two of one repository are the same. */
  readonly id: string;
  readonly backend: BackendName;
  /** Absolute and real: the root of its files. */
  readonly path: string;
  /** Where the repository is that it was cut from: its common git folder. */
  readonly repository: string;
  /** The commit it was cut at. */
  readonly base: ObjectId;
  /** In full; made for it. `undefined` where its HEAD is detached, or it is the person's own checkout. */
  readonly branch: string | undefined;
  readonly owner: Owner;
  /** Since 1970. */
  readonly createdMs: number;
}

/** A workspace that is there. */
export interface Workspace {
  readonly record: WorkspaceRecord;
  /** The repository it was cut from. */
  readonly source: Repository;
  /** Its own checkout, pinned when it was made or found; `undefined` for jj, whose files git does not know. */
  readonly checkout: Repository | undefined;
}

/** A file of the person's checkout that a workspace gets beside what its commit has. */
export interface Seed {
  /** Relative to the root of the checkout, as declared: a path, or a pattern of Go's glob. */
  readonly pattern: string;
  /** A missing required one refuses the workspace; a missing wanted one is told. */
  readonly need: 'required' | 'wanted';
}

export interface WorkspaceRequest {
  readonly id: string;
  /** Absolute; nothing may be there yet, folders above it are made. Of no meaning in place. */
  readonly path: string;
  /** In place: where HEAD of the checkout stands. */
  readonly base: ObjectId;
  /** In full; must not exist yet. Without it HEAD is detached. Of no meaning in place. */
  readonly branch?: string;
  readonly owner: Owner;
  readonly seeds: readonly Seed[];
  readonly who: Identity;
}

/** Why nothing was made; nothing was changed then, and no branch and no folder was left. `said` names the path or value. */
export interface WorkspaceRefusal {
  readonly kind: 'refused';
  readonly reason: 'branch-exists' | 'place-taken' | 'id-taken' | 'seed-missing' | 'repository-unfit' | 'busy';
  readonly said: string;
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly workspace: Workspace; readonly seeded: SeedReport }
  | WorkspaceRefusal;

export interface SeedReport {
  readonly copied: readonly string[];
  /** There already: as a rule because the commit has them. */
  readonly present: readonly string[];
  /** Wanted ones that match nothing, or lead outside of the checkout. */
  readonly dropped: readonly string[];
}

/** What a workspace held at a moment. Its objects are in the source, kept under `ref` until it is let go. */
export interface Snapshot {
  /** All files as they were, on top of `head`; `head` itself where nothing differs from it. */
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  /** The last commit made in the workspace; `base` where HEAD stands on a branch without one. */
  readonly head: ObjectId;
  /** What HEAD was on, in full; `undefined` where it was detached. */
  readonly branch: string | undefined;
  /** Commits of `head` that `base` does not have. */
  readonly commits: number;
  readonly ref: string;
  /** Files that could not be taken in: names that git refuses, repositories inside. */
  readonly missed: readonly GitPath[];
}

export type RestoreOutcome =
  /** `kept` is what was there before, and can be restored in turn. */
  | { readonly kind: 'restored'; readonly kept: Snapshot }
  /** Files and HEAD are as they were. `paths` are in the way, as far as paths are the reason. */
  | { readonly kind: 'refused'; readonly reason: string; readonly paths: readonly GitPath[] };

export type WorkspaceRemoval =
  /** `kept` names the ref of what was in it. */
  | { readonly kind: 'removed'; readonly kept: string | undefined }
  /** Something in it could not be kept, or it does not carry our marker. It stands as it was. */
  | { readonly kind: 'refused'; readonly reason: string; readonly paths: readonly GitPath[] };

/** One way of setting workspaces apart; all of them pass one contract suite. */
export interface Backend {
  readonly name: BackendName;
  /** Whole, seeded and marked, or nothing at all. */
  readonly create: (request: WorkspaceRequest) => Promise<CreateOutcome>;
  /** Those of this repository that carry our marker, also when the files of one are gone. */
  readonly list: () => Promise<readonly WorkspaceRecord[]>;
  /** Throws `workspace-missing`, `workspace-not-ours`. */
  readonly open: (record: WorkspaceRecord) => Promise<Workspace>;
  readonly snapshot: (workspace: Workspace, who: Identity) => Promise<Snapshot>;
  /** Puts files and HEAD back as they were at the snapshot; what is there now is kept before. */
  readonly restore: (workspace: Workspace, snapshot: Snapshot, who: Identity) => Promise<RestoreOutcome>;
  /**
   * Only what carries our marker, and only with all it held kept under a ref. In place nothing goes but the marker.
   * A record is enough: the files may be gone.
   */
  readonly remove: (workspace: Pick<Workspace, 'record'>, who: Identity) => Promise<WorkspaceRemoval>;
}

/** What must pass before a change lands, or before work counts as done. */
export interface Check {
  readonly name: string;
  /** Looks at the files below `place`, which are those of `tree`. What it throws is a defect of ours, never a verdict. */
  readonly run: (place: CheckPlace, signal: AbortSignal) => Promise<Verdict>;
}

export interface CheckPlace {
  /** Absolute: the root of the files. */
  readonly path: string;
  readonly tree: ObjectId;
}

/** What a check found. */
export interface Verdict {
  readonly check: string;
  readonly outcome: 'passed' | 'failed' | 'environment';
  /** One line for a person; for `environment` what is wrong with the machine rather than with the work. */
  readonly summary: string;
  /** The end of what it printed, bounded and redacted; empty where it passed. */
  readonly detail: string;
  /** The whole of what it printed. */
  readonly log: string | undefined;
  /** Of a check that is a command: what the outcome was judged by. */
  readonly command?: CommandEnd;
}

/** How a command of a check ended. */
export interface CommandEnd {
  readonly how:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
    /** Ended by us. */
    | { readonly kind: 'timed-out' | 'too-much-output' }
    /** Nothing ran. `reason` is the code that explains it. */
    | { readonly kind: 'not-started'; readonly reason: string }
    /** It could not be ended, or not be followed to its end. */
    | { readonly kind: 'unknown'; readonly reason: string };
  /** Until the last process of it was gone. */
  readonly durationMs: number;
  /** That its log has. */
  readonly bytes: number;
}

/** How the commits of a change get onto the destination. */
export type Strategy = 'squash' | 'merge' | 'ff' | 'rebase';

export interface Change {
  /** Names the change in receipts and messages: the same key is the same deed. */
  readonly key: string;
  /** In the repository that is landed on. */
  readonly tip: ObjectId;
  /** What it was cut from; default: the merge base with the destination. */
  readonly base?: ObjectId;
  /** Of the one commit that `squash` and `merge` make. */
  readonly message: string;
  readonly author: Identity;
}

export interface Destination {
  /** In full: `refs/heads/main`. */
  readonly ref: string;
  /** Where it is pushed to; default: the repository itself is all. */
  readonly remote?: { readonly name: string; readonly ref: string };
}

export type LandOutcome =
  | { readonly kind: 'landed'; readonly commit: ObjectId; readonly tree: ObjectId; readonly before: ObjectId | undefined; readonly tolerated: readonly GitPath[] }
  /** The destination had all of it before. */
  | { readonly kind: 'already'; readonly commit: ObjectId }
  | { readonly kind: 'conflict'; readonly paths: readonly GitPath[] }
  | { readonly kind: 'checks-failed'; readonly verdicts: readonly Verdict[] }
  /** The destination moved after the change was prepared; nothing was changed, and it may be prepared anew. */
  | { readonly kind: 'moved'; readonly actual: ObjectId | undefined }
  /** A checkout of the destination has something in the way; nothing was changed. */
  | { readonly kind: 'waiting'; readonly checkout: string; readonly reason: Obstruction['reason'] | 'busy'; readonly paths: readonly GitPath[] }
  | { readonly kind: 'refused'; readonly reason: string };
