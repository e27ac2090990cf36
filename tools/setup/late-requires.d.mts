interface Context {
  readonly parse: (code: string) => unknown;
}

export const lateRequires: {
  readonly name: string;
  renderChunk(this: Context, code: string, chunk: { readonly isEntry: boolean; readonly name: string }): { readonly code: string };
};
