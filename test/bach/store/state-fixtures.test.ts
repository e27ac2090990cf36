import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bach } from '../../../src/cli/bach-program.ts';
import { runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/state');

/** What every release must be able to read of the states that releases before it wrote. */
describe.each(readdirSync(FIXTURES).filter((version) => existsSync(join(FIXTURES, version, 'state/state.db'))))('the state that %s wrote', (version) => {
  function copied(): string {
    const folder = temporaryFolder();
    cpSync(join(FIXTURES, version, 'Bachfile'), join(folder, 'Bachfile'));
    cpSync(join(FIXTURES, version, 'state'), join(folder, '.bach'), { recursive: true });
    return folder;
  }

  test('is listed, with a killed run as interrupted', async () => {
    const { exit, stdout } = await runCli(bach, ['runs', 'list', '--json'], { cwd: copied() });
    const { runs } = JSON.parse(stdout) as { runs: { requested_target: string; status: string }[] };
    expect(exit).toBe(0);
    expect(runs.map(({ requested_target, status }) => `${requested_target} ${status}`)).toEqual([
      'shell/slow interrupted',
      'shell/bad failed',
      'shell/ok success',
    ]);
  });

  test('gives its logs, and takes a new run', async () => {
    const cwd = copied();
    const { stdout } = await runCli(bach, ['runs', 'list', '--status', 'failed'], { cwd });
    const logs = await runCli(bach, ['logs', stdout.split(' ')[0] ?? '', '--failed', '--last', '2'], { cwd });
    expect(logs.stdout).toMatch(/^==> shell\/bad \(failed\) \S+ <==\nbroken\nexit status 3\n$/);
    expect((await runCli(bach, ['run', 'shell/ok'], { cwd, env: { PATH: process.env['PATH'] ?? '' } })).exit).toBe(0);
  });
});
