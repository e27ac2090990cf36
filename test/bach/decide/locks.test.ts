import { describe, expect, test } from 'vitest';
import { aggregate, begun, group, names, pipeline, planOf, Run, shell } from './fixtures.ts';

const locked = (name: string, lock: string, dependsOn: string[] = []) => shell(name, { lock, dependsOn });
const running = (run: Run) => [...run.running];

describe('targets', () => {
  test('R04 one lock never overlaps, two do, also across groups and pipelines', () => {
    const targets = [
      ...names('a b').map((name) => locked(name, 'db')),
      locked('c', 'net'),
      group('g', ['a', 'c']),
      pipeline('p', ['b']),
    ];
    const run = begun(targets, ['g', 'p']);
    expect(running(run)).toEqual(['a', 'c']);
    expect(run.succeed('a')).toEqual(['start b']);
  });

  test('what waits for a lock holds no slot', () => {
    const targets = [...names('a b').map((name) => locked(name, 'db')), shell('free')];
    expect(running(begun(targets, names('a b free'), 2))).toEqual(['a', 'free']);
  });

  test('what waits for a slot holds no lock', () => {
    const targets = [locked('a', 'db'), shell('x'), shell('y'), locked('b', 'db'), locked('early', 'db', ['x'])];
    const run = begun(targets, names('a early y b'), 2);
    expect(running(run)).toEqual(['a', 'x']);
    expect(run.succeed('x')).toEqual(['start y']);
    expect(run.succeed('a')).toEqual(['start early']);
    expect(run.succeed('early')).toEqual(['start b']);
  });

  test('a lock passes on in plan order', () => {
    const run = begun(names('a b c').map((name) => locked(name, 'db')), names('a b c'));
    expect([run.succeed('a'), run.succeed('b')]).toEqual([['start b'], ['start c']]);
  });

  test('an aggregate waits for its lock, too, and gives it back at once', () => {
    const targets = [locked('a', 'db'), aggregate('n', [], { lock: 'db' }), locked('b', 'db')];
    const run = begun(targets, names('a n b'));
    expect(run.succeed('a')).toEqual(['complete n success', 'start b']);
    expect(run.lines).toEqual(['[n lock=db] noop']);
  });
});

describe('composites', () => {
  test('R05 a member with the lock of its group does not wait for it', () => {
    const run = begun([locked('a', 'db'), group('g', ['a'], { lock: 'db' })], ['g']);
    expect(running(run)).toEqual(['a']);
    expect(run.succeed('a')).toEqual(['complete g success', 'finished success']);
  });

  test('two members with the lock of their group still do not overlap', () => {
    const run = begun([locked('a', 'db'), locked('b', 'db'), group('g', ['a', 'b'], { lock: 'db' })], ['g']);
    expect(running(run)).toEqual(['a']);
    expect(run.succeed('a')).toEqual(['start b']);
  });

  test('a lock is held from the opening to the end, for members without one', () => {
    const targets = [shell('a'), shell('b'), pipeline('p', ['a', 'b'], { lock: 'db' }), locked('other', 'db')];
    const run = begun(targets, ['p', 'other']);
    expect(running(run)).toEqual(['a']);
    expect(run.succeed('a')).toEqual(['start b']);
    expect(run.succeed('b')).toEqual(['complete p success', 'start other']);
  });

  test('a composite that waits for its lock arms no deadline and starts no member', () => {
    const targets = [locked('first', 'db'), shell('a'), group('g', ['a'], { lock: 'db', timeoutMs: 9 })];
    const run = new Run(planOf(targets, ['first', 'g']), 4);
    expect(run.begin()).toEqual(['start first']);
    expect(run.succeed('first')).toEqual(['arm-deadline g 9', 'start a']);
  });

  test('nested composites may share a lock; a sibling waits for the inner one', () => {
    const targets = [
      shell('a'),
      group('inner', ['a'], { lock: 'db' }),
      locked('b', 'db'),
      group('outer', ['inner', 'b'], { lock: 'db' }),
    ];
    const run = begun(targets, ['outer']);
    expect(running(run)).toEqual(['a']);
    expect(run.succeed('a')).toEqual(['complete inner success', 'start b']);
    expect(run.succeed('b')).toEqual(['complete outer success', 'finished success']);
  });

  test('a target that a pipeline puts before a member, and that waits already, is let in when the group opens', () => {
    const targets = [
      locked('holder', 'db'),
      shell('member'),
      group('g', ['member'], { lock: 'db' }),
      locked('before', 'db'),
      pipeline('p', ['before', 'member']),
    ];
    const run = begun(targets, names('holder g p'));
    expect(running(run)).toEqual(['holder']);
    expect(run.succeed('holder')).toEqual(['start before']);
    expect(run.succeed('before')).toEqual(['start member']);
    run.finish();
    expect(run.result).toMatchObject({ status: 'success', lent: [] });
  });
});

