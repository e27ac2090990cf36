import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundleProgram } from '../../support/process/bundle.ts';
import { isRunning, PROGRAMS, useWorkbench } from '../../support/process/workbench.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';

const bench = useWorkbench();
const MEGABYTE = 1024 * 1024;
const LARGEST_RISE = 32 * MEGABYTE;
const NOBODY = 65_534;
const PATIENCE = { timeout: 60_000 };

/** Runs the supervising program with a scenario, in a process of its own because the process is what is measured. */
async function supervise(scenario: string, { uid, limit }: { uid?: number; limit?: string } = {}) {
  const { folder, marker } = bench();
  const file = await bundleProgram(join(PROGRAMS, 'supervisor.ts'), folder);
  const script = `${limit ?? ':'}; exec "$@"`;
  const argv = ['-c', script, 'sh', process.execPath, file, scenario, folder, marker];
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const { stdout } = await promisify(execFile)('sh', argv, { ...identity, maxBuffer: 10 * MEGABYTE });
  return JSON.parse(stdout);
}

describe('memory stays bounded', PATIENCE, () => {
  test.each([
    // Over 5 s on a busy machine: 100 MB and 50 MB are what the promise names.
    ['100 MB of lines', 'lines', 100_000_000],
    ['one line of 50 MB', 'one-line', 50_000_000],
  ])('for %s', async (_, scenario, size) => {
    const { end, bytes, rise } = await supervise(scenario);
    expect(end).toMatchObject({ kind: 'exited', code: 0, logEnd: size });
    expect(bytes).toBe(size);
    expect(rise).toBeLessThan(LARGEST_RISE);
  });

  test('for endless output until it is stopped', async () => {
    const { end, bytes, rise } = await supervise('endless');
    expect(end).toMatchObject({ kind: 'signalled', signal: 'SIGTERM', stopped: 'graceful' });
    expect(bytes + end.skipped).toBe(end.logEnd);
    expect(statSync(join(bench().folder, 'big')).size).toBe(end.logEnd);
    expect(rise).toBeLessThan(LARGEST_RISE);
  });
});

testUnless(notOnLinux, '50 children at once share what looks at their logs and what tells the reaper of them, and leave no timer, watcher or descriptor', async () => {
  const { ends, timers, left, before, after } = await supervise('crowd');
  expect(ends).toHaveLength(50);
  for (const end of ends) expect(end).toMatchObject({ kind: 'exited', code: 0, complete: true });
  expect(timers).toBeLessThanOrEqual(2);
  expect(left).toEqual([]);
  expect(after).toBe(before);
});

test('too few descriptors is one reason, however few are left', PATIENCE, async () => {
  const { reasons } = await supervise('starved', { limit: 'ulimit -n 64' });
  expect(reasons.length).toBeGreaterThan(1);
  expect([...new Set(reasons)]).toEqual(['too-many-open-files']);
});

const CANNOT_BECOME_OTHERS = canBecomeOthers() ? undefined : 'needs root, and setpriv to become another user';

/** Needs root to make a program that becomes root, and another user to run it. */
function canBecomeOthers(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const asNobody = spawnSync(process.execPath, ['-e', '0'], { uid: NOBODY, gid: NOBODY });
  return asNobody.status === 0 && spawnSync('setpriv', ['--version']).status === 0;
}

testUnless(CANNOT_BECOME_OTHERS, 'a program that we may not signal is told, and does not hold the exit', async () => {
  const { folder } = bench();
  chmodSync(folder, 0o777);
  const become = join(folder, 'become');
  copyFileSync(execFileSync('which', ['setpriv'], { encoding: 'utf8' }).trim(), become);
  chmodSync(become, 0o4755);
  const { pid, end } = await supervise('foreign', { uid: NOBODY });
  try {
    expect(end).toMatchObject({ kind: 'not-ended', stopped: 'killed', survivors: 'left' });
    expect(isRunning(pid)).toBe(true);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});
