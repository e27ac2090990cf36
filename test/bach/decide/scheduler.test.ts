import { describe, expect, test } from 'vitest';
import { aggregate, begun, group, names, pipeline, planOf, Run, shell, startOrder } from './fixtures.ts';

const shells = (text: string) => names(text).map((name) => shell(name));

describe('slots and order', () => {
  test('R03 one job never overlaps, two do', () => {
    const targets = shells('a b c');
    const one = begun(targets, names('a b c'), 1);
    expect([...one.running]).toEqual(['a']);
    expect(one.succeed('a')).toEqual(['start b']);
    const two = begun(targets, names('a b c'), 2);
    expect([...two.running]).toEqual(['a', 'b']);
    expect(two.succeed('b')).toEqual(['start c']);
  });

  test.each([0, -1, Number.NaN, 1.9])('%d jobs count as 1', (jobs) => {
    expect([...begun(shells('a b'), names('a b'), jobs).running]).toEqual(['a']);
  });

  test('what is ready starts in plan order, not in the order it became ready', () => {
    const targets = [shell('a'), shell('b'), shell('b1', { dependsOn: ['b'] }), shell('a1', { dependsOn: ['a'] })];
    const run = begun(targets, names('a1 b1'), 2);
    run.succeed('b');
    expect([...run.running]).toEqual(['a', 'b1']);
    const busy = begun([...targets, shell('c')], names('a1 b1 c'), 2);
    expect(busy.succeed('b')).toEqual(['start b1']);
    expect(busy.succeed('a')).toEqual(['start a1']);
  });

  test('targets without a command take no slot', () => {
    const targets = [shell('a'), aggregate('n'), aggregate('m', ['n']), shell('b', { dependsOn: ['m'] })];
    const run = new Run(planOf(targets, names('a b')), 1);
    expect(run.begin()).toEqual(['complete n success', 'complete m success', 'start a']);
    expect(run.lines).toEqual(['[n] noop', '[m] aggregate']);
    expect(run.finish()).toEqual(['a', 'b']);
  });

  test('R01 a diamond runs its shared node once, before both', () => {
    const targets = [
      shell('setup'),
      shell('lint', { dependsOn: ['setup'] }),
      shell('test', { dependsOn: ['setup'] }),
      aggregate('all', names('lint test')),
    ];
    const run = begun(targets, ['all']);
    expect([...run.running]).toEqual(['setup']);
    expect(run.succeed('setup')).toEqual(['start lint', 'start test']);
    run.succeed('test');
    expect(run.succeed('lint')).toEqual(['complete all success', 'finished success']);
    expect(run.lines).toEqual(['[all] aggregate']);
  });

  test('a plan of nothing but noops ends with the first event', () => {
    const run = new Run(planOf([aggregate('n')], ['n']), 1);
    expect(run.begin()).toEqual(['complete n success', 'finished success']);
    expect(run.result).toEqual({ status: 'success', cause: undefined, lent: [] });
  });

  test('R35 setup, lint and test run once each', () => {
    const targets = [shell('setup'), ...names('lint test').map((name) => shell(name, { dependsOn: ['setup'] }))];
    expect(startOrder(targets, names('lint test'), 1)).toEqual(names('setup lint test'));
  });
});

