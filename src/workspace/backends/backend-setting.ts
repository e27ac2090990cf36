import type { Repository } from '../../kernel/git/index.ts';
import type { Seed, SeedReport } from '../contract.ts';

/** What a backend stands on. */
export interface BackendSetting {
  /** The person's repository, opened at the checkout that seeds come from (or at a bare one). */
  readonly source: Repository;
  readonly seeder: Seeder;
}

/** Puts files of the person's checkout into a new workspace, and keeps git there from taking them for work. */
export interface Seeder {
  /** Throws `seed-missing` for a required one; whatever it throws, the workspace is taken back. */
  readonly seed: (request: SeedRequest) => Promise<SeedReport>;
}

export interface SeedRequest {
  /** Root of the person's checkout; `undefined` where the repository has none. */
  readonly from: string | undefined;
  /** Root of the workspace; the same as `from` in place. */
  readonly to: string;
  /** The workspace as git knows it; `undefined` where it does not. */
  readonly checkout: Repository | undefined;
  readonly seeds: readonly Seed[];
}
