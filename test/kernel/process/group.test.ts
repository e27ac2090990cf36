import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { Ending, endSurvivors } from '../../../src/kernel/process/ending.ts';
import { processGroup, type Group } from '../../../src/kernel/process/group.ts';
import { isRunning } from '../../support/process/workbench.ts';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function leader(argv: readonly [string, ...string[]]): ChildProcess & { readonly pid: number } {
  const child = spawn(argv[0], argv.slice(1), { detached: true, stdio: 'ignore' });
  started.push(child);
  if (child.pid === undefined) return expect.unreachable('it did not start');
  return child as ChildProcess & { readonly pid: number };
}

describe('a process group', () => {
  test('is alive and signalled while its leader runs, and gone afterwards', async () => {
    const child = leader(['sleep', '300']);
    const group = processGroup(child.pid);
    expect(await group.alive()).toBe(true);
    expect(group.signal('SIGTERM')).toBe('sent');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
    group.leaderEnded();
    expect(await group.alive()).toBe(false);
    expect(group.signal('SIGTERM')).toBe('gone');
  });

  test('whose number bears a process after the leader was collected is a stranger, and left alone', async () => {
    const stranger = leader(['sleep', '300']);
    const group = processGroup(stranger.pid);
    group.leaderEnded();
    expect(group.signal('SIGKILL')).toBe('gone');
    expect(await group.alive()).toBe(false);
    expect(stranger.exitCode).toBeNull();
    expect(isRunning(stranger.pid)).toBe(true);
  });

  test('once seen gone is not asked again, even when its number comes back', async () => {
    const child = leader(['true']);
    await once(child, 'exit');
    const group = processGroup(child.pid);
    expect(await group.alive()).toBe(false);
    expect(group.signal('SIGKILL')).toBe('gone');
  });

  // Only looked at: with a broken guard, a signal to these numbers would reach every process of the machine.
  test.each([-1, 0, 1])('is never the number %i, which means everybody', async (id) => {
    expect(await processGroup(id).alive()).toBe(false);
  });
});

/** A group that is told when to vanish, and keeps what it was sent. */
function tameGroup(isAlive: (looks: number, sent: readonly string[]) => boolean, answer: 'sent' | 'refused' = 'sent') {
  const sent: string[] = [];
  let looks = 0;
  const group: Group = {
    id: 4_000_000,
    leaderEnded: () => undefined,
    signal: (name) => {
      sent.push(name);
      return answer;
    },
    alive: () => Promise.resolve(isAlive((looks += 1), sent)),
    left: () => [],
    release: () => Promise.resolve(),
  };
  return { group, sent };
}

describe('what outlives its leader', () => {
  test('and ends by itself in a moment is not signalled and no survivor', async () => {
    const { group, sent } = tameGroup((looks) => looks <= 3);
    const ending = new Ending(group, 1_000);
    expect(await endSurvivors(group, ending)).toBeUndefined();
    expect(sent).toEqual([]);
  });

  test('is asked once, then killed', async () => {
    const { group, sent } = tameGroup((_, signals) => !signals.includes('SIGKILL'));
    const ending = new Ending(group, 20);
    expect(await endSurvivors(group, ending)).toBe('killed');
    ending.close();
    expect(sent).toEqual(['SIGTERM', 'SIGKILL']);
  });

  test('and may not be signalled is left', async () => {
    const { group, sent } = tameGroup(() => true, 'refused');
    expect(await endSurvivors(group, new Ending(group, 20))).toBe('left');
    expect(sent).toEqual(['SIGTERM', 'SIGKILL']);
  });

  test('does not get a second TERM when a stop had sent one', async () => {
    const { group, sent } = tameGroup((looks) => looks <= 2);
    const ending = new Ending(group, 3_600_000);
    ending.stop();
    expect(await endSurvivors(group, ending)).toBeUndefined();
    ending.close();
    expect(sent).toEqual(['SIGTERM']);
    expect(ending.stopped).toBe('graceful');
  });

  test('is left in peace once its ending was closed', () => {
    const { group, sent } = tameGroup(() => true);
    const ending = new Ending(group, 0);
    ending.close();
    ending.stop();
    ending.kill();
    expect(sent).toEqual([]);
    expect(ending.stopped).toBeUndefined();
  });
});
