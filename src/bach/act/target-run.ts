import { resolve } from 'node:path';
import { describeSystemError, isDroverError } from '../../kernel/errors/index.ts';
import { start, type Child, type ChildExit } from '../../kernel/process/index.ts';
import { LineCutter } from '../../kernel/text/index.ts';
import { formatRfc3339Nano } from '../../kernel/time/index.ts';
import { targetLabel, type Cause } from '../decide/index.ts';
import type { Operation, Target } from '../model/index.ts';
import { TargetLog } from '../store/index.ts';
import { expandOperation, targetEnvironment, type ExpandedOperation } from './operation.ts';
import { ProgressLines } from './progress-lines.ts';
import type { RunContext } from './run-context.ts';

/** Between TERM and KILL. */
export const GRACE_MS = 5_000;

const CUT_LOG = 'it emptied its log, as `> /dev/stderr` does: what it had printed before is no longer in the log (`>>` keeps it)';

/** How the operation of a target ended. */
export interface TargetEnd {
  readonly status: 'success' | 'failed';
  readonly exitCode: number | undefined;
  /** Why it failed; empty otherwise. */
  readonly message: string;
  /** It was ended from outside: its own time, its group's, or a stop. */
  readonly cut: boolean;
  /** What the user can do about it, where we know. */
  readonly remedy: string | undefined;
}

/** A target with something to run. */
export type RunnableTarget = Target & { readonly operation: Operation };

/** One target's operation, from its first line to the end of its process group. */
export class TargetRun {
  readonly target: RunnableTarget;
  readonly log: TargetLog;
  readonly operation: ExpandedOperation;
  readonly startedMono: number;
  readonly #context: RunContext;
  readonly #lines: ProgressLines;
  readonly #environment: Readonly<Record<string, string>>;
  #child: Child | undefined;
  #ended: Promise<TargetEnd> | undefined;
  #why: Cause | undefined;
  /** Ends the wait of the output for its reader. */
  #letGo: () => void = () => undefined;

  /** Makes the run directory and the log, which its user closes. Throws a user error when the disk refuses. */
  constructor(target: RunnableTarget, context: RunContext) {
    const directory = context.folder.createRunDirectory(target.name);
    this.target = target;
    this.startedMono = context.verb.clock.mono();
    this.#context = context;
    this.#lines = new ProgressLines(context.verb, targetLabel(target));
    this.#environment = targetEnvironment(context.environment, target.environment, { id: context.folder.id, directory });
    this.operation = expandOperation(target.operation, this.#environment, directory);
    this.log = new TargetLog(context.folder.logPath(target.name));
  }


  /** Settles when everything that the operation started has ended; `undefined` before it was started. */
  get ended(): Promise<TargetEnd> | undefined {
    return this.#ended;
  }

  /** Runs the operation and waits for the end of everything it started. */
  start(): Promise<TargetEnd> {
    this.#ended ??= this.#run();
    return this.#ended;
  }

  async #run(): Promise<TargetEnd> {
    const { verb, folder } = this.#context;
    const header = `[${formatRfc3339Nano(verb.clock.wall())}] run=${folder.id} target=${this.target.name}`;
    const { redactText } = this.#context.redaction;
    const shown = redactText(this.operation.text);
    this.log.line(`${header}\n${shown}`);
    this.#lines.print(shown);
    const cutter = new LineCutter((line) => this.#lines.print(line));
    const redactor = this.#context.redaction.createRedactor();
    this.#child = this.#spawn((chunk) => cutter.write(redactor.push(chunk)));
    const exit = await this.#child.exit;
    cutter.write(redactor.flush());
    cutter.end();
    if (exit.skipped > 0) this.note(`${exit.skipped} bytes more are in the log alone`);
    if (exit.truncated > 0) this.note(CUT_LOG);
    if (exit.survivors !== undefined) this.note(survivorsLine(exit.survivors));
    const end = this.#endOf(exit);
    if (end.message !== '') this.note(end.message);
    return end;
  }

  /** Ends it: TERM, KILL after the grace. */
  cancel(why: Cause): void {
    this.#why ??= why;
    this.#child?.stop();
    this.#letGo();
  }

  /** Ends it at once. */
  kill(): void {
    this.#child?.kill();
    this.#letGo();
  }

  /** A line about this target, on the terminal and in its log; a log that takes no more changes nothing else. */
  note(text: string): void {
    const shown = this.#context.redaction.redactText(text);
    this.#lines.print(shown);
    try {
      this.log.startLine(shown);
    } catch (error) {
      this.#lines.print(describeSystemError(error, { action: 'write', path: this.log.path }).message);
    }
  }

  #spawn(show: (chunk: Buffer) => void): Child {
    const { verb, folder, place, reaper, redaction } = this.#context;
    const request = {
      argv: this.operation.argv,
      origin: 'project',
      cwd: resolve(place.root, this.target.workdir),
      env: this.#environment,
      marker: folder.id,
      log: this.log.descriptor,
      graceMs: GRACE_MS,
      scrub: redaction.createScrubber(),
      onOutput: (chunk: Buffer) => {
        show(chunk);
        return this.#readerFollows();
      },
    } as const;
    return start(request, { clock: verb.clock, reaper });
  }

  /** Holds the output back for a slow reader, but no longer than until somebody wants the end. */
  #readerFollows(): Promise<void> {
    if (this.#why !== undefined) return Promise.resolve();
    const letGo = new Promise<void>((settle) => {
      this.#letGo = settle;
    });
    return Promise.race([letGo, this.#context.verb.out.drained()]);
  }

  #endOf(exit: ChildExit): TargetEnd {
    const exitCode = exit.kind === 'exited' ? exit.code : undefined;
    // A stop that came when it had ended by itself changes nothing of how it ended.
    const why = exit.stopped === undefined ? undefined : this.#why;
    const message = why?.message ?? failureText(exit);
    const status = message === '' ? 'success' : 'failed';
    const cut = why !== undefined;
    return { status, exitCode, message, cut, remedy: cut ? undefined : remedyOf(exit) };
  }
}

/** Empty for success. */
function failureText(exit: ChildExit): string {
  if (exit.kind === 'exited') return exit.code === 0 ? '' : `exit status ${exit.code}`;
  if (exit.kind === 'signalled') return `ended by ${exit.signal}`;
  return exit.error.message;
}

function remedyOf(exit: ChildExit): string | undefined {
  return 'error' in exit && isDroverError(exit.error) ? exit.error.remedy : undefined;
}

function survivorsLine(how: NonNullable<ChildExit['survivors']>): string {
  if (how === 'left') return 'processes that it left running could not be ended';
  return `processes that it left running were ${how}`;
}