describe('composites', () => {
  test('R06 a pipeline stops at the first failed step', () => {
    const run = begun([...shells('a b c'), pipeline('p', names('a b c'))], ['p']);
    run.succeed('a');
    expect(run.fail('b')).toEqual(['complete p failed', 'finished failed']);
    expect(run.started).toEqual(['a', 'b']);
    expect(run.result?.cause).toEqual({ kind: 'failure', target: 'b', message: 'target "b" failed' });
  });

  test('R07 steps start in order, and the pipeline ends without a line', () => {
    const run = begun([...shells('a b'), pipeline('p', ['a', 'b'])], ['p']);
    expect(run.succeed('a')).toEqual(['start b']);
    expect(run.succeed('b')).toEqual(['complete p success', 'finished success']);
    expect(run.lines).toEqual([]);
  });

  test('R08 a pipeline that is depended upon runs first', () => {
    const targets = [...shells('a b'), pipeline('p', ['a', 'b']), shell('last', { dependsOn: ['p'] })];
    expect(startOrder(targets, ['last'], 4)).toEqual(names('a b last'));
  });

  test.each([group, pipeline])('R09 what a composite depends on comes before its members', (composite) => {
    const targets = [...shells('setup a'), composite('c', ['a'], { dependsOn: ['setup'] })];
    const run = begun(targets, ['c']);
    expect([...run.running]).toEqual(['setup']);
    expect(run.succeed('setup')).toEqual(['start a']);
  });

  test('R10 a dependency shared with a member is no cycle and runs once', () => {
    const a = shell('a', { dependsOn: ['setup'] });
    const targets = [shell('setup'), a, group('g', ['a', 'setup'], { dependsOn: ['setup'] })];
    expect(startOrder(targets, ['g'], 4)).toEqual(['setup', 'a']);
  });

  test('a group completes after its members, inner before outer', () => {
    const run = begun([...shells('a b'), group('inner', ['a']), group('outer', ['inner', 'b'])], ['outer']);
    expect(run.succeed('a')).toEqual(['complete inner success']);
    expect(run.succeed('b')).toEqual(['complete outer success', 'finished success']);
    expect(run.lines).toEqual(['[inner] group: a', '[outer] group: inner, b']);
  });

  test('a member of two groups runs once', () => {
    const run = begun([shell('a'), group('g', ['a']), group('h', ['a'])], ['g', 'h']);
    expect(run.succeed('a')).toEqual(['complete g success', 'complete h success', 'finished success']);
  });
});

describe('failure', () => {
  test('nothing new starts, what runs is ended and awaited, what is finished stays', () => {
    const run = begun(shells('done bad busy never'), names('done bad busy never'), 3);
    run.succeed('done');
    expect([...run.running]).toEqual(['bad', 'busy', 'never']);
    expect(run.fail('bad')).toEqual([
      'cancel busy: stopped because target "bad" failed',
      'cancel never: stopped because target "bad" failed',
    ]);
    expect(run.fail('never')).toEqual([]);
    expect(run.fail('busy')).toEqual(['finished failed']);
    expect(run.result?.cause?.target).toBe('bad');
  });

  test('a sibling that was faster than its end may still succeed', () => {
    const targets = [...shells('bad quick'), group('g', ['quick']), shell('next', { dependsOn: ['quick'] })];
    const run = begun(targets, names('bad g next'));
    run.fail('bad');
    expect(run.succeed('quick')).toEqual(['finished failed']);
    expect(run.started).toEqual(['bad', 'quick']);
  });

  test('R13 each composite around the failed member is recorded failed, the others are not', () => {
    const targets = [
      ...shells('bad later side'),
      group('inner', ['bad']),
      pipeline('outer', ['inner', 'later']),
      group('after', ['later'], { dependsOn: ['outer'] }),
      group('apart', ['side']),
    ];
    const run = begun(targets, names('outer after apart'));
    run.succeed('side');
    expect(run.fail('bad')).toEqual(['complete inner failed', 'complete outer failed', 'finished failed']);
    expect(run.statuses).toEqual({ apart: 'success', inner: 'failed', outer: 'failed' });
  });

  test('a dependency that fails before the scope opens leaves the composite unrecorded', () => {
    const run = begun([...shells('setup a'), group('g', ['a'], { dependsOn: ['setup'] })], ['g']);
    expect(run.fail('setup')).toEqual(['finished failed']);
  });

  test('a composite whose member was ended with the rest fails, too', () => {
    const run = begun([...shells('bad busy'), group('g', ['busy'])], ['bad', 'g']);
    run.fail('bad');
    expect(run.fail('busy')).toEqual(['complete g failed', 'finished failed']);
  });

  test('R34 a lane that fails never reaches its later step; the shared target ran once', () => {
    const targets = [
      shell('shared'),
      shell('a1', { dependsOn: ['shared'] }),
      shell('a2'),
      shell('b1', { dependsOn: ['shared'] }),
      shell('b2'),
      pipeline('a', ['a1', 'a2']),
      pipeline('b', ['b1', 'b2']),
      group('lanes', ['a', 'b']),
    ];
    const run = begun(targets, ['lanes'], 2);
    run.succeed('shared');
    run.fail('a1');
    run.fail('b1');
    expect(run.started).toEqual(['shared', 'a1', 'b1']);
    expect(run.statuses).toEqual({ a: 'failed', b: 'failed', lanes: 'failed' });
  });
});

