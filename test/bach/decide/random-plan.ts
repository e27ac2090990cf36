import fc from 'fast-check';
import {
  executionGraph,
  Scheduler,
  type Command,
  type GraphTarget,
  type Plan,
  type RunResult,
} from '../../../src/bach/decide/index.ts';
import { group, planOf } from './fixtures.ts';

export interface Scenario {
  readonly targets: readonly GraphTarget[];
  readonly requested: readonly string[];
  readonly jobs: number;
  /** Which of the running targets ends next, one number per step, used again from the start. */
  readonly picks: readonly number[];
}

interface Sketch {
  readonly kind: GraphTarget['kind'];
  readonly runnable: boolean;
  readonly dependsOn: readonly number[];
  readonly children: readonly number[];
  readonly lock: string;
}

interface Flavour {
  readonly kinds?: readonly GraphTarget['kind'][];
  readonly locks?: readonly string[];
}

const ALL_KINDS = ['shell', 'shell', 'shell', 'pipeline', 'pipeline', 'group'] as const;
const ALL_LOCKS = ['', '', '', 'db', 'net', 'port'] as const;

/** The first targets are plain commands, so that many share them. */
const FLOOR = 4;

/** Any acyclic project of up to 16 targets: each refers to earlier ones only. */
export function scenarios({ kinds = ALL_KINDS, locks = ALL_LOCKS }: Flavour = {}): fc.Arbitrary<Scenario> {
  const sketch: fc.Arbitrary<Sketch> = fc.record({
    kind: fc.constantFrom(...kinds),
    runnable: fc.integer({ min: 0, max: 5 }).map((roll) => roll > 0),
    dependsOn: fc.array(fc.nat(99), { maxLength: 1 }),
    children: fc.array(fc.nat(99), { maxLength: 4, size: 'max' }),
    lock: fc.constantFrom(...locks),
  });
  return fc.record({
    targets: fc.array(sketch, { minLength: 8, maxLength: 16, size: 'max' }).map((sketches) => sketches.map(targetOf)),
    requested: fc.array(fc.nat(99), { minLength: 3, maxLength: 10, size: 'max' }),
    jobs: fc.integer({ min: 1, max: 4 }),
    picks,
  }).map(withRequested);
}

const picks = fc.array(fc.nat(99), { minLength: 1, maxLength: 14 });

/** Composites nested like a tree, each target in one of them, locks anywhere, dependencies between siblings alone. */
export function nestedScenarios(): fc.Arbitrary<Scenario> {
  const node: fc.Arbitrary<TreeNode> = fc.record({
    parent: fc.nat(99),
    kind: fc.constantFrom<GraphTarget['kind'][]>('shell', 'shell', 'group', 'pipeline'),
    lock: fc.constantFrom('', 'db', 'net', 'port'),
    sibling: fc.option(fc.nat(99)),
  });
  return fc.record({
    targets: fc.array(node, { minLength: 1, maxLength: 20, size: 'max' }).map(treeOf),
    jobs: fc.integer({ min: 1, max: 4 }),
    picks,
  }).map((scenario) => ({ ...scenario, requested: ['root'] }));
}

interface TreeNode {
  readonly parent: number;
  readonly kind: GraphTarget['kind'];
  readonly lock: string;
  readonly sibling: number | null;
}

function treeOf(nodes: readonly TreeNode[]): GraphTarget[] {
  const root: GraphTarget & { children: string[] } = { ...group('root', []), children: [] };
  const composites = [root];
  const all: GraphTarget[] = [root];
  nodes.forEach(({ parent, kind, lock, sibling }, index) => {
    const siblings = composites[parent % composites.length]!.children;
    const dependsOn = sibling === null || siblings.length === 0 ? [] : [siblings[sibling % siblings.length]!];
    const runnable = kind === 'shell';
    const target = { name: `t${index}`, kind, lock, dependsOn, children: [], runnable, timeoutMs: undefined };
    siblings.push(target.name);
    all.push(target);
    if (kind !== 'shell') composites.push(target);
  });
  return all;
}

