import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { describeSystemError } from '../../kernel/errors/index.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/** The log of one target while it runs; the child writes to the same descriptor. */
export class TargetLog {
  readonly path: string;
  readonly descriptor: number;

  /** Makes the file, mode 0600; one that exists is refused, and so is a link. */
  constructor(path: string) {
    this.path = path;
    try {
      this.descriptor = openSync(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600);
    } catch (error) {
      throw describeSystemError(error, { action: 'create', path });
    }
  }

  /** Appends a line of our own, or several. */
  line(text: string): void {
    try {
      this.#write(Buffer.from(`${text}\n`));
    } catch (error) {
      throw describeSystemError(error, { action: 'write', path: this.path });
    }
  }

  /** Begins a new line when what the child printed did not end one. */
  startLine(text: string): void {
    this.line(this.#endsLine() ? text : `\n${text}`);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /** A short write is followed by one that says why, or by the rest. */
  #write(bytes: Buffer): void {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.descriptor, bytes, offset);
  }

  #endsLine(): boolean {
    const { size } = fstatSync(this.descriptor);
    const last = Buffer.alloc(1);
    return size === 0 || readSync(this.descriptor, last, 0, 1, size - 1) === 0 || last.toString() === '\n';
  }
}