describe('timeouts', () => {
  test('R15 a target that is too slow is ended with its own message', () => {
    const run = new Run(planOf([shell('slow', { timeoutMs: 20 }), shell('other')], names('slow other')), 2);
    expect(run.begin()).toEqual(['start slow', 'arm-deadline slow 20', 'start other']);
    expect(run.expire('slow')).toEqual(['cancel slow: target "slow" timed out after 20ms']);
    expect(run.fail('slow')).toEqual(['cancel other: stopped because target "slow" failed']);
  });

  test('a target that ends in time disarms its deadline', () => {
    const run = begun([shell('a', { timeoutMs: 20 })], ['a']);
    expect(run.succeed('a')).toEqual(['disarm-deadline a', 'finished success']);
  });

  test('a target may win the race against its deadline', () => {
    const run = begun([shell('a', { timeoutMs: 20 }), shell('b', { dependsOn: ['a'] })], ['b']);
    run.expire('a');
    expect(run.succeed('a')).toEqual(['start b']);
  });

  test('R11 a group that is too slow ends its members, and the next step never runs', () => {
    const ci = group('group/ci', ['slow'], { timeoutMs: 50 });
    const targets = [...shells('slow next'), ci, pipeline('p', ['group/ci', 'next'])];
    const run = new Run(planOf(targets, ['p']), 4);
    expect(run.begin()).toEqual(['arm-deadline group/ci 50', 'start slow']);
    const message = 'target "group/ci" timed out after 50ms';
    expect(run.expire('group/ci')).toEqual([`cancel slow: ${message}`]);
    expect(run.fail('slow')).toEqual([`complete group/ci failed: ${message}`, 'complete p failed', 'finished failed']);
    expect(run.result?.cause).toEqual({ kind: 'timeout', target: 'group/ci', message });
    expect(run.started).toEqual(['slow']);
  });

  const nested = [
    ...shells('slow aside'),
    pipeline('inner', ['slow'], { timeoutMs: 50 }),
    pipeline('outer', ['inner'], { timeoutMs: 80 }),
  ];

  test.each([
    [['inner'], '"inner" timed out after 50ms'],
    [['outer'], '"outer" timed out after 80ms'],
    [['outer', 'inner'], '"inner" timed out after 50ms'],
  ])('R12 of nested scopes the innermost that expired is named: %j', (expired, text) => {
    const run = begun(nested, ['outer']);
    expect(run.expire(...expired)).toContain(`cancel slow: target ${text}`);
    run.fail('slow');
    expect(run.result?.cause?.message).toBe(`target ${text}`);
    expect(run.statuses).toEqual({ inner: 'failed', outer: 'failed' });
  });

  test('what runs outside of the expired scope is ended as well', () => {
    const run = begun(nested, ['outer', 'aside']);
    expect(run.expire('inner')).toEqual([
      'disarm-deadline outer',
      'cancel slow: target "inner" timed out after 50ms',
      'cancel aside: stopped because target "inner" timed out after 50ms',
    ]);
  });

  test("a member's own deadline comes before that of its group", () => {
    const run = begun([shell('a', { timeoutMs: 10 }), group('g', ['a'], { timeoutMs: 10 })], ['g']);
    expect(run.expire('g', 'a')).toEqual(['cancel a: target "a" timed out after 10ms']);
    run.fail('a');
    expect(run.statuses).toEqual({ g: 'failed' });
  });

  test('a target that its own deadline ended keeps that message when its group expires later', () => {
    const run = begun([shell('a', { timeoutMs: 10 }), group('g', ['a'], { timeoutMs: 20 })], ['g']);
    run.expire('a');
    expect(run.expire('g')).toEqual([]);
  });

  test('a scope whose members all wait for a lock expires by itself', () => {
    const targets = [shell('holder', { lock: 'db' }), shell('a', { lock: 'db' }), group('g', ['a'], { timeoutMs: 5 })];
    const run = begun(targets, ['holder', 'g']);
    expect(run.expire('g')).toEqual(['cancel holder: stopped because target "g" timed out after 5ms']);
    expect(run.fail('holder')).toEqual(['complete g failed: target "g" timed out after 5ms', 'finished failed']);
  });

  test('the deadline of a scope begins when it opens and ends when it completes', () => {
    const targets = [...shells('setup a'), group('g', ['a'], { dependsOn: ['setup'], timeoutMs: 5 })];
    const run = new Run(planOf(targets, ['g']), 1);
    expect(run.begin()).toEqual(['start setup']);
    expect(run.succeed('setup')).toEqual(['arm-deadline g 5', 'start a']);
    expect(run.succeed('a')).toEqual(['disarm-deadline g', 'complete g success', 'finished success']);
  });

  test('a deadline that is not armed means nothing', () => {
    const run = begun([shell('a', { timeoutMs: 20 }), shell('b', { dependsOn: ['a'] })], ['b']);
    expect(run.expire('b', 'unknown')).toEqual([]);
    run.succeed('a');
    expect(run.expire('a')).toEqual([]);
  });
});

