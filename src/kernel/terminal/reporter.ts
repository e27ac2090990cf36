import { setTimeout as delay } from 'node:timers/promises';
import { describeSystemError, type DroverError } from '../errors/index.ts';
import type { Redaction } from '../redact/index.ts';
import type { Clock } from '../time/index.ts';
import { canRepaint, usableColumns, wantsColour } from './capabilities.ts';
import type { Output, ProgressState } from './contract.ts';
import { MaskedStream } from './masked-stream.ts';
import { plainLine, safeLine } from './safe-text.ts';
import { withShortValues } from './short-values.ts';
import type { Sink } from './sink.ts';
import { StatusLine } from './status-line.ts';

/** Characters that are joined before they are written at once. */
const JOIN_LIMIT = 64 * 1024;
/** Characters that may wait for a slow reader before `drained` holds the writer back. */
const WAIT_LIMIT = 64 * 1024;
/** Past this nothing is kept for a reader that nobody waits for any more. */
const RELEASED_LIMIT = 1024 * 1024;
const FRAME_MILLISECONDS = 100;
const TICK_MILLISECONDS = 1000;
const RELEASED_ROUNDS = 25;
const RELEASED_ROUND_MILLISECONDS = 20;

export interface ReporterOptions {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, 'mono'>;
  /** Once aborted, a reader that takes nothing holds nobody up any more. */
  readonly release?: AbortSignal;
  /** Masks secrets in everything that is shown. Default: nothing is masked. */
  readonly redaction?: Redaction;
}

/** The output of one command, from its first line to the last byte taken. */
export interface Reporter extends Output {
  /** Removes the status line and waits until all was taken. Answers what made standard output fail, if anything. */
  finish(): Promise<DroverError | undefined>;
}

/** Writes lines as they come; on a terminal with one status line below them. */
export function createReporter(options: ReporterOptions): Reporter {
  return new TerminalReporter(options);
}

class TerminalReporter implements Reporter {
  readonly #stdout: Sink;
  readonly #stderr: Sink;
  readonly #colour: boolean;
  readonly #safe: Readonly<Record<'stdout' | 'stderr', (text: string) => string>>;
  readonly #redaction: Redaction | undefined;
  readonly #raw: Readonly<Record<'stdout' | 'stderr', MaskedStream>>;
  readonly #release: AbortSignal | undefined;
  readonly #status: StatusLine | undefined;
  #pending = '';
  #soon: NodeJS.Immediate | undefined;
  #frame: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  #stale = false;

  constructor({ stdout, stderr, env, clock, release, redaction }: ReporterOptions) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#colour = wantsColour(env, stdout);
    this.#safe = { stdout: safeFor(stdout, env), stderr: safeFor(stderr, env) };
    this.#redaction = redaction;
    this.#raw = { stdout: new MaskedStream(redaction), stderr: new MaskedStream(redaction) };
    this.#release = release;
    if (canRepaint(env, stdout)) {
      this.#status = new StatusLine({ now: () => clock.mono(), columns: () => usableColumns(env, stdout) });
    }
    release?.addEventListener('abort', () => this.#letGo(), { once: true });
  }

  line(label: string, text: string): void {
    const shown = this.#safe.stdout(text);
    this.#endRaw('stdout');
    this.#add(label === '' ? `${shown}\n` : `${this.#styled(label)} ${shown}\n`);
  }

