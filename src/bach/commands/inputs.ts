/** What every verb that reads a project is given. */
export interface ProjectInput {
  /** Path of the Bachfile as the user gave it. */
  readonly file: string;
  /** `--var name=value`, in the order given. */
  readonly vars: readonly { readonly name: string; readonly value: string }[];
  readonly json: boolean;
  readonly verbose: boolean;
}

export interface RunInput extends ProjectInput {
  readonly targets: readonly string[];
  readonly jobs: number | undefined;
  readonly envFile: string | undefined;
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
