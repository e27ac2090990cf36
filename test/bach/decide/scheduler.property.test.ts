import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { executionGraph, type GraphTarget } from '../../../src/bach/decide/index.ts';
import { planOf } from './fixtures.ts';
import { closureOf, nestedScenarios, play, scenarios, stepBorders, type Played, type Step } from './random-plan.ts';

const SEED = 20_240_611;
const runs = (numRuns: number) => ({ numRuns, seed: SEED });

const targetsOf = ({ plan }: Played) => new Map(plan.targets.map((target) => [target.name, target]));

type Kind = 'start' | 'success' | 'failed';

function namesOf(steps: readonly Step[], kind: Kind): string[] {
  return steps.flatMap((step) => (step.type === kind ? [step.target] : []));
}

/** The moment of each target: begun when it starts or completes without a process, ended when it ends. */
function moments({ steps }: Played): { begun: Map<string, number>; ended: Map<string, number> } {
  const begun = new Map<string, number>();
  const ended = new Map<string, number>();
  steps.forEach((step, at) => {
    if (step.type === 'stop') return;
    if (!begun.has(step.target)) begun.set(step.target, at);
    if (step.type !== 'start') ended.set(step.target, at);
  });
  return { begun, ended };
}

function endsBefore(played: Played, pairs: Iterable<readonly [earlier: string, later: string]>): void {
  const { begun, ended } = moments(played);
  for (const [earlier, later] of pairs) {
    expect(ended.get(earlier), `${earlier} before ${later}`).toBeLessThan(begun.get(later)!);
  }
}

describe('when everything succeeds', () => {
  test('every target is accounted for exactly once, and the run ends', () => {
    fc.assert(
      fc.property(scenarios(), (scenario) => {
        const played = play(scenario);
        const commands = played.plan.targets.filter((target) => target.runnable).map((target) => target.name);
        expect(namesOf(played.steps, 'success').sort()).toEqual([...played.plan.order].sort());
        expect(namesOf(played.steps, 'start').sort()).toEqual(commands.sort());
        expect(played.result).toMatchObject({ status: 'success', cause: undefined });
      }),
      runs(400),
    );
  });

  test('dependencies and children end before what needs them begins', () => {
    fc.assert(
      fc.property(scenarios(), (scenario) => {
        const played = play(scenario);
        endsBefore(
          played,
          played.plan.targets.flatMap((target) =>
            [...target.dependsOn, ...target.children].map((link) => [link, target.name] as const),
          ),
        );
      }),
      runs(300),
    );
  });

  test('what is new in a step begins after all that the steps before it need, unless relaxed', () => {
    fc.assert(
      fc.property(scenarios(), (scenario) => {
        const played = play(scenario);
        const relaxed = new Set(executionGraph(played.plan).relaxed.map(({ from }) => from));
        const borders = pipelinesOf(played.plan.targets).flatMap((target) => stepBorders(played.plan, target));
        for (const { barrier, before, fresh } of borders) {
          if (relaxed.has(barrier)) continue;
          endsBefore(played, fresh.flatMap((later) => [...before].map((earlier) => [earlier, later] as const)));
        }
      }),
      runs(400),
    );
  });

  test('a barrier edge is relaxed exactly when the declared orders contradict each other', () => {
    fc.assert(
      fc.property(scenarios(), ({ targets, requested }) => {
        const plan = planOf(targets, requested);
        const later = new Map(plan.order.map((name) => [name, new Set<string>()]));
        for (const { name, dependsOn, children } of plan.targets) {
          for (const link of [...dependsOn, ...children]) later.get(link)!.add(name);
        }
        for (const { before, fresh } of pipelinesOf(plan.targets).flatMap((target) => stepBorders(plan, target))) {
          for (const earlier of before) for (const name of fresh) later.get(earlier)!.add(name);
        }
        const contradicts = plan.order.some((name) => [...later.get(name)!].some((next) => reaches(later, next, name)));
        // A scope start has dependencies of its own: it can be the one node that is held in a contradiction.
        const relaxed = executionGraph(plan).relaxed.filter(({ to }) => !to.startsWith('@'));
        expect(relaxed.length > 0).toBe(contradicts);
      }),
      runs(400),
    );
  });

  test('what a composite depends on ends before its members begin, when no order says otherwise', () => {
    fc.assert(
      fc.property(scenarios({ kinds: ['shell', 'shell', 'group'] }), (scenario) => {
        const played = play(scenario);
        const groups = played.plan.targets.filter(({ kind }) => kind === 'group');
        const composites = groups.filter(({ dependsOn }) => dependsOn.length > 0);
        if (composites.length !== 1) return;
        const [composite] = composites as [GraphTarget];
        const outside = closureOf(played.plan, composite.dependsOn);
        const members = [...closureOf(played.plan, composite.children)].filter((name) => !outside.has(name));
        endsBefore(played, members.flatMap((later) => [...outside].map((earlier) => [earlier, later] as const)));
      }),
      runs(400),
    );
  });

  test('the same events lead to the same commands', () => {
    fc.assert(
      fc.property(scenarios(), (scenario) => {
        expect(play(scenario).commands).toEqual(play(scenario).commands);
      }),
      runs(100),
    );
  });
});

