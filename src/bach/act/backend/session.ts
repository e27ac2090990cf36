import { isDroverError } from '../../../kernel/errors/index.ts';
import type { Clock } from '../../../kernel/time/index.ts';
import { FrameFault, faultText, frameOf, paramsOf, ProtocolFault, PROVIDER, readRequest, resultText, type Request } from '../../model/index.ts';
import { ServedState } from '../../store/index.ts';
import { METHODS } from './methods.ts';
import { initialization } from './params.ts';

const DEFAULT_PATH = '.bach/state.db';

export interface SessionOptions {
  readonly clock: Clock;
  /** Ends the waiting for other processes. */
  readonly signal: AbortSignal;
  /** Gets a sentence about what the asker is not told. */
  readonly diagnose: (sentence: string) => void;
}

/** One conversation with whoever started us: what was initialized, and an answer to each payload. */
export class BackendSession {
  readonly #options: SessionOptions;
  #state: ServedState | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The message that answers a payload, whatever it holds; nothing for a notification. Never rejects. */
  async answer(payload: Uint8Array): Promise<Uint8Array | undefined> {
    const request = readRequest(payload);
    if ('fault' in request) return frameOf(faultText(request.id, request.fault));
    try {
      const result = await this.#resultOf(request);
      return request.id === undefined ? undefined : this.#framed(request, result);
    } catch (error) {
      const fault = this.#faultOf(error, request);
      if (request.id !== undefined) return frameOf(faultText(request.id, fault));
      this.#options.diagnose(`${request.method}: ${fault.message}`);
      return undefined;
    }
  }

  close(): void {
    this.#state?.close();
    this.#state = undefined;
  }

  #resultOf({ method, params }: Request): unknown {
    if (method === 'backend.initialize') return this.#initialize(params);
    if (this.#state === undefined) throw new ProtocolFault('not_initialized', 'backend provider is not initialized');
    if (method === 'backend.shutdown') return this.#shutDown();
    const serve = METHODS.get(method);
    if (serve !== undefined) return serve(this.#state, paramsOf(params));
    throw new ProtocolFault('unsupported_capability', `method ${JSON.stringify(method)} is not implemented by the sqlite backend provider yet`);
  }

  /** A second time it takes the place of the first, unless it fails. */
  async #initialize(params: unknown): Promise<unknown> {
    const { root, path = DEFAULT_PATH } = initialization(paramsOf(params));
    const { clock, signal } = this.#options;
    const state = await ServedState.open({ root, path, clock }, signal);
    this.close();
    this.#state = state;
    return PROVIDER;
  }

  #shutDown(): unknown {
    this.close();
    return { ok: true };
  }

  #framed({ id }: Request, result: unknown): Uint8Array {
    return frameOf(resultText(id, result));
  }

  #faultOf(error: unknown, { method }: Request): ProtocolFault {
    if (error instanceof ProtocolFault) return error;
    if (error instanceof FrameFault) return new ProtocolFault('validation_failed', `the answer is too large: ${error.message}; ask with a limit`);
    if (isDroverError(error)) return describedFault(error, method);
    if (this.#options.signal.aborted) return new ProtocolFault('internal', 'the provider was stopped while it waited');
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    this.#options.diagnose(`internal error in ${method}: ${reason}`);
    return new ProtocolFault('internal', `internal error: ${reason}`);
  }
}

/** What stands in the way of the place that was asked for is the asker's to correct. */
const OF_THE_PLACE = new Set(['symlink-refused', 'path-outside', 'not-a-directory', 'not-a-file', 'not-a-regular-file']);

function describedFault({ code, message, remedy }: { code: string; message: string; remedy: string }, method: string): ProtocolFault {
  const isPlace = method === 'backend.initialize' && OF_THE_PLACE.has(code);
  return new ProtocolFault(isPlace ? 'validation_failed' : 'internal', message, { code, remedy });
}
