import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeFiles } from '../support/temp.ts';
import { checkout, runTool, type Checkout } from './support.ts';

const IMPORT = "import { expect, test } from 'vitest';\n";
const STALE = { 'reports/tests.json': '{ "passed": 1000, "failed": 0, "skipped": [] }' };

function checkoutWith(files: Readonly<Record<string, string>>): Checkout {
  const clone = checkout();
  clone.linkPackages();
  writeFiles(clone.folder, files);
  return clone;
}

function counts({ folder }: Checkout, suite = 'tests'): unknown {
  return JSON.parse(readFileSync(join(folder, `reports/${suite}.json`), 'utf8'));
}

describe('npm test', () => {
  // Slower than 5 s on a busy machine: setup, build and vitest run for each of the four.
  test('sets up, runs what it is told, counts, and forgets the counts of an earlier run', () => {
    const clone = checkoutWith({
      ...STALE,
      'test/a.test.ts': `${IMPORT}test('one', () => { expect(1).toBe(1); });\n`,
      'test/b.test.ts': `${IMPORT}test('two', () => { expect(1).toBe(2); });\n`,
    });
    expect(runTool(clone, 'test.mjs', 'test/a').status).toBe(0);
    expect(counts(clone)).toEqual({ passed: 1, failed: 0, skipped: [] });
    expect(clone.bach()).toBe('first\n');
    expect(runTool(clone, 'test.mjs').status).toBe(1);
    expect(counts(clone)).toEqual({ passed: 1, failed: 1, skipped: [] });
    expect(runTool(clone, 'test.mjs', 'test/none').status).toBe(1);
  });

  // Slower than 5 s on a busy machine, as above.
  test.each([
    ['every branch is taken', 'expect([sign(1), sign(-1)]).toEqual([1, -1]);', 0],
    ['one is not', 'expect(sign(1)).toBe(1);', 1],
  ])('the whole suite, when of what decides %s', (_name, assertion, status) => {
    const clone = checkoutWith({
      'src/engine/sign.ts': 'export const sign = (n: number): number => (n > 0 ? 1 : -1);\n',
      'test/sign.test.ts': `${IMPORT}import { sign } from '../src/engine/sign.ts';\ntest('sign', () => { ${assertion} });\n`,
    });
    const whole = runTool(clone, 'test.mjs');
    expect(whole.status).toBe(status);
    expect(/sign\.ts +\| +100 \| +50 \|/.test(whole.stdout)).toBe(status === 1);
    expect(whole.stderr.includes('does not meet global threshold (100%)')).toBe(status === 1);
    // A part of the suite says nothing of branches.
    expect(runTool(clone, 'test.mjs', 'test/sign').status).toBe(0);
    expect(counts(clone)).toEqual({ passed: 1, failed: 0, skipped: [] });
  });

  test('fails when every test was skipped', () => {
    const clone = checkoutWith({ 'test/a.test.ts': `${IMPORT}test.skip('one', () => {});\n` });
    expect(runTool(clone, 'test.mjs')).toMatchObject({ status: 1, stderr: expect.stringContaining('no test ran') as string });
  });

  test('fails without counts when the sources do not build', () => {
    const clone = checkoutWith({ ...STALE, 'src/cli/bach.ts': 'const = ;\n' });
    expect(runTool(clone, 'test.mjs').status).toBe(1);
    expect(() => counts(clone)).toThrow('ENOENT');
  });
});

describe('npm run test:faults', () => {
  test('is a suite of its own, which npm test leaves out, and tells its tests how often to inject', () => {
    const clone = checkoutWith({
      'test/a.test.ts': `${IMPORT}test('one', () => { expect(1).toBe(1); });\n`,
      'test/faults/b.test.ts': `${IMPORT}test('full', () => { expect(process.env['DROVER_FAULTS']).toBe('full'); });\n`,
    });
    expect(runTool(clone, 'test.mjs').status).toBe(0);
    expect(counts(clone)).toEqual({ passed: 1, failed: 0, skipped: [] });
    expect(runTool(clone, 'test.mjs', '--faults').status).toBe(1);
    expect(runTool(clone, 'test.mjs', '--faults', '--full').status).toBe(0);
    expect(counts(clone, 'faults')).toEqual({ passed: 1, failed: 0, skipped: [] });
    expect(counts(clone)).toEqual({ passed: 1, failed: 0, skipped: [] });
  });

  test('--full without it is wrong usage', () => {
    expect(runTool(checkoutWith({}), 'test.mjs', '--full')).toMatchObject({ status: 2, stderr: expect.stringContaining('npm run test:faults') as string });
  });
});

