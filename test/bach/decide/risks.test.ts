import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveRisks, risksTogether } from '../../../src/bach/decide/index.ts';
import { planRun } from '../../../src/bach/decide/plan.ts';
import type { Risks, Target } from '../../../src/bach/model/index.ts';
import { project, target } from './look/fixtures.ts';

const risky = (fields: Partial<Risks>): Risks => ({ remote: false, destructive: false, requiresConfirmation: false, ...fields });

function labelsOf(targets: readonly Target[], name: string): string {
  return effectiveRisks(project({ targets }).targets).get(name)?.labels.join(',') ?? 'missing';
}

describe('effective risks', () => {
  const remote = target('shell/remote', { risks: risky({ remote: true }) });
  const careful = target('shell/careful', { risks: risky({ requiresConfirmation: true }) });

  test.each([
    ['its own', remote, 'remote'],
    ['of a dependency', target('shell/x', { dependsOn: ['shell/remote'] }), 'remote'],
    ['of a step', target('pipeline/x', { children: ['shell/remote', 'shell/careful'] }), 'remote,requires_confirmation'],
    ['of a member', target('group/x', { children: ['shell/careful'] }), 'requires_confirmation'],
    ['with its own, in a fixed order', target('shell/x', { dependsOn: ['shell/careful', 'shell/remote'], risks: risky({ destructive: true }) }), 'remote,destructive,requires_confirmation'],
    ['none', target('shell/x'), ''],
    ['a name that does not exist brings none', target('shell/x', { dependsOn: ['shell/gone'] }), ''],
  ])('%s', (_, each, expected) => {
    expect(labelsOf([each, ...[remote, careful].filter(({ name }) => name !== each.name)], each.name)).toBe(expected);
  });

  test('flags and labels say the same', () => {
    const risks = effectiveRisks(project({ targets: [remote] }).targets).get('shell/remote');
    expect(risks).toEqual({ remote: true, destructive: false, requiresConfirmation: false, labels: ['remote'] });
  });

  test('what does not need a risky target is untouched by it', () => {
    expect(labelsOf([target('shell/x'), target('shell/y', { dependsOn: ['shell/x'], risks: risky({ remote: true }) })], 'shell/x')).toBe('');
  });

  test('a circle shares its risks, and hands them on', () => {
    const circle = [
      target('shell/a', { dependsOn: ['shell/b'], risks: risky({ remote: true }) }),
      target('shell/b', { dependsOn: ['shell/a'], risks: risky({ destructive: true }) }),
      target('shell/after', { dependsOn: ['shell/b'] }),
    ];
    for (const { name } of circle) expect(labelsOf(circle, name)).toBe('remote,destructive');
  });

  test('they are those of everything that a run of the target covers', () => {
    const names = ['shell/a', 'shell/b', 'shell/c', 'shell/d', 'shell/e', 'shell/f'];
    const shapes = fc.tuple(...names.map((_, index) => fc.tuple(fc.subarray(names.slice(0, index)), fc.boolean(), fc.boolean())));
    fc.assert(
      fc.property(shapes, (each) => {
        const targets = names.map((name, index) => {
          const [dependsOn, remoteOne, destructive] = each[index]!;
          return target(name, { dependsOn, risks: risky({ remote: remoteOne, destructive }) });
        });
        const byName = project({ targets }).targets;
        for (const [name, { remote: isRemote, destructive }] of effectiveRisks(byName)) {
          const plan = planRun(byName, [name]);
          const covered = plan.ok ? plan.order.map((one) => byName.get(one)!.risks) : [];
          expect([isRemote, destructive]).toEqual([covered.some((risks) => risks.remote), covered.some((risks) => risks.destructive)]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('one more risk, or one more dependency, takes none away', () => {
    const names = ['shell/a', 'shell/b', 'shell/c', 'shell/d', 'shell/e'];
    const shapes = fc.tuple(...names.map(() => fc.tuple(fc.subarray(names), fc.boolean(), fc.boolean())));
    const more = fc.record({ at: fc.nat({ max: 4 }), dependsOn: fc.subarray(names), risks: fc.record({ remote: fc.boolean(), destructive: fc.boolean(), requiresConfirmation: fc.boolean() }) });
    fc.assert(
      fc.property(shapes, more, (each, { at, dependsOn, risks }) => {
        const targets = names.map((name, index) => target(name, { children: each[index]![0], risks: risky({ remote: each[index]![1], requiresConfirmation: each[index]![2] }) }));
        const { name, risks: own } = targets[at]!;
        const raised = { remote: own.remote || risks.remote, destructive: risks.destructive, requiresConfirmation: own.requiresConfirmation || risks.requiresConfirmation };
        const after = targets.with(at, { ...targets[at]!, dependsOn, risks: raised });
        for (const one of names) expect(labelsOf(after, one).split(',')).toEqual(expect.arrayContaining(labelsOf(targets, one).split(',').filter(Boolean)));
        expect(labelsOf(after, name).split(',')).toEqual(expect.arrayContaining(risksTogether(dependsOn, effectiveRisks(project({ targets: after }).targets)).labels.slice()));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    [['shell/remote', 'shell/careful'], 'remote,requires_confirmation'],
    [['shell/careful', 'shell/gone'], 'requires_confirmation'],
    [[], ''],
  ])('of several targets together: %j', (names, expected) => {
    const together = risksTogether(names, effectiveRisks(project({ targets: [remote, careful] }).targets));
    expect(together.labels.join(',')).toBe(expected);
    expect(together.requiresConfirmation).toBe(expected.includes('requires_confirmation'));
  });

  test('a chain of 10,000', () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => target(`shell/t${i}`, { dependsOn: i === 0 ? ['shell/remote'] : [`shell/t${i - 1}`] }));
    expect(labelsOf([...chain, remote], 'shell/t9999')).toBe('remote');
  });
});
