import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../support/temp.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs vitest with our reporter, as a program, on these test files. Each run takes about a second. */
function runTests(files: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const folder = temporaryFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const reporter = JSON.stringify(join(ROOT, 'tools/test-reporter.mjs'));
  writeFiles(folder, {
    'vitest.config.mjs': `import { CountsReporter } from ${reporter};
      export default { test: { include: ['*.test.mjs'], reporters: [new CountsReporter('reports/tests.json')] } };`,
    ...files,
  });
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { status, stdout } = spawnSync(process.execPath, [vitest, 'run', ...argv], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, counts: JSON.parse(readFileSync(join(folder, 'reports/tests.json'), 'utf8')) as unknown };
}

const IMPORT = "import { describe, expect, test } from 'vitest';\n";

describe('the counts of a test run', () => {
  test('passed, failed, and skipped with the reason', () => {
    const { status, stdout, counts } = runTests({
      'a.test.mjs': `${IMPORT}test('one', () => {}); test('two', () => { expect(1).toBe(2); });
        describe('group', () => { test('three', (context) => context.skip('no tmux')); test.skip('four', () => {}); });`,
    });
    const skipped = [
      { name: 'a.test.mjs: group > three', reason: 'no tmux' },
      { name: 'a.test.mjs: group > four', reason: 'no reason given' },
    ];
    expect(counts).toEqual({ passed: 1, failed: 1, skipped });
    expect(status).toBe(1);
    expect(stdout).toContain('a.test.mjs: group > three: no tmux');
  });

  test('a file that does not load, a failed hook and a stray error count as failures', () => {
    const { status, counts } = runTests({
      'load.test.mjs': "throw new Error('x');",
      'hook.test.mjs': `${IMPORT}import { afterAll } from 'vitest';
        describe('group', () => { afterAll(() => { throw new Error('x'); }); test('one', () => {}); });`,
      'stray.test.mjs': `${IMPORT}test('two', async () => {
        setTimeout(() => { throw new Error('x'); }, 1); await new Promise((resolve) => setTimeout(resolve, 100)); });`,
    });
    expect(counts).toMatchObject({ passed: 2, failed: 3 });
    expect(status).toBe(1);
  });

  test('what a filter by name left out is not skipped', () => {
    const { counts } = runTests({ 'a.test.mjs': `${IMPORT}test('one', () => {}); test('two', () => {});` }, '-t', 'one');
    expect(counts).toEqual({ passed: 1, failed: 0, skipped: [] });
  });
});
