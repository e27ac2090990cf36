import type { Clock } from '../time/index.ts';

/** What every call of git is made with. */
export interface GitHost {
  readonly clock: Clock;
  /** Where `PATH` and the person's home are taken from; nothing else of it reaches git. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The run that starts git, as in `SpawnRequest.marker`. */
  readonly marker: string;
  /** Ends whatever git is at work; the call throws then. */
  readonly signal?: AbortSignal;
  /** What one call may take, and the wait for others who work on worktrees; writing a checkout may take longer. Default one minute. */
  readonly limitMs?: number;
  /**
   * An existing folder in which receipts are kept, one folder for each repository; one that no agent can write, such as
   * a folder in the person's state. Default: in the common git folder, which is enough only where no agent can write.
   */
  readonly receiptsFolder?: string;
}

/** A git program that is new enough. */
export interface Git extends GitHost {
  readonly version: GitVersion;
}

export interface GitVersion {
  readonly major: number;
  readonly minor: number;
  /** As git tells it, e.g. `2.39.5`. */
  readonly text: string;
}

/** The full name of an object, 40 or 64 hexadecimal digits in lower case. */
export type ObjectId = string;

/** One repository as seen from one of its checkouts (or from its git folder), pinned by its real paths. */
export interface Repository {
  readonly git: Git;
  /** Root of the checkout; `undefined` for a bare repository and for one opened at its git folder. */
  readonly topLevel: string | undefined;
  /** Of this checkout: its own HEAD and index are there. */
  readonly gitDir: string;
  /** Shared by all checkouts: refs, objects, configuration. */
  readonly commonDir: string;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly bare: boolean;
  /** The same for all checkouts of one repository, fit for a file name: 16 hexadecimal digits. */
  readonly key: string;
}

/** Whose name goes into a commit or a ref log. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** A moment as commits keep it. */
export interface GitDate {
  /** Since 1970. */
  readonly seconds: number;
  /** Minutes east of UTC. */
  readonly offsetMinutes: number;
}

export interface Signature extends Identity {
  readonly date: GitDate;
}