describe('no deadlock', () => {
  const opposite = [
    shell('a1'),
    locked('a2', 'net'),
    pipeline('a', ['a1', 'a2'], { lock: 'db' }),
    shell('b1'),
    locked('b2', 'db'),
    pipeline('b', ['b1', 'b2'], { lock: 'net' }),
  ];

  test('two composites that need each other\'s lock run one after the other', () => {
    const run = begun(opposite, ['a', 'b']);
    expect(running(run)).toEqual(['a1']);
    expect(run.succeed('a1')).toEqual(['start a2']);
    expect(run.succeed('a2')).toEqual(['complete a success', 'start b1']);
    run.finish();
    expect(run.result).toMatchObject({ status: 'success', lent: [] });
  });

  test('nested composites in opposite order of locks run one after the other', () => {
    const nest = (name: string, outer: string, inner: string) => [
      shell(`${name}-work`),
      group(`${name}-in`, [`${name}-work`], { lock: inner }),
      group(name, [`${name}-in`], { lock: outer }),
    ];
    const run = begun([...nest('x', 'db', 'net'), ...nest('y', 'net', 'db')], ['x', 'y']);
    expect(running(run)).toEqual(['x-work']);
    expect(run.finish()).toEqual(['x-work', 'y-work']);
    expect(run.result?.lent).toEqual([]);
  });

  test('composites whose members share a lock that no composite holds run side by side', () => {
    const targets = [
      locked('a1', 'port'),
      group('a', ['a1'], { lock: 'db' }),
      shell('b1'),
      locked('b2', 'port'),
      group('b', ['b1', 'b2'], { lock: 'net' }),
    ];
    expect(running(begun(targets, ['a', 'b']))).toEqual(['a1', 'b1']);
  });

  test('a composite that may not open lets the lock pass to the next', () => {
    const targets = [
      ...opposite.slice(0, 3),
      locked('first', 'net'),
      ...opposite.slice(3),
      locked('other', 'net'),
    ];
    const run = begun(targets, names('first a b other'));
    expect(running(run)).toEqual(['first', 'a1']);
    expect(run.succeed('first')).toEqual(['start other']);
    run.finish();
    expect(run.result).toMatchObject({ status: 'success', lent: [] });
  });

  test('what an open composite has left behind no longer keeps others away', () => {
    const targets = [
      locked('early', 'net'),
      shell('rest'),
      group('left', ['early'], { lock: 'net' }),
      pipeline('p', ['left', 'tail']),
      group('tail', ['rest'], { lock: 'db' }),
      shell('x'),
      group('g', ['x'], { lock: 'net' }),
    ];
    const run = begun(targets, ['p', 'g']);
    expect(running(run)).toEqual(['early']);
    run.succeed('early');
    expect(running(run)).toEqual(['rest', 'x']);
  });
});

