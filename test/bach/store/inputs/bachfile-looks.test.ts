import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { globsWithoutMatch, promptProblem } from '../../../../src/bach/store/index.ts';
import { temporaryFolder, writeFiles } from '../../../support/temp.ts';
import { LATER } from './input-support.ts';

describe('the file of a prompt', () => {
  const INSIDE = 'must stay within project root';
  const REGULAR = 'must be a regular file';

  function project(): string {
    const root = temporaryFolder();
    writeFiles(root, { 'p/project/prompts/a.md': 'a', 'p/project/real': 'r', 'p/outside': 'o' });
    const inside = join(root, 'p/project');
    symlinkSync('../real', join(inside, 'prompts/link'));
    symlinkSync('../../outside', join(inside, 'prompts/out'));
    symlinkSync('../..', join(inside, 'prompts/up'));
    symlinkSync('loop', join(inside, 'loop'));
    symlinkSync('nowhere', join(inside, 'dangling'));
    mkdirSync(join(inside, 'folder'));
    return inside;
  }

  test.each([
    ['prompts/a.md', undefined],
    ['./prompts/../prompts/a.md', undefined],
    ['prompts/link', undefined],
    ['prompts/up/project/real', undefined],
    ['prompts/out', INSIDE],
    ['prompts/up/outside', INSIDE],
    ['../outside', INSIDE],
    ['prompts', REGULAR],
    ['missing', REGULAR],
    ['real/x', REGULAR],
    ['dangling', REGULAR],
    ['loop', REGULAR],
    ['a\0b', INSIDE],
  ])('%s: %s', (path, problem) => {
    expect(promptProblem(path, project())).toBe(problem);
  });
});

describe('patterns without a match', () => {
  test('are told in their order, plain paths that lead nowhere are not', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'src/a.ts': '', '.bach/x.log': '' });
    mkdirSync(join(root, 'empty'));
    const entries = ['src/*.go', 'src/*.ts', 'missing', 'empty', 'emp*', '**/*.log', '*.ts', 'src/*.go', 'src/\\*.ts'];
    const place = { root, statePath: '.bach/state.db', clock: LATER };
    expect(await globsWithoutMatch(entries, place)).toEqual(['src/*.go', 'emp*', '**/*.log', '*.ts', 'src/\\*.ts']);
  });
});
