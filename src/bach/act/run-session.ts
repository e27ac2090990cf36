import { executionGraph, RUN_DIRECTORY, Scheduler, targetLabel, type CacheVerdict, type Cause, type Command, type Completion, type RunResult, type SchedulerEvent } from '../decide/index.ts';
import type { ArtifactRecord, Target, TargetRunRecord } from '../model/index.ts';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { artifactsOf } from './artifacts.ts';
import { Deadlines } from './deadlines.ts';
import { namesGit } from './git-environment.ts';
import { expandOperation, targetEnvironment, variablesOf } from './operation.ts';
import { isShown, progressLinesOf } from './progress-lines.ts';
import type { Recorder } from './recorder.ts';
import { plannedTargets, type RunContext } from './run-context.ts';
import { stoppedBy } from './stop.ts';
import { cutEnd, TargetRun, type RunnableTarget, type TargetEnd } from './target-run.ts';

export type EndStatus = 'success' | 'failed' | 'preflight-failed';

/** How a run ended, before it is stored. */
export interface SessionEnd {
  readonly status: EndStatus;
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
  /** Of those whose files are being looked at. */
  readonly #looking = new Map<string, AbortController>();
  /** Cancelled before anything of theirs was started. */
  readonly #cancelledEarly = new Map<string, Cause>();
  readonly #artifacts: ArtifactRecord[] = [];
  readonly #result: Promise<RunResult>;
  #settle: (result: RunResult) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  #failure: SessionEnd['failure'];
  readonly #events: SchedulerEvent[] = [];
  #isTelling = false;
  /** For the operations of cached targets, which have no run directory. */
  #shown: Readonly<Record<string, string>> = {};
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
      this.#shown = await this.#shownEnvironment();
      this.#tell({ type: 'tick' });
      const result = await this.#result;
      return { status: result.status, result, artifacts: this.#artifacts, failure: this.#failure };
    } finally {
      graceful.removeEventListener('abort', ask);
      immediate.removeEventListener('abort', insist);
    }
  }

  /** Nothing new starts, and what runs is ended. */
  stop(message: string): void {
    this.#tell({ type: 'stop', message });
  }

  /** What commands lead to is told after them, not inside: a chain of cached targets may have any length. */
  #tell(event: SchedulerEvent): void {
    this.#events.push(event);
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
        for (const command of this.#scheduler.handle(next)) this.#obey(command);
      }
      this.#showProgress();
    } catch (error) {
      void this.#break(error);
    } finally {
      this.#isTelling = false;
    }
  }

  #killAll(): void {
    for (const look of this.#looking.values()) look.abort();
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
        return this.#cancel(command.target, command.why);
      case 'finished':
        return this.#isBroken ? undefined : this.#settle(command.result);
    }
  }

  #cancel(name: string, why: Cause): void {
    const run = this.#running.get(name);
    if (run !== undefined) return run.cancel(why);
    this.#cancelledEarly.set(name, why);
    this.#looking.get(name)?.abort();
  }

  #start(name: string): void {
    const verdict = this.#context.freshness.judge(this.#target(name));
    if (verdict?.kind === 'fresh') return this.#reuse(name);
    void this.#carryOut(name, verdict).catch((error: unknown) => this.#break(error));
  }

  /** Nothing is made for it on the disk: its row points at the run that made its result. */
  #reuse(name: string): void {
    const target = this.#target(name);
    const { freshness, verb, redaction, transcript } = this.#context;
    const { text } = expandOperation(target.operation, variablesOf(this.#shown, target.environment), RUN_DIRECTORY);
    const lines = progressLinesOf(target, this.#context);
    const shown = `(cached) ${redaction.redactText(text)}`;
    lines.print(shown);
    if (lines.isShown) transcript.hear(targetLabel(target), shown);
    const now = verb.clock.wall();
    const row = rowOf({ target: name, startedAt: now });
    this.#recorder.put({ ...row, status: 'cached', finishedAt: now, logPath: freshness.logOf(name) });
    this.#done++;
    this.#tell({ type: 'finished', target: name, outcome: 'success' });
  }

  async #carryOut(name: string, judged: CacheVerdict | undefined): Promise<void> {
    const startedAt = this.#context.verb.clock.wall();
    const end = await this.#runToEnd(this.#target(name), { startedAt, judged });
    if (end === 'fresh') return this.#reuse(name);
    this.#running.delete(name);
    this.#done++;
    const row = this.#recorder.row(name) ?? rowOf({ target: name, startedAt });
    const finishedAt = this.#context.verb.clock.wall();
    this.#recorder.put({ ...row, status: end.status, finishedAt, exitCode: end.exitCode, message: end.message });
    if (end.status === 'failed') this.#failure ??= { target: name, end };
    this.#tell({ type: 'finished', target: name, outcome: end.status });
  }

  /** A log or a run directory that cannot be made fails the target like a command that cannot be started. */
  async #runToEnd(target: RunnableTarget, { startedAt, judged }: Start): Promise<TargetEnd | 'fresh'> {
    const { freshness, verb } = this.#context;
    let run: TargetRun | undefined;
    try {
      const verdict = judged ?? (await this.#judgeAnew(target));
      if (verdict.kind === 'fresh') return 'fresh';
      const git = await this.#context.git.entries();
      await freshness.starts(target);
      const why = this.#cancelledEarly.get(target.name);
      if (why !== undefined || this.#isBroken) return cutEnd(why ?? BROKEN);
      run = new TargetRun(target, this.#context, git);
      this.#running.set(target.name, run);
      const logPath = this.#context.folder.stored(run.log.path);
      this.#recorder.put({ ...rowOf({ target: target.name, startedAt }), logPath, operation: run.operation.text });
      this.#showProgress();
      const end = await run.start(verdict);
      freshness.ran(target);
      this.#collect(run, end);
      const unkept = end.status === 'success' ? await freshness.succeeded(target, verb.stop.immediate) : undefined;
      if (unkept !== undefined) run.note(unkept);
      return end;
    } catch (error) {
      freshness.ran(target);
      const why = this.#cancelledEarly.get(target.name);
      if (why !== undefined) return cutEnd(why);
      const { message, remedy } = describeSystemError(error, { action: 'run', path: target.name });
      progressLinesOf(target, this.#context).print(message);
      return { status: 'failed', exitCode: undefined, message, cut: false, whole: false, remedy };
    } finally {
      run?.log.close();
    }
  }

  async #judgeAnew(target: Target): Promise<CacheVerdict> {
    const look = new AbortController();
    this.#looking.set(target.name, look);
    try {
      return await this.#context.freshness.judgeAnew(target, look.signal);
    } finally {
      this.#looking.delete(target.name);
    }
  }

  /** What cannot be looked at is said; how the operation ended stays as it is. */
  #collect(run: TargetRun, { status }: TargetEnd): void {
    try {
      const { artifacts, missing, truncated } = artifactsOf(run.target, this.#context.place.root, this.#context.folder);
      for (const artifact of artifacts) this.#artifacts.push(artifact);
      const tags = status === 'success' ? run.operation.tags : [];
      for (const value of tags) this.#artifacts.push({ target: run.target.name, kind: 'image-tag', path: '', value });
      if (truncated) run.note('the run directory holds more files than are recorded');
      if (status === 'success') for (const path of missing) run.note(`missing output ${path}`);
    } catch (error) {
      run.note(describeSystemError(error, { action: 'record the files of', path: run.target.name }).message);
    }
  }

  #complete({ target, status, line, message = '' }: Completion): void {
    const { verb, shown, transcript } = this.#context;
    if (line !== undefined && isShown(this.#target(target), shown)) {
      verb.out.line('', line);
      transcript.hear('', line);
    }
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

  /** Git is asked only where the answer is to be seen. */
  async #shownEnvironment(): Promise<Readonly<Record<string, string>>> {
    const { git, environment, folder } = this.#context;
    const facts = { id: folder.id, directory: RUN_DIRECTORY, git: namesGit(plannedTargets(this.#context)) ? await git.entries() : [] };
    return targetEnvironment(environment, [], facts);
  }

  #showProgress(): void {
    const running = [...this.#running.values()].map(({ target, startedMono }) => ({ name: target.name, sinceMono: startedMono }));
    this.#context.verb.out.progress({ done: this.#done, total: this.#context.plan.order.length, running });
  }

  #target(name: string): RunnableTarget {
    return this.#context.project.targets.get(name) as RunnableTarget;
  }
}

interface Start {
  readonly startedAt: bigint;
  readonly judged: CacheVerdict | undefined;
}

const BROKEN: Cause = { kind: 'stop', message: 'stopped because the run broke off' };

function earlier(a: bigint | undefined, b: bigint): bigint {
  return a === undefined || b < a ? b : a;
}

function rowOf({ target, startedAt }: Pick<TargetRunRecord, 'target' | 'startedAt'>): TargetRunRecord {
  const nothingYet = { finishedAt: undefined, logPath: '', operation: '', exitCode: undefined, message: '' };
  return { target, startedAt, status: 'running', ...nothingYet };
}
