import { isDroverError } from '../../../kernel/errors/index.ts';
import { startDialogue, type Dialogue, type Reaper } from '../../../kernel/process/index.ts';
import { LineCutter } from '../../../kernel/text/index.ts';
import { FrameFault, FrameReader, frameOf, isObject, PROTOCOL, readResponse, requestText, type Backend } from '../../model/index.ts';
import { backendEnded, backendGarbled, backendLacks, backendNotStarted, backendRefused, backendSilent } from './errors.ts';

/** How long an answer is waited for. */
const CALL_MS = 30_000;
const CLOSING_MS = 2_000;
const GRACE_MS = 2_000;
/** Of what it says on standard error; a person reads no more of it. */
const MOST_LINES = 100;
/** Another program gets nothing of the user's environment but what it needs to run at all. */
const PASSED_ON = ['PATH', 'TMPDIR', 'TEMP', 'TMP'];

export interface ClientOptions {
  readonly backend: Backend;
  readonly projectName: string;
  /** The project's folder, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The run that it is for. */
  readonly marker: string;
  /** What a command `bach` stands for: the words that start this program again. */
  readonly self?: readonly string[] | undefined;
  readonly reaper?: Reaper | undefined;
  /** Gets what the program says on standard error, line by line. */
  readonly diagnose: (line: string) => void;
  /** Milliseconds; 30 s without it. */
  readonly callMs?: number;
}

interface Waiting {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** One long conversation with a backend provider. After its first fault every call fails with that fault. */
export class BackendClient {
  readonly #options: ClientOptions;
  readonly #provider: string;
  readonly #dialogue: Dialogue;
  readonly #frames = new FrameReader();
  readonly #waiting = new Map<number, Waiting>();
  readonly #said: LineCutter;
  #lines = 0;
  #lastLine = '';
  #lastId = 0;
  #isClosing = false;
  #failure: { readonly error: unknown } | undefined;
  #capabilities: readonly unknown[] = [];

  private constructor(options: ClientOptions) {
    const { backend, root, env, marker, reaper } = options;
    this.#options = options;
    this.#provider = shortened(backend.command.join(' '));
    this.#said = new LineCutter((line) => this.#heard(line));
    this.#dialogue = startDialogue({
      argv: argvOf(options),
      origin: 'project',
      cwd: root,
      env: Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
      marker,
      reaper,
      graceMs: GRACE_MS,
      onOutput: (chunk) => this.#take(chunk),
      onErrors: (chunk) => this.#said.write(chunk),
    });
    void this.#noteExit();
  }

  /**
   * Starts the program and agrees with it. Throws `backend-not-started`, `backend-lacks-capability`, and what `call` does.
   */
  static async open(options: ClientOptions): Promise<BackendClient> {
    const client = new BackendClient(options);
    try {
      await client.#initialize();
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  can(capability: string): boolean {
    return this.#capabilities.includes(capability);
  }

  /**
   * Asks, and gives back the result. Throws `backend-refused`, `backend-silent`, `backend-garbled`, `backend-ended`, and
   * a `FrameFault` for a request that is too large, which is not sent.
   */
  async call(method: string, params: unknown): Promise<unknown> {
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#lastId += 1;
    const id = this.#lastId;
    const message = frameOf(requestText(id, method, params));
    const answer = new Promise<unknown>((resolve, reject) => {
      const limitMs = this.#options.callMs ?? CALL_MS;
      const silent = (): void => this.#fail(backendSilent({ provider: this.#provider, method, limitMs }));
      this.#waiting.set(id, { method, resolve, reject, timer: setTimeout(silent, limitMs) });
    });
    // A program that reads nothing lets this wait; its answer then does not come either, and that is told.
    void this.#dialogue.write(message);
    return answer;
  }

  /** Says goodbye and waits until the program and all it started are gone, which it is made to be in the end. */
  async close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      if (this.#failure === undefined) await within(CLOSING_MS, this.call('backend.shutdown', {}));
      this.#dialogue.endInput();
      await within(CLOSING_MS, this.#dialogue.exit);
      this.#dialogue.stop();
    }
    await this.#dialogue.exit;
    this.#fail(backendEnded({ provider: this.#provider, how: 'it was closed', said: '' }));
  }

  async #initialize(): Promise<void> {
    const { backend, projectName, root } = this.#options;
    const config = { protocol: PROTOCOL, project_name: projectName, project_root: root, config: backend.config };
    const result = await this.call('backend.initialize', config);
    if (!isObject(result) || result['protocol'] !== PROTOCOL) throw backendGarbled({ provider: this.#provider, reason: 'it answered initialize with another protocol' });
    this.#capabilities = Array.isArray(result['capabilities']) ? result['capabilities'] : [];
    if (!this.can('runs')) throw backendLacks({ provider: this.#provider, capability: 'runs' });
  }

  #take(chunk: Uint8Array): void {
    if (this.#failure !== undefined) return;
    try {
      for (const payload of this.#frames.take(chunk)) this.#receive(payload);
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      this.#garbled(error.message);
    }
  }

  #receive(payload: Uint8Array): void {
    const response = readResponse(payload);
    if ('fault' in response) return this.#garbled(response.fault);
    const asked = this.#waiting.get(response.id);
    if (asked === undefined) return this.#garbled(`it answered a request ${response.id} that it was not sent`);
    this.#waiting.delete(response.id);
    clearTimeout(asked.timer);
    if ('result' in response) return asked.resolve(response.result);
    const { code, message } = response.error;
    asked.reject(backendRefused({ provider: this.#provider, method: asked.method, code: shortened(code), message: shortened(message) }));
  }

  #garbled(reason: string): void {
    this.#fail(backendGarbled({ provider: this.#provider, reason: shortened(reason) }));
  }

  #heard(line: string): void {
    this.#lastLine = line;
    this.#lines += 1;
    if (this.#lines <= MOST_LINES) this.#options.diagnose(line);
    if (this.#lines === MOST_LINES) this.#options.diagnose(`what backend ${this.#provider} says from here on is left out`);
  }

  async #noteExit(): Promise<void> {
    const end = await this.#dialogue.exit;
    this.#said.end();
    const provider = this.#provider;
    if (end.kind === 'not-started') return this.#fail(backendNotStarted({ provider, reason: end.error.message }, end.error));
    this.#fail(backendEnded({ provider, how: howItEnded(end), said: shortened(this.#lastLine) }));
  }

  /** The first fault is the one that is told. */
  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
    this.#dialogue?.stop();
  }
}

function argvOf({ backend: { command }, self }: ClientOptions): readonly [string, ...string[]] {
  const [program, ...rest] = command;
  const [own, ...words] = program === 'bach' ? (self ?? []) : [];
  return own === undefined ? command : [own, ...words, ...rest];
}

type Ended = Awaited<Dialogue['exit']>;

function howItEnded(end: Exclude<Ended, { readonly kind: 'not-started' }>): string {
  if (end.kind === 'exited') return `exit status ${end.code}`;
  return end.kind === 'signalled' ? `ended by ${end.signal}` : end.error.message;
}

const MOST_SHOWN = 200;

function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

/** How it went tells nothing to whoever is leaving anyway. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await Promise.race([work, over]);
  } catch (error) {
    if (!isDroverError(error)) throw error;
  } finally {
    clearTimeout(timer);
  }
}