describe('composites that share a member', () => {
  test('with the same lock they run one after the other, the shared member in the first', () => {
    const targets = [
      ...names('shared a b').map((name) => shell(name)),
      group('x', ['shared', 'a'], { lock: 'db' }),
      group('y', ['shared', 'b'], { lock: 'db', timeoutMs: 9 }),
    ];
    const run = begun(targets, ['x', 'y']);
    expect(running(run)).toEqual(['shared', 'a']);
    run.succeed('shared');
    expect(run.succeed('a')).toEqual(['complete x success', 'arm-deadline y 9', 'start b']);
  });

  test('so do those that need the lock of the other', () => {
    const targets = [
      shell('shared'),
      locked('w', 'net', ['shared']),
      group('x', ['shared', 'w'], { lock: 'db' }),
      locked('z', 'db', ['shared']),
      group('y', ['shared', 'z'], { lock: 'net' }),
    ];
    const run = begun(targets, ['x', 'y']);
    expect(run.succeed('shared')).toEqual(['start w']);
    expect(run.succeed('w')).toEqual(['complete x success', 'start z']);
    run.finish();
    expect(run.result?.lent).toEqual([]);
  });

  test('the shared member still waits for what the second depends on', () => {
    const targets = [
      ...names('setup shared a').map((name) => shell(name)),
      shell('second', { dependsOn: ['shared'] }),
      group('x', ['shared', 'a'], { lock: 'db' }),
      group('y', ['second'], { lock: 'db', dependsOn: ['setup'] }),
    ];
    const run = begun(targets, ['x', 'y']);
    expect(running(run)).toEqual(['a', 'setup']);
    run.succeed('a');
    expect(run.succeed('setup')).toEqual(['start shared']);
    expect(run.succeed('shared')).toEqual(['complete x success', 'start second']);
  });

  test('with locks that do not touch they are open together', () => {
    const targets = [
      ...names('shared a b').map((name) => shell(name)),
      group('x', ['shared', 'a'], { lock: 'db' }),
      group('y', ['shared', 'b'], { lock: 'net' }),
    ];
    expect(running(begun(targets, ['x', 'y']))).toEqual(names('a shared b'));
  });

  test('when an order wants the second first, both are open rather than none', () => {
    const targets = [
      shell('shared'),
      shell('r1'),
      shell('v'),
      group('x', ['shared', 'v'], { lock: 'db' }),
      group('y', ['shared', 'r1'], { lock: 'db' }),
      pipeline('p', ['y', 'v']),
    ];
    const run = begun(targets, names('x y p'));
    run.finish();
    expect(run.result?.status).toBe('success');
    expect(run.started.indexOf('r1')).toBeLessThan(run.started.indexOf('v'));
  });
});

describe('orders that make one composite wait for another', () => {
  const tied = (inX: string[], inY: string[]) => [
    shell('v'),
    locked('w', 'net', ['v']),
    group('x', ['v', ...inX], { lock: 'db' }),
    shell('r'),
    locked('q', 'db', ['r']),
    group('y', ['r', ...inY], { lock: 'net' }),
    pipeline('p', ['r', 'v']),
  ];

  test('a member of the second goes first: it runs before the scopes', () => {
    const run = begun(tied(['w'], ['q']), names('x y p'));
    expect(running(run)).toEqual(['r']);
    run.succeed('r');
    expect(run.succeed('v')).toEqual(['complete p success', 'start w']);
    expect(run.succeed('w')).toEqual(['complete x success', 'start q']);
    run.finish();
    expect(run.result?.lent).toEqual([]);
  });

  test('a stranger with the same lock, awaited through an order, runs before the scope opens', () => {
    const targets = [
      ...names('a late').map((name) => shell(name)),
      locked('stranger', 'db'),
      group('x', ['a', 'late'], { lock: 'db' }),
      pipeline('p', ['stranger', 'late']),
    ];
    const run = begun(targets, ['x', 'p']);
    expect(running(run)).toEqual(['stranger']);
    expect(run.succeed('stranger')).toEqual(['start a', 'start late']);
  });

  test('unless the stranger itself waits for a member: then it runs inside', () => {
    const targets = [
      ...names('a late').map((name) => shell(name)),
      locked('stranger', 'db', ['a']),
      group('x', ['a', 'late'], { lock: 'db' }),
      pipeline('p', ['stranger', 'late']),
      locked('other', 'db'),
    ];
    const run = begun(targets, names('x p other'));
    expect(running(run)).toEqual(['a']);
    expect(run.succeed('a')).toEqual(['start stranger']);
    expect(run.succeed('stranger')).toEqual(['start late']);
    expect(run.succeed('late')).toEqual(['complete x success', 'complete p success', 'start other']);
  });

  test('a composite that shares members and is awaited through an order comes first', () => {
    const targets = [
      ...names('shared rest').map((name) => shell(name)),
      group('first', ['shared'], { lock: 'db' }),
      group('second', ['rest', 'shared'], { lock: 'db' }),
      group('after', ['rest'], { dependsOn: ['first'] }),
    ];
    const run = begun(targets, names('after second'));
    expect(running(run)).toEqual(['shared']);
    expect(run.succeed('shared')).toEqual(['complete first success', 'start rest']);
    run.finish();
    expect(run.result?.lent).toEqual([]);
  });

  test('what the members of the inner need waits for what the outer depends on', () => {
    const targets = [
      ...names('setup early a').map((name) => shell(name)),
      group('inner', ['setup', 'a'], { dependsOn: ['early'] }),
      group('outer', ['inner'], { dependsOn: ['setup'] }),
    ];
    expect(begun(targets, ['outer'], 1).finish()).toEqual(names('setup early a'));
  });

  test('composites that share only what is finished before them open in any order', () => {
    const targets = [
      ...names('build slow a b').map((name) => shell(name)),
      group('x', ['a'], { lock: 'db', dependsOn: ['build', 'slow'] }),
      group('y', ['b'], { lock: 'db', dependsOn: ['build'] }),
    ];
    const run = begun(targets, ['x', 'y']);
    expect(run.succeed('build')).toEqual(['start b']);
    run.succeed('b');
    expect(run.succeed('slow')).toEqual(['start a']);
  });

  test('a composite that an order puts before a member, and that waits for another member, runs inside', () => {
    const targets = [
      ...names('m v w').map((name) => shell(name)),
      locked('n', 'db', ['m']),
      group('x', ['w', 'n'], { lock: 'net' }),
      group('y', ['m', 'v'], { lock: 'db' }),
      pipeline('p', ['x', 'v']),
      locked('third', 'db'),
    ];
    const run = begun(targets, names('y p third'));
    expect(running(run)).toEqual(['m', 'w']);
    expect(run.succeed('m')).toEqual(['start n']);
    run.succeed('w');
    expect(run.succeed('n')).toEqual(['complete x success', 'start v']);
    expect(run.succeed('v')).toEqual(['complete y success', 'complete p success', 'start third']);
  });

  test('so does one with the same lock, which shares a member', () => {
    const targets = [
      ...names('slow a shared z mid').map((name) => shell(name)),
      pipeline('x', names('a shared z'), { lock: 'db', dependsOn: ['slow'] }),
      locked('own', 'db'),
      group('y', ['shared', 'own'], { lock: 'db' }),
      pipeline('before', ['y', 'mid']),
      pipeline('after', ['mid', 'z']),
    ];
    const run = begun(targets, names('x before after'));
    expect(running(run)).toEqual(['slow']);
    expect(run.finish()).toEqual(names('slow a own shared mid z'));
    expect(run.result?.lent).toEqual([]);
  });

  test('what an outer composite depends on does not wait for an inner one that contains it', () => {
    const targets = [
      shell('setup'),
      shell('a'),
      group('inner', ['setup', 'a'], { lock: 'db' }),
      group('outer', ['inner'], { lock: 'db', dependsOn: ['setup'] }),
    ];
    const run = begun(targets, ['outer']);
    expect(running(run)).toEqual(['setup']);
    expect(run.succeed('setup')).toEqual(['start a']);
    expect(run.succeed('a')).toEqual(['complete inner success', 'complete outer success', 'finished success']);
  });
});

