import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { collector, useWorkbench, type Workbench } from '../../support/process/workbench.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';

const bench = useWorkbench();

afterEach(() => {
  vi.unstubAllEnvs();
});

async function output(argv: [string, ...string[]], options?: Parameters<Workbench['run']>[1]): Promise<string> {
  const out = collector();
  const end = await bench().run(argv, { ...out, ...options }).exit;
  expect(end).toMatchObject({ kind: 'exited', code: 0 });
  return out.text();
}

/** A folder of the test with one script that prints the name of the folder. */
function folderWithTool(name: string, mode = 0o755): string {
  const folder = join(bench().folder, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'some-tool'), `#!/bin/sh\necho from ${name}\n`);
  chmodSync(join(folder, 'some-tool'), mode);
  return folder;
}

describe('a child gets', () => {
  test('exactly the environment of the request, and the marker', async () => {
    vi.stubEnv('NODE_V8_COVERAGE', join(bench().folder, 'coverage'));
    vi.stubEnv('OURS_ALONE', 'x');
    const printed = await output(['/usr/bin/env'], { env: { ONE: '1', EMPTY: '' } });
    expect(printed.trimEnd().split('\n').sort()).toEqual([`DROVER_RUN=${bench().marker}`, 'EMPTY=', 'ONE=1']);
  });

  testUnless(notOnLinux, 'the marker where it can be seen from outside', async () => {
    const child = bench().run(['sleep', '300']);
    expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0')).toContain(`DROVER_RUN=${bench().marker}`);
    child.stop();
    await child.exit;
  });

  test('the marker of this run, not one that was inherited', async () => {
    const env = { ...bench().env, DROVER_RUN: 'outer' };
    expect(await output(['sh', '-c', 'echo $DROVER_RUN'], { env })).toBe(`${bench().marker}\n`);
  });

  test('the working directory', async () => {
    expect(await output(['pwd', '-P'])).toBe(`${realpathSync(bench().folder)}\n`);
  });

  test('its arguments untouched by any shell', async () => {
    const words = ['$HOME', '`id`', 'a b', '', '*', "'", '"', '\\', ';', '\n', 'ü'];
    expect(await output(['printf', '[%s]', ...words])).toBe(Buffer.from(words.map((word) => `[${word}]`).join('')).toString('latin1'));
  });

  test('its own name as it was written', async () => {
    expect(await output(['sh', '-c', 'echo "$0"'])).toBe('sh\n');
  });

  test('no input', async () => {
    expect(await output(['sh', '-c', 'wc -c | tr -d " "'])).toBe('0\n');
  });

  testUnless(notOnLinux, '/dev/null as input, the log as output, and no other file of ours', async () => {
    const { folder, logPath } = bench();
    const ours = openSync(join(folder, 'ours'), 'w');
    try {
      const listing = await output(['sh', '-c', 'cd /proc/$$/fd; for n in *; do echo "$n $(readlink $n)"; done; :']);
      const known = listing.split('\n').filter((line) => line.startsWith('0 ') || line.includes(folder));
      expect(known).toEqual(['0 /dev/null', `1 ${logPath}`, `2 ${logPath}`]);
    } finally {
      closeSync(ours);
    }
  });

  testUnless(notOnLinux, 'a session and a group of its own, without a terminal', async () => {
    const [pid, , , , group, session, terminal] = (await output(['cat', '/proc/self/stat'])).split(' ');
    expect([group, session, terminal]).toEqual([pid, pid, '0']);
  });
});

describe('the program is looked for', () => {
  test('in the PATH of the child, in order', async () => {
    const [first, second] = [folderWithTool('first'), folderWithTool('second')];
    expect(await output(['some-tool'], { env: { PATH: `${second}:${first}` } })).toBe('from second\n');
    expect(await output(['some-tool'], { env: { PATH: `/nowhere:${first}:${second}` } })).toBe('from first\n');
  });

  test('not in our own PATH', async () => {
    vi.stubEnv('PATH', `${folderWithTool('ours')}:${process.env['PATH']}`);
    const end = await bench().run(['some-tool'], { env: { PATH: '/usr/bin:/bin' } }).exit;
    expect(end).toMatchObject({ kind: 'not-started', reason: 'command-not-found' });
  });

  test('further on when a match may not be executed', async () => {
    const path = `${folderWithTool('plain', 0o644)}:${folderWithTool('good')}`;
    expect(await output(['some-tool'], { env: { PATH: path } })).toBe('from good\n');
  });

  test('from the working directory where the PATH is relative or has an empty part', async () => {
    folderWithTool('here');
    expect(await output(['some-tool'], { env: { PATH: 'here' } })).toBe('from here\n');
    expect(await output(['some-tool'], { env: { PATH: '/nowhere:' }, cwd: join(bench().folder, 'here') })).toBe('from here\n');
  });

  test('from the working directory where its name has a slash', async () => {
    folderWithTool('here');
    expect(await output(['here/some-tool'])).toBe('from here\n');
  });

  test('where the system does when there is no PATH', async () => {
    expect(await output(['echo', 'found'], { env: {} })).toBe('found\n');
  });

  test('again each time, so that a program installed meanwhile is found', async () => {
    const [early, late] = [join(bench().folder, 'early'), folderWithTool('late')];
    const env = { PATH: `${early}:${late}` };
    expect(await output(['some-tool'], { env })).toBe('from late\n');
    folderWithTool('early');
    const log = { path: join(bench().folder, 'second.log') };
    expect(await output(['some-tool'], { env, log })).toBe('from early\n');
  });
});
