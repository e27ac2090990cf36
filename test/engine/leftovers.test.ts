import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endingLeftovers } from '../../src/engine/index.ts';
import { refuseLeft } from '../../src/engine/leftovers.ts';
import { start } from '../../src/kernel/process/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const signal = new AbortController().signal;
const settle = (marker: string) => endingLeftovers({ sessions: folder.at('sessions'), marker, graceMs: 100 });

describe('what the holder before left running', () => {
  test('is ended by its record', async () => {
    mkdirSync(folder.at('sessions'));
    const child = start(
      {
        argv: ['/bin/sh', '-c', "trap '' TERM; while :; do sleep 1; done"],
        origin: 'drover',
        cwd: folder.path,
        env: { PATH: process.env['PATH'] ?? '' },
        marker: 'another',
        log: { path: folder.at('log') },
        record: folder.at('sessions', 'one.json'),
        graceMs: 100,
      },
      { clock: systemClock() },
    );
    while (!readdirSync(folder.at('sessions')).includes('one.json')) await new Promise((resolve) => setTimeout(resolve, 5));
    // What a write that was cut off left is no record.
    writeFileSync(folder.at('sessions', '.drover-0.tmp'), '{');
    await settle(`leftovers-${process.pid}`)(signal);
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL' });
  });

  test('is ended by the marker where no record was written yet', async () => {
    mkdirSync(folder.at('sessions'));
    const marker = `leftovers-marked-${process.pid}`;
    const child = spawn('/bin/sleep', ['600'], { env: { DROVER_RUN: marker }, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', (_code, name) => resolve(name)));
    await settle(marker)(signal);
    expect(await ended).toBe('SIGTERM');
  });

  test('nothing is no failure', async () => {
    mkdirSync(folder.at('sessions'));
    await settle(`leftovers-none-${process.pid}`)(signal);
  });

  test('a folder that is not there is one', async () => {
    await expect(settle('x')(signal)).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('sessions') });
  });

  test('a hard stop breaks it off', async () => {
    mkdirSync(folder.at('sessions'));
    writeFileSync(folder.at('sessions', 'one.json'), 'no record');
    await expect(settle('x')(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    await expect(settle('x')(signal)).rejects.toMatchObject({ code: 'process-record-damaged' });
  });

  test('and cannot be ended is named', () => {
    const processes = [{ pid: 12, name: 'make' }, { pid: 13, name: 'cc' }];
    const named = { code: 'leftovers-alive', message: 'still running from an earlier holder of this run: make (12), cc (13)' };
    expect(() => refuseLeft({ processes, untold: [] })).toThrow(expect.objectContaining({ ...named, remedy: expect.stringMatching(/^end these processes/) }));
    expect(() => refuseLeft({ processes, untold: ['a.json'] })).toThrow(/cc \(13\); a\.json: nothing tells here/);
    expect(() => refuseLeft({ processes: [], untold: [] })).not.toThrow();
  });

  test.each([
    ['names no start time', { startTime: 0 }],
    ['names no boot', { bootId: '' }],
  ])('and cannot be told from another program is refused: the record %s', async (_name, unknowable) => {
    mkdirSync(folder.at('sessions'));
    const record = folder.at('sessions', 'one.json');
    const identity = { pid: 2 ** 22 + 1, startTime: 1, bootId: 'then', ...unknowable };
    writeFileSync(record, JSON.stringify({ ...identity, marker: 'x', origin: 'project', layer: 'none', containment: 'partial', engine: identity }));
    await expect(settle(`leftovers-untold-${process.pid}`)(signal)).rejects.toMatchObject({
      code: 'leftovers-alive',
      message: `${record}: nothing tells here whether the program of this record still runs`,
      remedy: expect.stringContaining('move these records out of the folder'),
    });
    expect(existsSync(record)).toBe(true);
  });
});
