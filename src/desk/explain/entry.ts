/** One declared error, as a person is told about it. */
export interface ErrorEntry {
  readonly code: string;
  /** The folders of `src` that declare it. */
  readonly rooms: readonly string[];
  readonly exit: number;
  readonly means: string;
  /** With `<name>` for what the error is about; nothing where it cannot be told without. */
  readonly message?: string;
  readonly remedy?: string;
}
