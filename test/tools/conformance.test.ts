import { describe, expect, test } from 'vitest';
import { checkConformance, type ConformanceReport } from '../../tools/conformance/check.mjs';
import { temporaryFolder, writeFiles } from '../support/temp.ts';
import { checkout, ROOT, runTool } from './support.ts';

const FOLDER = 'test/conformance/bach';
const rule = (id: string, more: object = {}) => ({ id, kind: 'verb', where: 'spec 1', rule: 'It does.', part: 1, ...more });

function files(rules: readonly object[], source: string, closed: readonly number[] = [1]) {
  return { [`${FOLDER}/rules.json`]: JSON.stringify({ closed, rules }), [`${FOLDER}/deep/a.test.ts`]: source };
}

function check(rules: readonly object[], source: string, closed?: readonly number[]): ConformanceReport {
  const folder = temporaryFolder();
  writeFiles(folder, files(rules, source, closed));
  return checkConformance(folder);
}

const problems = (rules: readonly object[], source: string, closed?: readonly number[]) => check(rules, source, closed).problems;

test('every rule of a closed part of this repository is proved', () => {
  const { parts, problems: found } = checkConformance(ROOT);
  expect(found).toEqual([]);
  expect(parts.map(({ system, part }) => `${system} ${part}`)).toContain('bach 1');
});

describe('what proves a rule', () => {
  test.each([
    "test('[bach-one] it does', () => {});",
    "it('[bach-one]', () => {});",
    "test.each([1, 2])('[bach-one] %s', () => {});",
    "test.for([1])('[bach-one] %s', () => {});",
    'test(`[bach-one] ${name}`, () => {});',
    "describe.each([1])('all', () => { test('[bach-one] x', () => {}); });",
  ])('%s', (source) => {
    expect(problems([rule('bach-one')], source)).toEqual([]);
  });

  test('several ids in one title', () => {
    expect(problems([rule('bach-one'), rule('bach-two')], "test('[bach-one, bach-two] both', () => {});")).toEqual([]);
  });
});

describe('what proves nothing', () => {
  test.each([
    '',
    "// test('[bach-one] it does', () => {});",
    "describe('[bach-one]', () => {});",
    "test('it does [bach-one]', () => {});",
    "test.skip('[bach-one] it does', () => {});",
    "test.todo('[bach-one] it does');",
    "test.fails('[bach-one] it does', () => {});",
    "describe.skip('all', () => { test('[bach-one] x', () => {}); });",
    "const title = '[bach-one] it does';",
  ])('%s', (source) => {
    expect(problems([rule('bach-one')], source)).toEqual(['bach-one: not proved, though part 1 is closed']);
  });
});

describe('what must be put right', () => {
  test('an open part may wait, a closed one may not', () => {
    const rules = [rule('bach-one'), rule('bach-two', { part: 2 }), rule('bach-three', { part: 2 })];
    const { parts, problems: found } = check(rules, "test('[bach-one] and [bach-two]', () => {});\ntest('[bach-three]', () => {});");
    expect(found).toEqual([]);
    expect(parts.map(({ part, rules: count, notProved }) => [part, count, notProved.map(({ id }) => id)])).toEqual([
      [1, 1, []],
      [2, 2, ['bach-two']],
    ]);
  });

  test('an id that no rule has, with its place', () => {
    const source = "\ntest('[bach-one, bach-onne] it does', () => {});\n";
    expect(problems([rule('bach-one')], source)).toEqual([`${FOLDER}/deep/a.test.ts:2: unknown rule "bach-onne"`]);
  });

  test.each([
    [[rule('bach-one'), rule('bach-one')], 'bach-one: declared twice'],
    [[rule('bach-one', { kind: 'smell' })], 'bach-one: kind "smell" is none of verb, flag, '],
    [[rule('bach-one', { part: '1' }), rule('bach-a-one')], 'bach-one: part must be a whole number'],
    [[rule('bach-one', { where: ' ' })], 'bach-one: where is missing'],
    [[rule('loop-one')], 'loop-one: want bach- and kebab words'],
    [[rule('bach-One')], 'bach-One: want bach- and kebab words'],
    [[rule('bach-one', { part: 2 })], 'closed part 1 has no rules'],
  ])('%j', (rules, message) => {
    const source = `test('[${rules.map(({ id }) => id).join(' ')}]', () => {});`;
    expect(problems(rules, source)).toEqual([expect.stringContaining(`${FOLDER}/rules.json: ${message}`)]);
  });
});

test('the command prints what is proved, and what is not, and ends accordingly', () => {
  const clone = checkout();
  clone.linkPackages();
  const rules = [rule('bach-one'), rule('bach-two')];
  const run = (closed: readonly number[]) => {
    writeFiles(clone.folder, files(rules, "test('[bach-two] it does', () => {});", closed));
    return runTool(clone, 'conformance.mjs');
  };
  const report = 'bach part 1: 2 rules, 1 proved\n  not proved: bach-one (spec 1): It does.\n';
  expect(run([])).toEqual({ status: 0, stdout: report, stderr: '' });
  expect(run([1])).toEqual({ status: 1, stdout: `${report}\nbach-one: not proved, though part 1 is closed\n`, stderr: '' });
});
