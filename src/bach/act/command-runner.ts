import { resolve } from 'node:path';
import { start, type Child, type ChildExit } from '../../kernel/process/index.ts';
import type { Cause } from '../decide/index.ts';
import type { Target } from '../model/index.ts';
import type { Argv } from './operation.ts';
import type { RunContext } from './run-context.ts';

/** Between TERM and KILL. */
export const GRACE_MS = 5_000;

export interface CommandRunnerOptions {
  readonly target: Target;
  readonly context: RunContext;
  /** Of the target's log. */
  readonly descriptor: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs the commands of one target, one at a time, into its log, and ends whichever runs when it is cancelled. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;
  readonly #cancelled = new AbortController();
  #child: Child | undefined;
  #why: Cause | undefined;
  /** Ends the wait of the output for its reader. */
  #letGo: () => void = () => undefined;

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  /** Why it was cancelled; nothing more is to be started then. */
  get why(): Cause | undefined {
    return this.#why;
  }

  /** Aborted when it is cancelled, for waits between commands. */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** Settles when everything that it started has ended. `hear` gets what it prints, before it is masked. */
  async run(argv: Argv, hear: (chunk: Buffer) => void): Promise<ChildExit> {
    const { target, context, descriptor, environment } = this.#options;
    const { verb, folder, place, reaper, redaction } = context;
    const request = {
      argv,
      origin: 'project',
      cwd: resolve(place.root, target.workdir),
      env: environment,
      marker: folder.id,
      log: descriptor,
      graceMs: GRACE_MS,
      scrub: redaction.createScrubber(),
      onOutput: (chunk: Buffer) => {
        hear(chunk);
        return this.#readerFollows();
      },
    } as const;
    this.#child = start(request, { clock: verb.clock, reaper });
    return this.#child.exit;
  }

  /** TERM, KILL after the grace. */
  cancel(why: Cause): void {
    this.#why ??= why;
    this.#cancelled.abort();
    this.#child?.stop();
    this.#letGo();
  }

  /** Ends it at once. */
  kill(): void {
    this.#child?.kill();
    this.#letGo();
  }

  /** Holds the output back for a slow reader, but no longer than until somebody wants the end. */
  #readerFollows(): Promise<void> {
    if (this.#why !== undefined) return Promise.resolve();
    const letGo = new Promise<void>((settle) => {
      this.#letGo = settle;
    });
    return Promise.race([letGo, this.#options.context.verb.out.drained()]);
  }
}