describe('slots and locks', () => {
  test('never more than the jobs allowed, never two commands with one lock', () => {
    fc.assert(
      fc.property(scenarios(), (scenario) => {
        const played = play(scenario);
        const targets = targetsOf(played);
        for (const step of played.steps) {
          if (step.type !== 'start') continue;
          const lock = targets.get(step.target)!.lock;
          expect(step.running.length).toBeLessThan(scenario.jobs);
          if (lock !== '') expect(step.running.map((name) => targets.get(name)!.lock)).not.toContain(lock);
        }
      }),
      runs(400),
    );
  });

  test('nothing idles: what could start, has started', () => {
    fc.assert(
      fc.property(scenarios({ kinds: ['shell'] }), (scenario) => {
        const played = play(scenario);
        const targets = targetsOf(played);
        const { begun, ended } = moments(played);
        played.steps.forEach((step, at) => {
          // A moment of rest: the next thing that happens is an end from outside.
          const next = played.steps[at + 1];
          if (step.type === 'stop' || next?.type !== 'success' || !targets.get(next.target)!.runnable) return;
          const running = [...next.running, next.target];
          if (running.length >= scenario.jobs) return;
          const held = new Set(running.map((name) => targets.get(name)!.lock).filter((lock) => lock !== ''));
          const could = played.plan.targets.filter(
            ({ name, dependsOn, lock }) =>
              begun.get(name)! > at && !held.has(lock) && dependsOn.every((link) => ended.get(link)! <= at),
          );
          expect(could).toEqual([]);
        });
      }),
      runs(300),
    );
  });

  test('nested composites keep their lock to themselves from the first member to the end, without lending', () => {
    fc.assert(
      fc.property(nestedScenarios(), (scenario) => {
        const played = play(scenario);
        expect(played.result.lent).toEqual([]);
        const { begun, ended } = moments(played);
        for (const composite of played.plan.targets.filter(({ kind, lock }) => kind !== 'shell' && lock !== '')) {
          const inside = closureOf(played.plan, composite.children);
          const opened = Math.min(...[...inside, composite.name].map((name) => begun.get(name)!));
          const outside = played.plan.targets.filter(
            (other) => other.kind === 'shell' && other.lock === composite.lock && !inside.has(other.name),
          );
          for (const { name } of outside) {
            const apart = ended.get(name)! < opened || begun.get(name)! > ended.get(composite.name)!;
            expect(apart, `${name} beside ${composite.name}`).toBe(true);
          }
        }
      }),
      runs(500),
    );
  });

  test('groups with one lock never meet, also where they share members, unless it had to be lent', () => {
    fc.assert(
      fc.property(scenarios({ kinds: ['shell', 'group', 'group'], locks: ['', '', 'db'] }), (scenario) => {
        const played = play(scenario);
        if (played.result.lent.length > 0) return;
        const groups = played.plan.targets.filter(({ kind, lock }) => kind === 'group' && lock !== '');
        for (const composite of groups) {
          const covered = awaitedBy(played, composite);
          const own = ownMembers(played, composite, groups);
          const lockOf = (name: string) => targetsOf(played).get(name)!.lock;
          const isForeign = (name: string) => !covered.has(name) && lockOf(name) === composite.lock;
          for (const step of played.steps) {
            if (step.type !== 'start') continue;
            if (own.has(step.target)) expect(step.running.filter(isForeign)).toEqual([]);
            if (isForeign(step.target)) expect(step.running.filter((name) => own.has(name))).toEqual([]);
          }
        }
      }),
      runs(300),
    );
  });

  /** What has to finish before it ends: its closure, and whatever another group makes that wait for. */
  function awaitedBy({ plan }: Played, composite: GraphTarget): Set<string> {
    const awaited = closureOf(plan, [composite.name]);
    for (let size = 0; size < awaited.size; ) {
      size = awaited.size;
      for (const { kind, dependsOn, children } of plan.targets) {
        const holdsOne = kind === 'group' && [...closureOf(plan, children)].some((name) => awaited.has(name));
        if (holdsOne) for (const name of closureOf(plan, dependsOn)) awaited.add(name);
      }
    }
    return awaited;
  }

  /** Those that run in no other scope with a lock and are no dependency of one. */
  function ownMembers({ plan }: Played, composite: GraphTarget, groups: readonly GraphTarget[]): Set<string> {
    const own = closureOf(plan, composite.children);
    const around = (other: GraphTarget) => closureOf(plan, [other.name]).has(composite.name);
    const rivals = groups.filter((other) => !own.has(other.name) && !around(other));
    const needed = plan.targets.filter(({ kind }) => kind === 'group').flatMap((other) => other.dependsOn);
    const elsewhere = closureOf(plan, [...rivals.map((rival) => rival.name), ...needed]);
    for (const name of elsewhere) own.delete(name);
    return own;
  }

  test('any plan ends, however its locks lie; lending is for overlapping composites alone', () => {
    fc.assert(
      fc.property(scenarios({ kinds: ['shell', 'group', 'pipeline'], locks: ['', 'db', 'net'] }), (scenario) => {
        const played = play(scenario);
        expect(played.result.status).toBe('success');
        const locked = played.plan.targets.filter(({ kind, lock }) => kind !== 'shell' && lock !== '');
        if (locked.length < 2) expect(played.result.lent).toEqual([]);
      }),
      runs(600),
    );
  });
});

