import type { Range } from '../../kernel/text/index.ts';
import type { Plain } from './hcl/index.ts';
import type { AgentTemplate, AgentSettings, Factory, Policy, Provider, Quality } from './later.ts';

/** What a Bachfile with its imports says, decoded and checked. */
export interface Project {
  readonly name: string;
  /** The path of the Bachfile as the user gave it. */
  readonly file: string;
  /** `project.root` as written, or nothing: then the folder of the Bachfile. */
  readonly root: string | undefined;
  /** Canonical name of the target that runs when none is named. */
  readonly defaultTarget: string | undefined;
  readonly backend: Backend;
  /** Project environment in key order. */
  readonly environment: readonly EnvironmentEntry[];
  readonly profiles: Profiles;
  /** By `<kind>/<name>`, as targets name them: `file/go_sources`. */
  readonly inputs: ReadonlyMap<string, InputSet>;
  /** By plain name. */
  readonly resources: ReadonlySet<string>;
  readonly plugins: ReadonlyMap<string, Plugin>;
  readonly prompts: ReadonlyMap<string, Prompt>;
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly agentTemplates: ReadonlyMap<string, AgentTemplate>;
  readonly policies: ReadonlyMap<string, Policy>;
  /** By canonical target name. */
  readonly qualities: ReadonlyMap<string, Quality>;
  readonly factories: ReadonlyMap<string, Factory>;
  /** By canonical name, in the order of the file with its imports in place. Implicit dependencies are among `dependsOn`. */
  readonly targets: ReadonlyMap<string, Target>;
}

export interface Backend {
  /** What serves the state; in process unless `external`. */
  readonly command: readonly [string, ...string[]];
  /** The user let another program serve the state. */
  readonly external: boolean;
  /** Where the state database stands, relative to the root; for an external backend where our own files beside it are. */
  readonly statePath: string;
  /** `config` as written, for the backend to read: a JSON object. */
  readonly config: Readonly<Record<string, Plain>>;
}

export interface Profiles {
  /** In the order of the command line. */
  readonly selected: readonly string[];
  /** Of the selected ones, later over earlier, in key order. */
  readonly environment: readonly EnvironmentEntry[];
  readonly declared: readonly string[];
}

export interface EnvironmentEntry {
  readonly name: string;
  readonly value: string;
}

/** A named set of files. An entry is a path, a folder, a glob, or another set by `<kind>/<name>`. */
export interface InputSet {
  readonly name: string;
  readonly sources: readonly string[];
}

export interface Plugin {
  readonly name: string;
  readonly type: 'graph' | 'quality';
  /** Nothing for a plugin that only gives its sources a name. */
  readonly operation: CommandOperation | ShellOperation | undefined;
  /** Relative to the root. */
  readonly workdir: string;
  readonly inputs: readonly string[];
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly environment: readonly EnvironmentEntry[];
  readonly timeoutMs: number | undefined;
}

export interface Prompt {
  readonly name: string;
  /** Relative to the root. */
  readonly path: string;
  readonly description: string;
  readonly version: string;
}

export interface Alias {
  readonly name: string;
  /** Canonical. */
  readonly target: string;
  /** What the user should do instead; empty for none. */
  readonly deprecated: string;
}

export type TargetKind = 'shell' | 'image' | 'group' | 'pipeline' | 'agent';

export interface Risks {
  readonly remote: boolean;
  readonly destructive: boolean;
  readonly requiresConfirmation: boolean;
}

export interface Target {
  /** Canonical: `shell/test`. */
  readonly name: string;
  readonly kind: TargetKind;
  readonly description: string;
  readonly when: string;
  /** `low`, `medium`, `high`, or empty. */
  readonly cost: string;
  /** Its own; what it inherits is for `decide/` to find. */
  readonly risks: Risks;
  readonly dependsOn: readonly string[];
  /** Steps of a pipeline in order, members of a group; none for others. */
  readonly children: readonly string[];
  /** In-run mutex; empty for none. */
  readonly lock: string;
  readonly timeoutMs: number | undefined;
  readonly retry: Retry | undefined;
  readonly quiet: boolean;
  readonly operation: Operation | undefined;
  /** True when there is an operation to run. */
  readonly runnable: boolean;
  /** Relative to the project root; empty for the root itself. */
  readonly workdir: string;
  /** Target environment in key order. */
  readonly environment: readonly EnvironmentEntry[];
  readonly tools: readonly ToolRequirement[];
  readonly preflights: readonly Preflight[];
  /** As written: paths, globs, `file/go_sources`, `resource/deps`, `plugin/ts_imports/api_tests`. */
  readonly inputs: readonly string[];
  readonly outputs: readonly Output[];
  /** `file/generated`, `resource/deps`. */
  readonly produces: readonly string[];
  readonly successWhen: readonly CompletionCheck[];
  readonly failWhen: readonly CompletionCheck[];
  /** What an `agent` block says beyond the common fields. */
  readonly agent: AgentSettings | undefined;
  /** Where the target's block begins, for messages. */
  readonly range: Range;
  /** The file that `range` is in, as shown to the user. */
  readonly file: string;
}

export type Operation = CommandOperation | ShellOperation | ImageOperation;

export interface CommandOperation {
  readonly kind: 'command';
  readonly argv: readonly [string, ...string[]];
}

export interface ShellOperation {
  readonly kind: 'shell';
  readonly script: string;
}

/** Builds an image, then pushes its tags when that is wanted. */
export interface ImageOperation {
  readonly kind: 'image';
  readonly builder: string;
  readonly image: string;
  /** As written. */
  readonly tags: readonly string[];
  /** With the image's name where a tag has none: `example/app:latest`. Never empty. */
  readonly fullTags: readonly [string, ...string[]];
  readonly dockerfile: string;
  readonly context: string;
  /** Empty for the builder's own. */
  readonly platform: string;
  readonly push: boolean;
  /** `KEY=value`: those of the list, then those of the map in key order. */
  readonly buildArgs: readonly string[];
}

export interface Retry {
  /** Attempts in all, at least 1. */
  readonly attempts: number;
  /** 0 for none. */
  readonly backoffMs: number;
  readonly onQualityGateFailure: boolean;
}

export interface ToolRequirement {
  readonly name: string;
  /** Empty: `name` has to be on PATH. */
  readonly command: readonly string[];
  readonly version: string;
  readonly fix: string;
}

export interface Preflight {
  /** `name`, or `kind` where there is no name. */
  readonly label: string;
  readonly name: string;
  readonly kind: string;
  readonly command: readonly [string, ...string[]];
  readonly fix: string;
}

export type CompletionCheck =
  | { readonly kind: 'output_contains'; readonly text: string }
  /** Relative to the root. */
  | { readonly kind: 'file_exists'; readonly path: string }
  | { readonly kind: 'command'; readonly argv: readonly [string, ...string[]] };

export interface Output {
  /** Empty in the list form. */
  readonly name: string;
  readonly path: string;
}
