import { describe, expect, test } from 'vitest';
import { defineError } from '../../../src/kernel/errors/index.ts';
import { noticeRefused, noticeUndelivered } from '../../../src/ledger/notify/errors.ts';
import type { Channel, Notice } from '../../../src/ledger/notify/notice.ts';
import { createNotifier, type NotifierOptions } from '../../../src/ledger/notify/notifier.ts';
import { parseQuietHours } from '../../../src/ledger/notify/quiet-hours.ts';
import { NOON, openedLedger } from '../support.ts';

const NOTICE: Notice = { id: 'n1', title: 'Parked', text: 'it waits', urgency: 'normal', at: NOON };
const HOUR = 3_600_000;

type Answers = 'ok' | 'fail' | 'refuse' | 'crash';

/** A channel that answers as told, the last answer again and again. */
function channel(name: Channel['name'], ...answers: readonly Answers[]) {
  const sent: Notice[] = [];
  const left = [...answers];
  const send = (notice: Notice): Promise<void> => {
    sent.push(notice);
    const answer = (left.length > 1 ? left.shift() : left[0]) ?? 'ok';
    const errors = { ok: undefined, fail: noticeUndelivered, refuse: noticeRefused, crash: unforeseen };
    const make = errors[answer];
    return make === undefined ? Promise.resolve() : Promise.reject(make({ channel: name, reason: answer }));
  };
  return { name, keepsQuiet: name !== 'file', send, sent };
}

const unforeseen = defineError<{ reason: string }>({ code: 'unforeseen', message: ({ reason }) => reason, remedy: '' });

async function notifier(channels: readonly Channel[], more: Partial<NotifierOptions> = {}) {
  const opened = await openedLedger();
  const options: NotifierOptions = {
    ledger: opened.ledger,
    channels,
    alone: async (work) => {
      await work();
      return 'done';
    },
    signal: new AbortController().signal,
    ...more,
  };
  return { ...opened, options, ...createNotifier(options) };
}

describe('a notice', () => {
  test('is delivered once on each channel, however often it is given', async () => {
    const [file, webhook] = [channel('file'), channel('webhook')];
    const { notify, nextDue } = await notifier([file, webhook]);
    const rows = await notify(NOTICE);
    expect(rows.map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
      ['n1/file', 'delivered', 1],
      ['n1/webhook', 'delivered', 1],
    ]);
    await notify({ ...NOTICE, text: 'again' });
    expect([file.sent, webhook.sent]).toEqual([[NOTICE], [NOTICE]]);
    expect(nextDue()).toBeUndefined();
  });

  test('is masked before it is stored or sent', async () => {
    const file = channel('file');
    const { notify } = await notifier([file]);
    const [row] = await notify({ ...NOTICE, title: 'hunter2', text: 'with hunter2' });
    expect(file.sent).toEqual([{ ...NOTICE, title: '*******', text: 'with *******' }]);
    expect(row?.body).not.toContain('hunter2');
  });

  test('that failed is tried again after growing pauses, then given up', async () => {
    const webhook = channel('webhook', 'fail');
    const { notify, flush, nextDue, clock } = await notifier([webhook]);
    await notify(NOTICE);
    const pauses: number[] = [];
    for (let due = nextDue(); due !== undefined; due = nextDue()) {
      const before = webhook.sent.length;
      clock.pass(due - NOON - clock.mono() - 1);
      await flush();
      expect(webhook.sent).toHaveLength(before);
      pauses.push(clock.mono() + 1);
      clock.pass(1);
      await flush();
      expect(webhook.sent).toHaveLength(before + 1);
    }
    const steps = pauses.map((pause, index) => (pause - (pauses[index - 1] ?? 0)) / 1000);
    expect(steps).toEqual([30, 120, 600, 3600, 21_600]);
    const [row] = await notify(NOTICE);
    expect(row).toMatchObject({ state: 'given-up', attempts: 6, reason: expect.stringContaining('fail') as string });
  });

  test('that one channel refuses reaches the others', async () => {
    const [webhook, file] = [channel('webhook', 'refuse'), channel('file')];
    const { notify, nextDue } = await notifier([webhook, file]);
    const rows = await notify(NOTICE);
    expect(rows.map(({ state }) => state)).toEqual(['delivered', 'given-up']);
    expect(nextDue()).toBeUndefined();
  });

  test.each([
    ['an error that is none of ours', new TypeError('no such thing'), 'no such thing'],
    ['what is no error at all', 'a word', 'a word'],
  ])('that meets %s reaches the others, and is tried again', async (_name, thrown, reason) => {
    const webhook: Channel = { name: 'webhook', keepsQuiet: true, send: () => Promise.reject(thrown) };
    const file = channel('file');
    const { notify, nextDue } = await notifier([webhook, file]);
    const rows = await notify(NOTICE);
    expect(rows.map(({ state, reason: told }) => [state, told])).toEqual([
      ['delivered', undefined],
      ['failed', reason],
    ]);
    expect(file.sent).toEqual([NOTICE]);
    expect(nextDue()).toBe(NOON + 30_000);
  });

  test('of a channel that comes back later is not lost', async () => {
    const webhook = channel('webhook', 'fail', 'ok');
    const { notify, options, clock } = await notifier([webhook]);
    await notify(NOTICE);
    clock.pass(HOUR);
    await createNotifier({ ...options, channels: [] }).flush();
    await createNotifier(options).flush();
    expect(webhook.sent).toHaveLength(2);
  });
});

describe('quiet hours', () => {
  const quietHours = parseQuietHours('11:00-13:00 UTC');

  test('hold what disturbs, but not what is critical and not the file', async () => {
    const [desktop, file] = [channel('desktop'), channel('file')];
    const { notify, flush, nextDue, clock } = await notifier([desktop, file], { quietHours });
    await notify(NOTICE);
    await notify({ ...NOTICE, id: 'n2', urgency: 'critical' });
    expect(desktop.sent.map(({ id }) => id)).toEqual(['n2']);
    expect(file.sent.map(({ id }) => id)).toEqual(['n1', 'n2']);
    expect(nextDue()).toBe(NOON + HOUR);
    clock.pass(HOUR - 1);
    await flush();
    expect(desktop.sent).toHaveLength(1);
    clock.pass(1);
    await flush();
    expect(desktop.sent.map(({ id }) => id)).toEqual(['n2', 'n1']);
  });
});

describe('a process that ended in the middle', () => {
  test('leaves a delivery that the next one repeats', async () => {
    const file = channel('file', 'crash', 'ok');
    const { notify, flush } = await notifier([file]);
    await expect(notify(NOTICE)).resolves.toMatchObject([{ state: 'failed' }]);
    await flush();
    expect(file.sent).toHaveLength(1);
  });

  test('is told from one that is still at work: a busy notifier delivers nothing', async () => {
    const file = channel('file');
    const { notify, options } = await notifier([file], { alone: () => Promise.resolve('busy') });
    await expect(notify(NOTICE)).resolves.toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(file.sent).toEqual([]);
    await createNotifier({ ...options, alone: async (work) => work().then(() => 'done' as const) }).flush();
    expect(file.sent).toEqual([NOTICE]);
  });

  test('that was told to stop begins no further delivery', async () => {
    const controller = new AbortController();
    const file = channel('file');
    const { notify } = await notifier([file], { signal: controller.signal });
    controller.abort();
    await expect(notify(NOTICE)).resolves.toMatchObject([{ state: 'waiting' }]);
  });
});
