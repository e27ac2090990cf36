import type { TargetRunRecord } from '../model/index.ts';

/** Rows are written together, at least this often. */
const FLUSH_MS = 200;

export interface RecorderOptions {
  readonly write: (rows: readonly TargetRunRecord[]) => Promise<void>;
  /** Told once when rows can no longer be written; `close` then throws why. */
  readonly failed: () => void;
}

/** Keeps what became of each target of a run, and writes the rows that changed in groups. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #rows = new Map<string, TargetRunRecord>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get rows(): readonly TargetRunRecord[] {
    return [...this.#rows.values()];
  }

  row(target: string): TargetRunRecord | undefined {
    return this.#rows.get(target);
  }

  put(row: TargetRunRecord): void {
    this.#rows.set(row.target, row);
    this.#changed.add(row.target);
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  /** Ends the writing in groups and gives back the rows that were not written yet. */
  async close(): Promise<readonly TargetRunRecord[]> {
    clearTimeout(this.#timer);
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#takeChanged();
  }

  #flush(): void {
    this.#timer = undefined;
    const rows = this.#takeChanged();
    this.#writing = this.#writing.then(() => this.#write(rows));
  }

  async #write(rows: readonly TargetRunRecord[]): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#options.write(rows);
    } catch (error) {
      this.#failure = { error };
      this.#options.failed();
    }
  }

  #takeChanged(): readonly TargetRunRecord[] {
    const rows = [...this.#changed].map((target) => this.#rows.get(target)).filter((row) => row !== undefined);
    this.#changed.clear();
    return rows;
  }
}
