import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCommit } from '../../../src/kernel/git/index.ts';
import { guardCheckout, unchanged, type Check } from '../../../src/workspace/index.ts';
import { canaryIn, put, runGit, stageWithWorktree } from '../../support/git-repository.ts';
import { checkBench } from '../../support/workspace/checks.ts';

async function guardedBench() {
  const stage = await stageWithWorktree();
  const place = { path: stage.path, tree: (await readCommit(stage.repository, stage.tip)).tree };
  const bench = checkBench();
  const run = (command: string) => unchanged(bench.check(command), guardCheckout(stage.worktree)).run(place, new AbortController().signal);
  return { ...stage, place, bench, run };
}

describe('a check that may not alter what it looks at', () => {
  test('passes when it did not, also when it made ignored files', async () => {
    const { run, repository } = await guardedBench();
    put(join(repository.commonDir, 'info/exclude'), 'out/\n');
    expect(await run('cat a; mkdir out; echo made > out/x; touch a')).toMatchObject({ outcome: 'passed' });
  });

  test('fails when it altered, added or removed anything, however it hid that', async () => {
    const { run, path, tip } = await guardedBench();
    const cases = [
      ['printf 2 > a; touch -d @1700000000 a; git update-index --assume-unchanged a', 'a'],
      ['echo new > dir/new; chmod +x a; rm dir/b', 'a, dir/b, dir/new'],
      ['echo 3 > a; git -c user.name=x -c user.email=x@x commit -qam x', 'a'],
      ['for i in 1 2 3 4 5 6 7; do echo x > new$i; done', 'new1, new2, new3, new4, new5 and 2 more'],
      ['rm -rf "$PWD"', 'all of them are gone'],
    ] as const;
    for (const [command, words] of cases) {
      const verdict = await run(command);
      expect(verdict).toMatchObject({ outcome: 'failed', command: { how: { kind: 'exited', code: 0 } } });
      expect(verdict.summary).toBe(`test changed the files that it looks at: ${words}`);
      if (!existsSync(path)) continue;
      runGit(path, ['update-index', '--no-assume-unchanged', 'a']);
      runGit(path, ['reset', '-q', '--hard', tip]);
      runGit(path, ['clean', '-qfd']);
    }
  });

  test('fails when it made git start programs, and git is not started', async () => {
    const { run, path, home, repository } = await guardedBench();
    const canary = canaryIn(home);
    const script = `git config filter.x.clean '${canary.program}'; echo '* filter=x' > '${repository.commonDir}/info/attributes'; echo 2 > a`;
    const verdict = await run(script);
    expect(verdict).toMatchObject({ outcome: 'failed', summary: expect.stringContaining('config') });
    expect(canary.sang()).toBe(false);
    expect(existsSync(join(path, 'a'))).toBe(true);
  });

  test('is not run on other files than those of the tree', async () => {
    const { run, path, home } = await guardedBench();
    appendFileSync(join(path, 'a'), 'by hand');
    const verdict = await run(`touch '${home}/ran'`);
    expect(verdict).toMatchObject({ outcome: 'failed', summary: 'test was not run: the files are not those that are to be checked: a' });
    expect(existsSync(join(home, 'ran'))).toBe(false);
  });

  test('has its own failure told first by what it altered; an abort is thrown', async () => {
    const { run, worktree, place } = await guardedBench();
    expect(await run('echo 2 > a; exit 127')).toMatchObject({ outcome: 'failed' });
    runGit(place.path, ['checkout', '-q', '.']);
    const controller = new AbortController();
    const check: Check = { name: 'x', run: async () => (controller.abort(), rmSync(join(place.path, 'a')), Promise.reject(controller.signal.reason)) };
    await expect(unchanged(check, guardCheckout(worktree)).run(place, controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