  record(value: unknown): void {
    this.line('', JSON.stringify(this.#redaction === undefined ? value : this.#redaction.redactValue(value)));
  }

  progress(state: ProgressState | undefined): void {
    if (this.#status === undefined) return;
    this.#status.set(state && this.#maskedNames(state));
    if (state === undefined) {
      clearInterval(this.#tick);
      this.#tick = undefined;
    } else {
      this.#tick ??= setInterval(() => this.#request(), TICK_MILLISECONDS).unref();
    }
    this.#request();
  }

  raw(stream: 'stdout' | 'stderr', chunk: Uint8Array | string): void {
    this.#putRaw(stream, this.#raw[stream].push(chunk));
  }

  notice(text: string): void {
    this.#endRaw('stderr');
    const masked = this.#masked(text.split('\n').map(this.#safe.stderr).join('\n'));
    this.#toStderr(`${masked.split('\n').map(withShortValues).join('\n')}\n`);
  }

  async drained(): Promise<void> {
    await this.#stdout.drained(WAIT_LIMIT);
    await this.#stderr.drained(WAIT_LIMIT);
  }

  async finish(): Promise<DroverError | undefined> {
    this.progress(undefined);
    this.#endRaw('stdout');
    this.#endRaw('stderr');
    this.#flushBare();
    this.#cancelFrame();
    await this.#stdout.drained(0);
    await this.#stderr.drained(0);
    if (this.#release?.aborted) await this.#lastChance();
    const failure = this.#stdout.failure();
    return failure && describeSystemError(failure, { action: 'write', path: 'standard output' });
  }

  #styled(label: string): string {
    const shown = this.#safe.stdout(label);
    return this.#colour ? `\x1b[2m${shown}\x1b[22m` : shown;
  }

  #putRaw(stream: 'stdout' | 'stderr', chunk: Uint8Array | string): void {
    if (chunk.length === 0) return;
    if (stream === 'stderr') return this.#toStderr(chunk);
    if (typeof chunk === 'string') return this.#add(chunk);
    this.#flushBare();
    this.#put(chunk);
    this.#status?.follow(chunk);
    this.#repaint();
  }

  /** What comes next does not belong to the bytes that were held back. */
  #endRaw(stream: 'stdout' | 'stderr'): void {
    this.#putRaw(stream, this.#raw[stream].end());
  }

  #masked(text: string): string {
    return this.#redaction?.redactText(text) ?? text;
  }

  #maskedNames({ running, ...counts }: ProgressState): ProgressState {
    return { ...counts, running: running.map(({ name, sinceMono }) => ({ name: this.#masked(name), sinceMono })) };
  }

  #add(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= JOIN_LIMIT) return this.#flush();
    this.#request();
  }

  /** Lines of one turn of the event loop become one write; while a status line is up, lines of one frame do. */
  #request(): void {
    this.#stale = true;
    if (this.#frame !== undefined) return;
    this.#soon ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    const mayPaint = this.#status?.active === true && this.#frame === undefined;
    if (!mayPaint) return this.#flushBareBody();
    this.#cancelSoon();
    const body = this.#takePending();
    this.#put(this.#status?.painted(body) ?? body);
    this.#stale = false;
    this.#frame = setTimeout(() => this.#frameOver(), FRAME_MILLISECONDS).unref();
  }

  #frameOver(): void {
    this.#frame = undefined;
    if (this.#stale) this.#flush();
  }

  /** Between two frames a full buffer goes out without the status line, which the next frame brings back. */
  #flushBareBody(): void {
    if (this.#pending === '' && this.#status?.active === true) return;
    this.#flushBare();
    this.#stale = this.#status?.active === true;
  }

  #flushBare(): void {
    this.#cancelSoon();
    const body = this.#takePending();
    this.#put(this.#status?.bare(body) ?? body);
  }

  #takePending(): string {
    // All at once, and last: what made a text safe may have put the halves of a value together.
    const body = this.#pending === '' ? '' : this.#masked(this.#pending);
    this.#pending = '';
    return body;
  }

  #cancelSoon(): void {
    clearImmediate(this.#soon);
    this.#soon = undefined;
  }

  #cancelFrame(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
  }

  #put(chunk: string | Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#release?.aborted && this.#stdout.waiting() > RELEASED_LIMIT) return;
    this.#stdout.write(chunk);
  }

  #toStderr(chunk: string | Uint8Array): void {
    this.#flushBare();
    this.#stderr.write(chunk);
    if (this.#stderr.terminal) this.#status?.follow(chunk);
    this.#repaint();
  }

  #repaint(): void {
    if (this.#status?.active) this.#request();
  }

  #letGo(): void {
    this.#stdout.release();
    this.#stderr.release();
  }

  /** A reader that is merely slow still gets the end. */
  async #lastChance(): Promise<void> {
    for (let round = 0; round < RELEASED_ROUNDS; round++) {
      if (this.#stdout.waiting() === 0 && this.#stderr.waiting() === 0) return;
      await delay(RELEASED_ROUND_MILLISECONDS);
    }
  }
}

/** Only a terminal is to be protected; pipes and files get a text unchanged. */
function safeFor(sink: Sink, env: ReporterOptions['env']): (text: string) => string {
  if (!sink.terminal) return (text) => text;
  return wantsColour(env, sink) ? safeLine : plainLine;
}
