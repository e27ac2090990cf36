import {
  executionGraph,
  planRun,
  Scheduler,
  type Command,
  type GraphTarget,
  type Plan,
  type RunResult,
} from '../../../src/bach/decide/index.ts';

type Fields = Partial<Omit<GraphTarget, 'name' | 'kind'>>;

const base = { dependsOn: [], children: [], lock: '', timeoutMs: undefined } as const;

export function shell(name: string, fields: Fields = {}): GraphTarget {
  return { ...base, name, kind: 'shell', runnable: true, ...fields };
}

export function aggregate(name: string, dependsOn: readonly string[] = [], fields: Fields = {}): GraphTarget {
  return shell(name, { runnable: false, dependsOn, ...fields });
}

export function group(name: string, children: readonly string[], fields: Fields = {}): GraphTarget {
  return { ...base, name, kind: 'group', runnable: false, children, ...fields };
}

export function pipeline(name: string, children: readonly string[], fields: Fields = {}): GraphTarget {
  return { ...base, name, kind: 'pipeline', runnable: false, children, ...fields };
}

export function mapOf(targets: readonly GraphTarget[]): Map<string, GraphTarget> {
  return new Map(targets.map((target) => [target.name, target]));
}

export function planOf(targets: readonly GraphTarget[], requested: readonly string[]): Plan {
  const plan = planRun(mapOf(targets), requested);
  if (!plan.ok) throw plan.error;
  return plan;
}

/** Names `a b c` for short tests. */
export function names(text: string): string[] {
  return text.split(' ');
}

/** Writes a command as one short line. */
export function show(command: Command): string {
  switch (command.type) {
    case 'start':
    case 'disarm-deadline':
      return `${command.type} ${command.target}`;
    case 'arm-deadline':
      return `${command.type} ${command.target} ${command.ms}`;
    case 'cancel':
      return `cancel ${command.target}: ${command.why.message}`;
    case 'complete':
      return [`complete ${command.target} ${command.status}`, command.message].filter(Boolean).join(': ');
    case 'finished':
      return `finished ${command.result.status}`;
  }
}

/** One run step by step: each call returns the commands it led to, as short lines. */
export class Run {
  readonly commands: Command[] = [];
  readonly running = new Set<string>();
  readonly #scheduler: Scheduler;

  constructor(plan: Plan, jobs: number) {
    this.#scheduler = new Scheduler(executionGraph(plan), { jobs });
  }

  get result(): RunResult | undefined {
    const last = this.commands.at(-1);
    return last?.type === 'finished' ? last.result : undefined;
  }

  begin(): string[] {
    return this.#take(this.#scheduler.handle({ type: 'tick' }));
  }

  succeed(target: string): string[] {
    this.running.delete(target);
    return this.#take(this.#scheduler.handle({ type: 'finished', target, outcome: 'success' }));
  }

  fail(target: string): string[] {
    this.running.delete(target);
    return this.#take(this.#scheduler.handle({ type: 'finished', target, outcome: 'failed' }));
  }

  expire(...targets: string[]): string[] {
    return this.#take(this.#scheduler.handle({ type: 'deadline', targets }));
  }

  stop(message: string): string[] {
    return this.#take(this.#scheduler.handle({ type: 'stop', message }));
  }

  /** Lets everything succeed, the longest running first; returns the order of the starts. */
  finish(): string[] {
    for (let [first] = this.running; first !== undefined; [first] = this.running) this.succeed(first);
    return this.started;
  }

  get started(): string[] {
    return this.commands.flatMap((command) => (command.type === 'start' ? [command.target] : []));
  }

  get statuses(): Record<string, string> {
    const completions = this.commands.filter((command) => command.type === 'complete');
    return Object.fromEntries(completions.map((command) => [command.target, command.status]));
  }

  get lines(): string[] {
    return this.commands.flatMap((command) => (command.type === 'complete' && command.line ? [command.line] : []));
  }

  #take(commands: readonly Command[]): string[] {
    this.commands.push(...commands);
    for (const command of commands) if (command.type === 'start') this.running.add(command.target);
    return commands.map(show);
  }
}

export function begun(targets: readonly GraphTarget[], requested: readonly string[], jobs = 4): Run {
  const run = new Run(planOf(targets, requested), jobs);
  run.begin();
  return run;
}

/** The order of the starts when everything succeeds. */
export function startOrder(targets: readonly GraphTarget[], requested: readonly string[], jobs = 1): string[] {
  return begun(targets, requested, jobs).finish();
}
