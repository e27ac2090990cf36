import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readBytes } from '../../../src/kernel/files/index.ts';
import { isHeld, takeLock, tryLock } from '../../../src/kernel/lock/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { runNode } from '../../support/run-node.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { skipGroup, withoutProc } from '../../support/needs.ts';

const folder = tempFolder();
const program = (name: string) => bundledProgram(join(import.meta.dirname, 'programs', name));
const [holder, looker, turns] = [program('hold-lock.ts'), program('look.ts'), program('take-turns.ts')];
const children: ChildProcess[] = [];

/** A child that has said its first word. */
async function start(file: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [word] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, word: word.toString().trim() };
}

async function end(child: ChildProcess, how: 'input' | 'SIGKILL'): Promise<void> {
  const ended = once(child, 'close');
  if (how === 'input') child.stdin?.end();
  else child.kill(how);
  await ended;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL');
  }
});

describe('a lock of another process', () => {
  test('is held until that process gives it free', async () => {
    const { child, word } = await start(holder.file, folder.at('a'));
    expect(word).toBe('taken');
    expect([isHeld(folder.at('a')), tryLock(folder.at('a'))]).toEqual([true, 'held']);
    expect((await start(holder.file, folder.at('a'))).word).toBe('held');
    await end(child, 'input');
    expect(isHeld(folder.at('a'))).toBe(false);
  });

  test('dies with it, and leaves nothing that keeps others out', async () => {
    const { child } = await start(holder.file, folder.at('a'));
    await end(child, 'SIGKILL');
    expect(readdirSync(folder.path)).toEqual(['a']);
    expect(isHeld(folder.at('a'))).toBe(false);
    const lock = tryLock(folder.at('a'));
    expect(lock).not.toBe('held');
    if (lock !== 'held') lock.release();
  });

  test('is held also while it is stopped', async () => {
    const { child } = await start(holder.file, folder.at('a'));
    child.kill('SIGSTOP');
    expect([isHeld(folder.at('a')), tryLock(folder.at('a'))]).toEqual([true, 'held']);
    child.kill('SIGCONT');
  });

  test('goes with its file', async () => {
    const { child } = await start(holder.file, folder.at('a'), 'remove');
    await end(child, 'input');
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('several processes', () => {
  test('look at a lock while it is taken and released, and keep nobody out', async () => {
    const lookers = await Promise.all([start(looker.file, folder.at('a')), start(looker.file, folder.at('a'))]);
    for (let round = 0; round < 100; round += 1) {
      // A single try would meet a looker that the system does not let run.
      const lock = await takeLock(folder.at('a'), { clock: systemClock(), waitMs: 60_000 });
      expect(lock).not.toBe('held');
      if (lock !== 'held') lock.release();
    }
    const said = lookers.map(({ child }) => once(child.stdout, 'data'));
    await Promise.all(lookers.map(({ child }) => end(child, 'input')));
    const found = ((await Promise.all(said)) as [Buffer][]).map(([text]) => JSON.parse(text.toString()));
    expect(found).toMatchObject([{ free: expect.any(Number) }, { free: expect.any(Number) }]);
  });

  test('never hold it at once, although each removes the file', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => runNode(turns.file, [folder.at('a'), folder.at('flag')])));
    expect(all.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['0', '0', '0', '0']);
  });
});

test('a lock is still held for others after this process wanted to read its file', async () => {
  const lock = tryLock(folder.at('a'));
  expect(() => readBytes(folder.at('a'))).toThrow(expect.objectContaining({ code: 'file-held' }));
  expect((await start(holder.file, folder.at('a'))).word).toBe('held');
  if (lock !== 'held') lock.release();
});

describe('a child of the holder', () => {
  skipGroup(withoutProc);

  test('does not inherit the lock', async () => {
    const lock = tryLock(folder.at('a'));
    expect(openFilesOf('self').includes(folder.at('a'))).toBe(true);
    const child = spawn('sleep', ['60'], { stdio: 'inherit' });
    children.push(child);
    await once(child, 'spawn');
    expect(openFilesOf(`${child.pid}`)).not.toContain(folder.at('a'));
    if (lock !== 'held') lock.release();
    expect(isHeld(folder.at('a'))).toBe(false);
  });
});

describe('a user without the rights', () => {
  const nobody = program('try-as-nobody.ts');

  test('is told so, and not that the lock is free', async () => {
    writeFileSync(folder.at('a'), '');
    chmodSync(folder.at('a'), 0o000);
    chmodSync(folder.path, 0o755);
    const denied = (action: string) => ({ code: 'permission-denied', message: `cannot ${action} ${folder.at('a')}: permission denied` });
    const { stdout, stderr } = await runNode(nobody.file, [folder.at('a')]);
    expect([JSON.parse(stdout), stderr]).toEqual([{ look: denied('open'), take: denied('write') }, '']);
  });

  test('does not take what it may only read, where SQLite would not lock at all', async () => {
    writeFileSync(folder.at('a'), '', { mode: 0o444 });
    chmodSync(folder.path, 0o777);
    const { stdout, stderr } = await runNode(nobody.file, [folder.at('a')]);
    expect([JSON.parse(stdout), stderr]).toMatchObject([{ look: false, take: { code: 'permission-denied' } }, '']);
  });
});

function openFilesOf(pid: string): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      // Closed since the folder was listed.
      return '';
    }
  });
}
