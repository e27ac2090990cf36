/** A standard stream made safe: writing never throws, never blocks on a slow reader, and never emits an error. */
export interface Sink {
  /** True when a person looks at it. */
  readonly terminal: boolean;
  /** Width of the terminal, read anew at each call since windows change; nothing elsewhere. */
  columns(): number | undefined;
  write(chunk: string | Uint8Array): void;
  /** About how many bytes the reader has not taken yet. */
  waiting(): number;
  /** Resolves once at most `limit` bytes wait, or when waiting is pointless. */
  drained(limit: number): Promise<void>;
  /** From now on nobody waits for this reader. */
  release(): void;
  /** What made writing fail for good. A reader that went away is not a failure. */
  failure(): Error | undefined;
}
