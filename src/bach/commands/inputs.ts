/** What every verb that reads a project is given. */
export interface ProjectInput {
  /** Path of the Bachfile as the user gave it. */
  readonly file: string;
  /** `--var name=value`, in the order given. */
  readonly vars: readonly { readonly name: string; readonly value: string }[];
  /** `--profile`, in the order given. */
  readonly profiles: readonly string[];
  readonly json: boolean;
  readonly verbose: boolean;
}

export interface RunInput extends ProjectInput {
  readonly targets: readonly string[];
  readonly jobs: number | undefined;
  readonly envFile: string | undefined;
  /** Say what would run, and write nothing. */
  readonly dryRun: boolean;
  /** Run also what is fresh. */
  readonly force: boolean;
  /** The person confirms what wants to be confirmed. */
  readonly yes: boolean;
  /** What commands print goes to their logs alone. */
  readonly logOnly: boolean;
}

export interface RunsListInput extends ProjectInput {
  /** 0 for all. */
  readonly limit: number;
  readonly target?: string;
  readonly status?: string;
  readonly since?: string;
  readonly artifact?: string;
}

export interface LogsInput extends ProjectInput {
  readonly runId: string;
  readonly failed: boolean;
  readonly target?: string;
  /** Lines for each target. */
  readonly last: number;
  readonly errors: boolean;
}

export interface RunsInspectInput extends ProjectInput {
  readonly runId: string;
}

export interface RunsPruneInput extends ProjectInput {
  readonly dryRun: boolean;
}

/** The limit counts artifacts. */
export interface ArtifactsInput extends RunsListInput {
  readonly runId?: string;
}
