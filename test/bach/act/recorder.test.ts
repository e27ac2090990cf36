import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Recorder } from '../../../src/bach/act/recorder.ts';
import type { TargetRunRecord } from '../../../src/bach/model/run.ts';

function row(target: string, status: TargetRunRecord['status'] = 'running'): TargetRunRecord {
  return { target, status, startedAt: 1n, finishedAt: undefined, logPath: '', operation: '', exitCode: undefined, message: '' };
}

/** A recorder whose writes are kept, and a way to wait for the next one. */
function recording({ failing = false } = {}) {
  const written: string[][] = [];
  let failures = 0;
  const waiting: (() => void)[] = [];
  const recorder = new Recorder({
    write: async (rows) => {
      written.push(rows.map(({ target, status }) => `${target} ${status}`));
      waiting.splice(0).forEach((wake) => wake());
      if (failing) throw new Error('disk full');
    },
    failed: () => (failures += 1),
  });
  const nextWrite = () => new Promise<void>((resolve) => waiting.push(resolve));
  return { recorder, written, failures: () => failures, nextWrite };
}

test('rows that change together are written together, each once and as it is then', async () => {
  const { recorder, written, nextWrite } = recording();
  const write = nextWrite();
  recorder.put(row('a'));
  recorder.put(row('b'));
  recorder.put(row('a', 'success'));
  await write;
  expect(written).toEqual([['a success', 'b running']]);
  expect(await recorder.close()).toEqual([]);
});

test('closing gives back what was not written, and nothing is written afterwards', async () => {
  const { recorder, written } = recording();
  recorder.put(row('a'));
  expect(await recorder.close()).toEqual([row('a')]);
  await sleep(250);
  expect(written).toEqual([]);
  expect(recorder.rows).toEqual([row('a')]);
});

test('a write that fails is told once, and no further one is tried', async () => {
  const { recorder, written, failures, nextWrite } = recording({ failing: true });
  const write = nextWrite();
  recorder.put(row('a'));
  await write;
  recorder.put(row('b'));
  await sleep(250);
  await expect(recorder.close()).rejects.toThrow('disk full');
  expect(failures()).toBe(1);
  expect(written).toEqual([['a running']]);
});
