import { executionGraph, Scheduler, targetLabel, type Command, type Completion, type RunResult, type SchedulerEvent } from '../decide/index.ts';
import type { ArtifactRecord, TargetRunRecord } from '../model/index.ts';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { artifactsOf } from './artifacts.ts';
import { Deadlines } from './deadlines.ts';
import { ProgressLines } from './progress-lines.ts';
import type { Recorder } from './recorder.ts';
import type { RunContext } from './run-context.ts';
import { stoppedBy } from './stop.ts';
import { TargetRun, type RunnableTarget, type TargetEnd } from './target-run.ts';

/** How a run ended, before it is stored. */
export interface SessionEnd {
  readonly result: RunResult;
  readonly artifacts: readonly ArtifactRecord[];
  /** What the target that failed first said. */
  readonly failure: { readonly target: string; readonly end: TargetEnd } | undefined;
}

export interface SessionOptions {
  readonly context: RunContext;
  readonly recorder: Recorder;
  readonly jobs: number;
}

/** Carries out what the scheduler decides: starts, ends and records targets until nothing is left. */
export class RunSession {
  readonly #context: RunContext;
  readonly #recorder: Recorder;
  readonly #scheduler: Scheduler;
  readonly #deadlines: Deadlines;
  readonly #running = new Map<string, TargetRun>();
  readonly #artifacts: ArtifactRecord[] = [];
  readonly #result: Promise<RunResult>;
  #settle: (result: RunResult) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  #failure: SessionEnd['failure'];
  #done = 0;
  #isBroken = false;

  constructor({ context, recorder, jobs }: SessionOptions) {
    this.#context = context;
    this.#recorder = recorder;
    this.#scheduler = new Scheduler(executionGraph(context.plan), { jobs });
    this.#deadlines = new Deadlines(context.verb.clock, (targets) => this.#tell({ type: 'deadline', targets }));
    this.#result = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
  }

  /** Runs to the end; afterwards nothing that was started is left. */
  async run(): Promise<SessionEnd> {
    const { graceful, immediate } = this.#context.verb.stop;
    const ask = (): void => this.stop(stoppedBy(this.#context.verb));
    const insist = (): void => this.#killAll();
    graceful.addEventListener('abort', ask);
    immediate.addEventListener('abort', insist);
    try {
      if (graceful.aborted) ask();
      this.#tell({ type: 'tick' });
      const result = await this.#result;
      return { result, artifacts: this.#artifacts, failure: this.#failure };
    } finally {
      graceful.removeEventListener('abort', ask);
      immediate.removeEventListener('abort', insist);
    }
  }

  /** Nothing new starts, and what runs is ended. */
  stop(message: string): void {
    this.#tell({ type: 'stop', message });
  }

  #tell(event: SchedulerEvent): void {
    try {
      for (const command of this.#scheduler.handle(event)) this.#obey(command);
      this.#showProgress();
    } catch (error) {
      void this.#break(error);
    }
  }

  #killAll(): void {
    for (const run of this.#running.values()) run.kill();
  }

  /** A defect of ours ends the run, and still nothing that was started may be left. */
  async #break(defect: unknown): Promise<void> {
    this.#isBroken = true;
    this.#killAll();
    await Promise.allSettled([...this.#running.values()].map((run) => run.ended));
    this.#fail(defect);
  }

  #obey(command: Command): void {
    switch (command.type) {
      case 'start':
        return this.#start(command.target);
      case 'complete':
        return this.#complete(command);
      case 'arm-deadline':
        return this.#deadlines.arm(command.target, command.ms);
      case 'disarm-deadline':
        return this.#deadlines.disarm(command.target);
      case 'cancel':
        return this.#running.get(command.target)?.cancel(command.why);
      case 'finished':
        return this.#isBroken ? undefined : this.#settle(command.result);
    }
  }

  #start(name: string): void {
    void this.#carryOut(name).catch((error: unknown) => this.#break(error));
  }

  async #carryOut(name: string): Promise<void> {
    const target = this.#target(name);
    const startedAt = this.#context.verb.clock.wall();
    const end = await this.#runToEnd(target, startedAt);
    this.#running.delete(name);
    this.#done++;
    const row = this.#recorder.row(name) ?? rowOf({ target: name, startedAt });
    const finishedAt = this.#context.verb.clock.wall();
    this.#recorder.put({ ...row, status: end.status, finishedAt, exitCode: end.exitCode, message: end.message });
    if (end.status === 'failed') this.#failure ??= { target: name, end };
    this.#tell({ type: 'finished', target: name, outcome: end.status });
  }

  /** A log or a run directory that cannot be made fails the target like a command that cannot be started. */
  async #runToEnd(target: RunnableTarget, startedAt: bigint): Promise<TargetEnd> {
    let run: TargetRun | undefined;
    try {
      run = new TargetRun(target, this.#context);
      this.#running.set(target.name, run);
      const logPath = this.#context.folder.stored(run.log.path);
      this.#recorder.put({ ...rowOf({ target: target.name, startedAt }), logPath, operation: run.operation.text });
      const end = await run.start();
      this.#collect(run, end);
      return end;
    } catch (error) {
      const { message, remedy } = describeSystemError(error, { action: 'run', path: target.name });
      new ProgressLines(this.#context.verb, targetLabel(target)).print(message);
      return { status: 'failed', exitCode: undefined, message, cut: false, remedy };
    } finally {
      run?.log.close();
    }
  }

  /** What cannot be looked at is said; how the operation ended stays as it is. */
  #collect(run: TargetRun, { status }: TargetEnd): void {
    try {
      const { artifacts, missing, truncated } = artifactsOf(run.target, this.#context.place.root, this.#context.folder);
      for (const artifact of artifacts) this.#artifacts.push(artifact);
      if (truncated) run.note('the run directory holds more files than are recorded');
      if (status === 'success') for (const path of missing) run.note(`missing output ${path}`);
    } catch (error) {
      run.note(describeSystemError(error, { action: 'record the files of', path: run.target.name }).message);
    }
  }

  #complete({ target, status, line, message = '' }: Completion): void {
    const { verb } = this.#context;
    if (line !== undefined) verb.out.line('', line);
    this.#done++;
    const now = verb.clock.wall();
    const row = rowOf({ target, startedAt: this.#firstStartWithin(target) ?? now });
    this.#recorder.put({ ...row, status, finishedAt: now, message });
  }

  /** A group or a pipeline began when the first of its members did. */
  #firstStartWithin(name: string): bigint | undefined {
    const starts = this.#target(name).children.map((child) => this.#recorder.row(child)?.startedAt);
    return starts.filter((time) => time !== undefined).reduce<bigint | undefined>(earlier, undefined);
  }

  #showProgress(): void {
    const running = [...this.#running.values()].map(({ target, startedMono }) => ({ name: target.name, sinceMono: startedMono }));
    this.#context.verb.out.progress({ done: this.#done, total: this.#context.plan.order.length, running });
  }

  #target(name: string): RunnableTarget {
    return this.#context.project.targets.get(name) as RunnableTarget;
  }
}

function earlier(a: bigint | undefined, b: bigint): bigint {
  return a === undefined || b < a ? b : a;
}

function rowOf({ target, startedAt }: Pick<TargetRunRecord, 'target' | 'startedAt'>): TargetRunRecord {
  const nothingYet = { finishedAt: undefined, logPath: '', operation: '', exitCode: undefined, message: '' };
  return { target, startedAt, status: 'running', ...nothingYet };
}