describe('the last lines of CI', () => {
  const summary = (text: string | undefined) => {
    const clone = checkoutWith(text === undefined ? {} : { 'reports/tests.json': text });
    const { status, stdout } = runTool(clone, 'summary.mjs');
    return { status, lines: stdout.trimEnd().split('\n') };
  };

  test('name each skipped test with its reason, then the counts', () => {
    const skipped = [{ name: 'a.test.ts: one', reason: 'no tmux' }];
    const { status, lines } = summary(JSON.stringify({ passed: 12, failed: 0, skipped }));
    expect(status).toBe(0);
    expect(lines.slice(-2)).toEqual(['  a.test.ts: one: no tmux', '12 passed, 0 failed']);
  });

  test('add up the suites that exist, and miss the counts of one that did not run', () => {
    const tests = { 'reports/tests.json': '{ "passed": 12, "failed": 0, "skipped": [] }', 'test/faults/a.test.ts': '' };
    const last = (files: Readonly<Record<string, string>>) => {
      const { status, stdout } = runTool(checkoutWith({ ...tests, ...files }), 'summary.mjs');
      return [status, stdout.trimEnd().split('\n').at(-1)];
    };
    expect(last({ 'reports/faults.json': '{ "passed": 3, "failed": 0, "skipped": [] }' })).toEqual([0, '15 passed, 0 failed']);
    expect(last({ 'reports/faults.json': '{ "passed": 3, "failed": 2, "skipped": [] }' })).toEqual([1, '15 passed, 2 failed']);
    expect(last({ 'reports/faults.json': '{ "passed": 0, "failed": 0, "skipped": [] }' })).toEqual([1, '12 passed, 0 failed']);
    expect(last({})).toEqual([1, 'reports/faults.json cannot be read: the tests did not run to their end']);
  });

  test.each([
    ['a test failed', '{ "passed": 12, "failed": 1, "skipped": [] }', '12 passed, 1 failed'],
    ['none ran', '{ "passed": 0, "failed": 0, "skipped": [] }', '0 passed, 0 failed'],
    ['the counts are cut short', '{ "passed": 1', 'reports/tests.json cannot be read: the tests did not run to their end'],
    ['there are no counts', undefined, 'reports/tests.json cannot be read: the tests did not run to their end'],
  ])('fail when %s', (_, text, last) => {
    const { status, lines } = summary(text);
    expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last });
  });
});

describe('npm run check', () => {
  const ROOM = {
    'src/engine/index.ts': 'export const one: number = 1;\n',
    'src/engine/README.md': '# engine\n',
    'test/engine/one.test.ts': `${IMPORT}import { one } from '../../src/engine/index.ts';\ntest('one', () => { expect(one).toBe(1); });\n`,
    // Of another room: none of its faults is told.
    'src/ledger/index.ts': "export const two: number = 'two';\n",
  };
  const verdicts = (files: Readonly<Record<string, string>>) => {
    const { status, stdout } = runTool(checkoutWith(files), 'check.mjs', 'engine');
    return { status, lines: stdout.split('\n').filter((line) => /^(ok|FAIL)/.test(line)) };
  };

  // Each takes some seconds: the compiler, the linter and vitest are started as programs.
  test('passes a room whose types, lint, structure and tests are fine', () => {
    expect(verdicts(ROOM)).toEqual({ status: 0, lines: ['ok   types', 'ok   oxlint', 'ok   structure', 'ok   tests'] });
  });

  test('tells each kind of fault apart', () => {
    const faulty = "var one: string = 1;\nexport { one };\nconsole.log(one);\n";
    expect(verdicts({ ...ROOM, 'src/engine/index.ts': faulty, 'test/engine/two.test.ts': `${IMPORT}test('two', () => { expect(1).toBe(2); });\n` })).toEqual(
      { status: 1, lines: ['FAIL types', 'FAIL oxlint', 'FAIL structure', 'FAIL tests'] },
    );
  });

  test.each([[[]], [['no/such/room']]])('explains itself when asked for %j', (rooms) => {
    expect(runTool(checkout(), 'check.mjs', ...rooms)).toMatchObject({ status: 2, stderr: expect.stringContaining('usage:') as string });
  });
});
