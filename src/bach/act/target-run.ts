import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeSystemError, isDroverError } from '../../kernel/errors/index.ts';
import type { ChildExit } from '../../kernel/process/index.ts';
import { LineCutter } from '../../kernel/text/index.ts';
import { formatRfc3339Nano } from '../../kernel/time/index.ts';
import { verdictText, type CacheVerdict, type Cause } from '../decide/index.ts';
import type { EnvironmentEntry, Operation, Target } from '../model/index.ts';
import { outputExists, TargetLog } from '../store/index.ts';
import { CommandRunner } from './command-runner.ts';
import { brokenContract, searchedTexts, type CheckAnswer } from './contract.ts';
import { LONGEST_WAIT_MS } from './deadlines.ts';
import { expandOperation, expandRunDirectory, expandText, targetEnvironment, type Argv, type ExpandedOperation } from './operation.ts';
import { progressLinesOf, type ProgressLines } from './progress-lines.ts';
import { retryLines } from './retry.ts';
import type { RunContext } from './run-context.ts';
import { TextSearch } from './text-search.ts';

const CUT_LOG = 'it emptied its log, as `> /dev/stderr` does: what it had printed before is no longer in the log (`>>` keeps it)';

/** How the operation of a target ended. */
export interface TargetEnd {
  readonly status: 'success' | 'failed';
  readonly exitCode: number | undefined;
  /** Why it failed; empty otherwise. */
  readonly message: string;
  /** It was ended from outside: its own time, its group's, or a stop. */
  readonly cut: boolean;
  /** The message names the target itself. */
  readonly whole: boolean;
  /** What the user can do about it, where we know. */
  readonly remedy: string | undefined;
}

/** A target with something to run. */
export type RunnableTarget = Target & { readonly operation: Operation };

/** One target's operation with all its attempts, from its first line to the end of its process group. */
export class TargetRun {
  readonly target: RunnableTarget;
  readonly log: TargetLog;
  readonly operation: ExpandedOperation;
  readonly startedMono: number;
  readonly #context: RunContext;
  readonly #directory: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #lines: ProgressLines;
  readonly #commands: CommandRunner;
  #ended: Promise<TargetEnd> | undefined;

  /** Makes the run directory and the log, which its user closes. Throws a user error when the disk refuses. */
  constructor(target: RunnableTarget, context: RunContext, git: readonly EnvironmentEntry[]) {
    const { folder } = context;
    const directory = folder.createRunDirectory(target.name);
    const environment = targetEnvironment(context.environment, target.environment, { id: folder.id, directory, git });
    this.target = target;
    this.startedMono = context.verb.clock.mono();
    this.#context = context;
    this.#directory = directory;
    this.#environment = environment;
    this.#lines = progressLinesOf(target, context);
    this.operation = expandOperation(target.operation, environment, directory);
    this.log = new TargetLog(folder.logPath(target.name));
    this.#commands = new CommandRunner({ target, context, descriptor: this.log.descriptor, environment });
  }

  /** Settles when everything that the operation started has ended; `undefined` before it was started. */
  get ended(): Promise<TargetEnd> | undefined {
    return this.#ended;
  }

  /** Runs the operation and waits for the end of everything it started. */
  start(verdict: CacheVerdict): Promise<TargetEnd> {
    this.#ended ??= this.#run(verdict);
    return this.#ended;
  }

  /** Ends it: TERM, KILL after the grace. */
  cancel(why: Cause): void {
    this.#commands.cancel(why);
  }

  /** Ends it at once. */
  kill(): void {
    this.#commands.kill();
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

  async #run(verdict: CacheVerdict): Promise<TargetEnd> {
    const { verb, folder, redaction } = this.#context;
    const header = `[${formatRfc3339Nano(verb.clock.wall())}] run=${folder.id} target=${this.target.name}`;
    const shown = redaction.redactText(this.operation.text);
    this.log.line(`${header}\n${shown}`);
    this.#lines.print(withVerdict(verdict, shown));
    const end = await this.#attempts();
    if (end.message !== '') this.note(end.message);
    return end;
  }

