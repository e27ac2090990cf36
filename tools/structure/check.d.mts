export interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export function checkTree(root: string): { readonly findings: readonly Finding[] };
