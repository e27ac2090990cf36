export interface CollectedError {
  readonly code: string;
  readonly rooms: readonly string[];
  readonly exit: number;
  readonly means: string;
  readonly message: string | undefined;
  readonly remedy: string | undefined;
}

export function collectErrors(root: string): Promise<{ readonly entries: readonly CollectedError[]; readonly problems: readonly string[] }>;
