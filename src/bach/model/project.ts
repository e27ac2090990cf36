import type { Range } from '../../kernel/text/index.ts';

/** What a Bachfile says, decoded and checked. */
export interface Project {
  readonly name: string;
  /** The path of the Bachfile as the user gave it. */
  readonly file: string;
  /** `project.root` as written, or nothing: then the folder of the Bachfile. */
  readonly root: string | undefined;
  /** Canonical name of the target that runs when none is named. */
  readonly defaultTarget: string | undefined;
  /** Where the state database stands, relative to the root. */
  readonly statePath: string;
  /** Project environment in key order. */
  readonly environment: readonly EnvironmentEntry[];
  /** By canonical name, in the order of the file. */
  readonly targets: ReadonlyMap<string, Target>;
}

export interface EnvironmentEntry {
  readonly name: string;
  readonly value: string;
}

export type TargetKind = 'shell' | 'group' | 'pipeline';

export interface Target {
  /** Canonical: `shell/test`. */
  readonly name: string;
  readonly kind: TargetKind;
  readonly description: string;
  /** `low`, `medium`, `high`, or empty. */
  readonly cost: string;
  readonly dependsOn: readonly string[];
  /** Steps of a pipeline in order, members of a group; none for a shell target. */
  readonly children: readonly string[];
  /** In-run mutex; empty for none. */
  readonly lock: string;
  readonly timeoutMs: number | undefined;
  readonly operation: Operation | undefined;
  /** True when there is an operation to run. */
  readonly runnable: boolean;
  /** Relative to the project root; empty for the root itself. */
  readonly workdir: string;
  /** Target environment in key order. */
  readonly environment: readonly EnvironmentEntry[];
  readonly outputs: readonly Output[];
  /** Where the target's block begins, for messages. */
  readonly range: Range;
}

export type Operation =
  | { readonly kind: 'command'; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: 'shell'; readonly script: string };

export interface Output {
  /** Empty in the list form. */
  readonly name: string;
  readonly path: string;
}
