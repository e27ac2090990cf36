import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../../../src/engine/index.ts';
import { toyHandlers } from '../../../src/engine/toy/handlers.ts';
import type { ToySessions } from '../../../src/engine/toy/sessions.ts';
import { openWorkplace, prepareToy } from '../../../src/engine/toy/workplace.ts';
import { pathsOf } from '../../../src/engine/toy/world.ts';
import { detectContainment, endLeftovers } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { openLedger, type Session } from '../../../src/ledger/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const marker = `toy-sessions-${process.pid}`;

async function toyWith(change: (book: ToySessions, alive: () => readonly Session[]) => ToySessions) {
  const ledger = await openLedger(folder.at('ledger.db'), { clock: systemClock(), mask: (words) => words });
  onTestFinished(() => ledger.close());
  const place = { folder: folder.path, marker };
  await prepareToy(place, { name: 'sessions', units: [], maxInFlight: 1 });
  const { sessions } = ledger;
  const world = { ...(await openWorkplace(place)), sessions: change(sessions, () => sessions.alive()) };
  const run = (...argv: readonly [string, ...string[]]): Promise<Receipt> => {
    const { signal } = new AbortController();
    const input = { unit: 'u', attempt: 1, argv };
    return toyHandlers.run.perform({ kind: 'run', key: 'u#1', input, sequence: 7, epoch: 1 }, { world, signal, stopping: signal });
  };
  return { run, all: () => sessions.since(0), alive: () => sessions.alive() };
}

describe('the session of a program, in the real book', () => {
  test('is written before the spawn, and closed with the end', async () => {
    const seen: unknown[] = [];
    const log = pathsOf(folder.path).log(7);
    const { best } = await detectContainment({ env: { PATH: process.env['PATH'] ?? '' }, clock: systemClock() });
    const toy = await toyWith((book, alive) => ({
      begin: async (session) => {
        await book.begin(session);
        seen.push(alive().map(({ state }) => state), existsSync(log));
      },
      started: async (id, facts) => {
        await book.started(id, facts);
        seen.push(alive().map(({ state, pid, layer, bootId }) => [state, pid === facts.pid, layer, bootId === facts.bootId]));
      },
      end: (id, ending) => book.end(id, ending),
    }));
    expect(await toy.run('/bin/sh', '-c', 'sleep 0.1; echo here')).toEqual({ outcome: 'ok', data: null });
    expect(seen).toEqual([['starting'], false, [['running', true, best, true]]]);
    expect(toy.alive()).toEqual([]);
    const ended = { id: `${marker}-7`, system: 'toy', unit: 'u', attempt: 1, marker, logPath: log, state: 'ended', ending: 'exited' };
    expect(toy.all()).toMatchObject([ended]);
  });

  test('of a program that cannot be started has no number, and an end', async () => {
    const toy = await toyWith((book) => book);
    expect(await toy.run('/nowhere/program')).toMatchObject({ code: 'not-run' });
    expect(toy.all().map(({ pid, state, ending }) => [pid, state, ending])).toEqual([[undefined, 'ended', 'not-started']]);
  });

  test('that cannot be begun starts nothing', async () => {
    const toy = await toyWith((book) => ({ ...book, begin: () => Promise.reject(new Error('no book')) }));
    await expect(toy.run('/bin/touch', folder.at('ran'))).rejects.toThrow('no book');
    expect(existsSync(folder.at('ran'))).toBe(false);
  });

  test('that cannot be noted ends its program: what is tried again does not run beside it', async () => {
    const toy = await toyWith((book) => ({ ...book, started: () => Promise.reject(new Error('no book')) }));
    await expect(toy.run('/bin/sleep', '600')).rejects.toThrow('no book');
    expect(await endLeftovers({ marker }, { graceMs: 0 })).toMatchObject({ found: 'ended' });
  });
});