/**
 * `y` holds `again`, which comes after `x`, so that `x` counts as a part of it; but `y` opens late only, because what
 * surrounds it depends on a target of `x`.
 */
describe('locks that contradict the plan', () => {
  const tied = [
    ...names('t0 t1 t2 tail').map((name) => shell(name)),
    group('x', ['t0', 't2'], { lock: 'db' }),
    pipeline('again', ['t0']),
    pipeline('first', ['x', 'again']),
    pipeline('y', names('t1 again tail'), { lock: 'db' }),
    pipeline('outer', ['y'], { dependsOn: ['t0'] }),
    locked('third', 'db', ['t0']),
  ];

  test('a held lock is lent to what its holder waits for, rather than waited for without end; that is reported', () => {
    const run = begun(tied, names('first third outer'));
    expect(running(run)).toEqual(['t1']);
    expect(run.succeed('t1')).toEqual(['start t0']);
    expect(run.succeed('t0')).toEqual(['start t2']);
    run.finish();
    expect(run.result).toMatchObject({ status: 'success', lent: ['y'] });
  });

  test('the borrower keeps the lock when the lender ends first', () => {
    const run = begun(tied, names('first third outer'));
    for (const name of names('t1 t0 t2')) run.succeed(name);
    expect(run.statuses).toMatchObject({ x: 'success', again: 'success' });
    expect(running(run)).toEqual(['tail']);
    expect(run.succeed('tail')).toEqual(['complete y success', 'complete outer success', 'start third']);
  });

  test('a composite that had to be let in, but whose lock was free, borrowed nothing', () => {
    const targets = [
      ...names('a b').map((name) => shell(name)),
      group('x', ['a'], { lock: 'db' }),
      pipeline('lane', ['b'], { dependsOn: ['x'] }),
      group('y', ['b', 'a'], { lock: 'net' }),
    ];
    const run = begun(targets, ['lane', 'y']);
    expect(run.finish()).toEqual(['a', 'b']);
    expect(run.result).toMatchObject({ status: 'success', lent: [] });
  });
});
