import type { Identity, Repository } from '../../kernel/git/index.ts';
import type { BackendName, RestoreOutcome, Snapshot, Workspace, WorkspaceRecord, WorkspaceRefusal, WorkspaceRemoval, WorkspaceRequest } from '../contract.ts';
import type { Entry } from './register.ts';

/** Where a workspace stands. */
export interface Site {
  readonly checkout: Repository | undefined;
  /** Absolute: the folder of its own state, which has the marker. */
  readonly home: string;
  /** Git may still know of one whose files are gone. */
  readonly hasFiles: boolean;
}

/** What stands at the place of a record; whether it carries the marker is not asked yet. */
export type Found =
  | { readonly kind: 'here'; readonly site: Site }
  | { readonly kind: 'gone'; readonly reason: string }
  /** Told, never followed. */
  | { readonly kind: 'moved'; readonly reason: string }
  | { readonly kind: 'foreign'; readonly reason: string };

/**
 * What one backend does in its own way. Around it `backendOf` writes down what is going to be made, marks and seeds it,
 * and clears what was cut off.
 */
export interface Kind {
  readonly name: BackendName;
  readonly place: (request: WorkspaceRequest) => Pick<WorkspaceRecord, 'path' | 'branch'>;
  /** Looks for what is in the way, and changes nothing. */
  readonly look: (request: WorkspaceRequest, record: WorkspaceRecord) => Promise<WorkspaceRefusal | undefined>;
  readonly make: (entry: Entry) => Promise<Site | WorkspaceRefusal>;
  readonly find: (record: WorkspaceRecord) => Promise<Found>;
  /** Takes back what `make` or its killing left, and nothing of anybody else; keeps what could be work. Comes again after a kill. */
  readonly takeBack: (entry: Entry) => Promise<void>;
  readonly snapshot: (workspace: Workspace, who: Identity) => Promise<Snapshot>;
  readonly restore: (workspace: Workspace, snapshot: Snapshot, who: Identity) => Promise<RestoreOutcome>;
  /** Of one that is marked, or gone, or half removed by a killed process. */
  readonly remove: (entry: Entry) => Promise<WorkspaceRemoval>;
  /** Records of markers, also of those that are written down nowhere else any more. */
  readonly marked: () => Promise<readonly WorkspaceRecord[]>;
}

/** Names what is kept of a workspace: below `refs/drover/keep/`. */
export function keepName({ id }: Pick<WorkspaceRecord, 'id'>): string {
  return `workspaces/${id}`;
}