describe('when something goes wrong', () => {
  const troubled = fc.tuple(scenarios(), fc.nat(8));

  test('nothing starts after a failure; all that runs is cancelled once, then the run ends failed', () => {
    fc.assert(
      fc.property(troubled, ([scenario, failAt]) => {
        const played = play(scenario, { failAt });
        const at = played.steps.findIndex((step) => step.type === 'failed');
        const failed = played.steps[at];
        expect(played.result.status).toBe(failed === undefined ? 'success' : 'failed');
        if (failed === undefined || failed.type === 'stop') return;
        expect(namesOf(played.steps.slice(at), 'start')).toEqual([]);
        expect(cancelledIn(played)).toEqual([...failed.running].sort());
        expect(played.result.cause).toMatchObject({ kind: 'failure', target: failed.target });
      }),
      runs(300),
    );
  });

  test('the composites recorded failed are those around the failed target that had opened', () => {
    fc.assert(
      fc.property(troubled, ([scenario, failAt]) => {
        const played = play(scenario, { failAt });
        const { cause } = played.result;
        if (cause === undefined) return;
        const recorded = namesOf(played.steps, 'failed').slice(1);
        const around = played.plan.targets.filter(
          ({ name, kind }) => kind !== 'shell' && closureOf(played.plan, [name]).has(cause.target!),
        );
        expect(around.map(({ name }) => name)).toEqual(expect.arrayContaining(recorded));
        const { begun } = moments(played);
        const opened = around.filter(
          ({ lock, timeoutMs, dependsOn, children }) =>
            lock === '' && timeoutMs === undefined && dependsOn.length === 0 && begun.has(children[0]!),
        );
        const plain = opened.filter(({ name }) => requestedOnItsOwn(played, name));
        expect(recorded).toEqual(expect.arrayContaining(plain.map(({ name }) => name)));
      }),
      runs(300),
    );
  });

  test('nothing starts after a stop; all that runs is cancelled', () => {
    fc.assert(
      fc.property(troubled, ([scenario, stopAt]) => {
        const played = play(scenario, { stopAt });
        const at = played.steps.findIndex((step) => step.type === 'stop');
        expect(played.result.status).toBe(at < 0 ? 'success' : 'failed');
        if (at < 0) return;
        const rest = played.steps.slice(at + 1);
        expect(namesOf(rest, 'start')).toEqual([]);
        expect(cancelledIn(played)).toEqual(namesOf(rest, 'success').sort());
        expect(played.result.cause).toEqual({ kind: 'stop', message: 'stopped' });
      }),
      runs(300),
    );
  });

  function cancelledIn({ commands }: Played): string[] {
    return commands.flatMap((command) => (command.type === 'cancel' ? [command.target] : [])).sort();
  }

  /** No pipeline holds it back: it opens with the run. */
  function requestedOnItsOwn({ plan }: Played, name: string): boolean {
    return plan.targets.every((other) => other.name === name || !closureOf(plan, [other.name]).has(name));
  }
});

function pipelinesOf(targets: readonly GraphTarget[]): GraphTarget[] {
  return targets.filter(({ kind }) => kind === 'pipeline');
}

function reaches(later: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const name of seen) for (const next of later.get(name)!) seen.add(next);
  return seen.has(to);
}