function targetOf(sketch: Sketch, index: number): GraphTarget {
  const earlier = (numbers: readonly number[]) => (index === 0 ? [] : numbers.map((number) => `t${number % index}`));
  const isShell = sketch.kind === 'shell' || index < FLOOR;
  return {
    name: `t${index}`,
    kind: isShell ? 'shell' : sketch.kind,
    runnable: isShell && sketch.runnable,
    dependsOn: index < FLOOR ? [] : [...new Set(earlier(sketch.dependsOn))],
    children: isShell ? [] : earlier(sketch.children),
    lock: sketch.lock,
    timeoutMs: undefined,
  };
}

function withRequested(raw: Omit<Scenario, 'requested'> & { readonly requested: readonly number[] }): Scenario {
  const last = raw.targets.length - 1;
  return { ...raw, requested: raw.requested.map((number) => `t${last - (number % raw.targets.length)}`) };
}

export type Step =
  | { readonly type: 'start' | 'success' | 'failed'; readonly target: string; readonly running: readonly string[] }
  | { readonly type: 'stop' };

export interface Played {
  readonly plan: Plan;
  /** Starts and ends in order; `running` is what runs beside it at that moment. */
  readonly steps: readonly Step[];
  readonly commands: readonly Command[];
  readonly result: RunResult;
}

interface Trouble {
  /** The end with this number is a failure. */
  readonly failAt?: number;
  /** Before the end with this number the user stops the run. */
  readonly stopAt?: number;
}

/** Plays a scenario to its end; throws when the scheduler comes to rest with nothing running and no result. */
export function play(scenario: Scenario, { failAt, stopAt }: Trouble = {}): Played {
  const plan = planOf(scenario.targets, scenario.requested);
  const scheduler = new Scheduler(executionGraph(plan), { jobs: scenario.jobs });
  const running: string[] = [];
  const steps: Step[] = [];
  const commands: Command[] = [];
  const follow = (next: readonly Command[]) => {
    for (const command of next) {
      commands.push(command);
      if (command.type === 'start') steps.push({ type: 'start', target: command.target, running: [...running] });
      if (command.type === 'start') running.push(command.target);
      if (command.type !== 'complete') continue;
      steps.push({ type: command.status, target: command.target, running: [...running] });
    }
  };
  follow(scheduler.handle({ type: 'tick' }));
  for (let ends = 0; running.length > 0; ends++) {
    if (ends === stopAt) {
      steps.push({ type: 'stop' });
      follow(scheduler.handle({ type: 'stop', message: 'stopped' }));
    }
    const [target] = running.splice(scenario.picks[ends % scenario.picks.length]! % running.length, 1) as [string];
    const outcome = ends === failAt ? 'failed' : 'success';
    steps.push({ type: outcome, target, running: [...running] });
    follow(scheduler.handle({ type: 'finished', target, outcome }));
  }
  const last = commands.at(-1);
  if (last?.type !== 'finished') throw new Error(`stuck after ${JSON.stringify(steps)}`);
  return { plan, steps, commands, result: last.result };
}

/** A target with everything it needs and contains, found the slow way. */
export function closureOf(plan: Plan, names: Iterable<string>): Set<string> {
  const closure = new Set(names);
  for (const name of closure) {
    const { dependsOn, children } = plan.targets[plan.indexOf.get(name)!]!;
    for (const link of [...dependsOn, ...children]) closure.add(link);
  }
  return closure;
}

/** For each step of a pipeline after the first: what is new in it, and what must have finished before. */
export function stepBorders(plan: Plan, pipeline: GraphTarget) {
  const steps = [...new Set(pipeline.children)];
  return steps.slice(1).map((step, index) => {
    const before = closureOf(plan, steps.slice(0, index + 1));
    const excluded = closureOf(plan, [...before, ...pipeline.dependsOn]);
    const fresh = [...closureOf(plan, [step])].filter((name) => !excluded.has(name));
    return { barrier: `@barrier/${pipeline.name}/${index}`, before, fresh };
  });
}