  async #attempts(): Promise<TargetEnd> {
    const { attempts, backoffMs } = this.target.retry ?? { attempts: 1, backoffMs: 0 };
    for (let attempt = 1; ; attempt += 1) {
      const end = await this.#attempt();
      if (end.status === 'success' || end.cut || attempt >= attempts) return end;
      const lines = retryLines({ attempt, attempts, backoffMs, message: end.message });
      this.note(lines.failed);
      await this.#pause(backoffMs);
      const { why } = this.#commands;
      if (why !== undefined) return cutEnd(why, end.exitCode);
      this.note(lines.again);
    }
  }

  /** Until the time is over, or the target is cancelled. */
  async #pause(milliseconds: number): Promise<void> {
    try {
      await sleep(Math.min(milliseconds, LONGEST_WAIT_MS), undefined, { signal: this.#commands.cancelled });
    } catch {
      // It was cancelled, which whoever waits looks for.
    }
  }

  async #attempt(): Promise<TargetEnd> {
    const printed = new TextSearch(searchedTexts(this.target));
    for (const argv of this.operation.commands) {
      const end = await this.#command(argv, printed);
      if (end.status === 'failed') return end;
    }
    return this.#contract(printed);
  }

  async #command(argv: Argv, printed: TextSearch): Promise<TargetEnd> {
    const { why } = this.#commands;
    if (why !== undefined) return cutEnd(why);
    const { createRedactor } = this.#context.redaction;
    const cutter = new LineCutter((line) => this.#lines.print(line));
    const redactor = createRedactor();
    const show = this.#showsOutput ? (chunk: Buffer) => cutter.write(redactor.push(chunk)) : () => undefined;
    const exit = await this.#commands.run(argv, (chunk) => {
      printed.write(chunk);
      show(chunk);
    });
    cutter.write(redactor.flush());
    cutter.end();
    this.#tellOddities(exit);
    return endOf(exit, this.#commands.why);
  }

  get #showsOutput(): boolean {
    return !this.#context.shown.logOnly && this.#lines.isShown;
  }

  #tellOddities({ skipped, truncated, survivors }: ChildExit): void {
    if (skipped > 0 && this.#showsOutput) this.note(`${skipped} bytes more are in the log alone`);
    if (truncated > 0) this.note(CUT_LOG);
    if (survivors !== undefined) this.note(survivorsLine(survivors));
  }

  async #contract(printed: TextSearch): Promise<TargetEnd> {
    const message = await brokenContract(this.target, {
      printed,
      fileExists: (path) => outputExists(resolve(this.#context.place.root, expandRunDirectory(path, this.#directory))),
      run: (argv) => this.#check(argv),
    });
    if (message === undefined) return SUCCESS;
    const { why } = this.#commands;
    if (why !== undefined) return cutEnd(why, 0);
    return { status: 'failed', exitCode: 0, message, cut: false, whole: true, remedy: undefined };
  }

  /** The command of a check: it prints into the log alone. */
  async #check([program, ...words]: Argv): Promise<CheckAnswer> {
    if (this.#commands.why !== undefined) return 'cut';
    const expand = (text: string): string => expandText(text, this.#environment, this.#directory);
    const argv: Argv = [expand(program), ...words.map(expand)];
    this.log.startLine(this.#context.redaction.redactText(`[contract] ${argv.join(' ')}`));
    const exit = await this.#commands.run(argv, () => undefined);
    if (exit.stopped !== undefined) return 'cut';
    if (exit.survivors !== undefined) this.note(survivorsLine(exit.survivors));
    if (exit.kind === 'not-started' || exit.kind === 'not-ended') return { error: exit.error.message };
    return exit.kind === 'exited' && exit.code === 0 ? 'true' : 'false';
  }
}

/** `(stale: changed input) make`, or the operation alone. */
export function withVerdict(verdict: CacheVerdict | undefined, operation: string): string {
  const told = verdict === undefined ? '' : verdictText(verdict);
  return told === '' ? operation : `${told} ${operation}`;
}

const SUCCESS: TargetEnd = { status: 'success', exitCode: 0, message: '', cut: false, whole: false, remedy: undefined };

function endOf(exit: ChildExit, cancelled: Cause | undefined): TargetEnd {
  const exitCode = exit.kind === 'exited' ? exit.code : undefined;
  // A stop that came when it had ended by itself changes nothing of how it ended.
  if (exit.stopped !== undefined && cancelled !== undefined) return cutEnd(cancelled, exitCode);
  const message = failureText(exit);
  if (message === '') return SUCCESS;
  return { status: 'failed', exitCode, message, cut: false, whole: false, remedy: remedyOf(exit) };
}

/** The end of what was ended from outside. */
export function cutEnd({ message }: Cause, exitCode?: number): TargetEnd {
  return { status: 'failed', exitCode, message, cut: true, whole: true, remedy: undefined };
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