describe('stop', () => {
  const message = 'stopped by SIGINT';

  test('nothing new starts, what runs is ended with that reason', () => {
    const run = begun([...shells('a b c'), group('g', ['a'], { timeoutMs: 5 })], names('g b c'), 2);
    expect(run.stop(message)).toEqual(['disarm-deadline g', `cancel a: ${message}`, `cancel b: ${message}`]);
    run.fail('b');
    expect(run.fail('a')).toEqual([`complete g failed: ${message}`, 'finished failed']);
    expect(run.result).toEqual({ status: 'failed', cause: { kind: 'stop', message }, lent: [] });
  });

  test('all deadlines are disarmed and all targets ended in plan order', () => {
    const targets = [...names('a b').map((name) => shell(name, { timeoutMs: 5 })), group('g', ['b'], { timeoutMs: 9 })];
    const run = begun(targets, names('a g'), 2);
    expect(run.stop(message)).toEqual([
      ...names('a b g').map((name) => `disarm-deadline ${name}`),
      ...names('a b').map((name) => `cancel ${name}: ${message}`),
    ]);
  });

  test('before anything started it ends at once', () => {
    const run = new Run(planOf(shells('a'), ['a']), 1);
    expect(run.stop(message)).toEqual(['finished failed']);
    expect(run.begin()).toEqual([]);
  });

  test('after a failure the failure stays the cause', () => {
    const run = begun(shells('bad busy'), names('bad busy'));
    run.fail('bad');
    expect(run.stop(message)).toEqual([]);
    run.fail('busy');
    expect(run.result?.cause?.kind).toBe('failure');
  });

  test('a second stop changes nothing', () => {
    const run = begun(shells('a'), ['a']);
    run.stop(message);
    expect(run.stop('stopped by SIGTERM')).toEqual([]);
    run.fail('a');
    expect(run.result?.cause?.message).toBe(message);
  });
});

describe('reports that do not fit', () => {
  test('about a target that is not running, twice, or after the end', () => {
    const run = begun([shell('a'), shell('b', { dependsOn: ['a'] })], ['b']);
    expect([run.succeed('b'), run.fail('nobody'), run.begin()]).toEqual([[], [], []]);
    run.succeed('a');
    expect(run.succeed('a')).toEqual([]);
    run.succeed('b');
    expect([run.fail('b'), run.stop('late')]).toEqual([[], []]);
    expect(run.result?.status).toBe('success');
  });
});
