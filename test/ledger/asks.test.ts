import { describe, expect, test } from 'vitest';
import type { NewAsk } from '../../src/ledger/index.ts';
import { HERE, NOON, openedLedger } from './support.ts';

const ASK: NewAsk = {
  ...HERE,
  id: 'toy/r1/approve',
  run: 'r1',
  kind: 'approval',
  question: 'Land change 7?',
  options: ['approve', 'reject'],
  consequence: 'approve moves main to 1234; reject parks the change',
  subjectHash: 'sha256:aa',
};
const ANSWER = { id: ASK.id, option: 'approve', subjectHash: 'sha256:aa', by: 'ada' };

describe('an ask', () => {
  test('is open until it is answered, and stays one question when it is put again', async () => {
    const { ledger, clock, again } = await openedLedger();
    await ledger.asks.ask(ASK);
    clock.pass(1000);
    await ledger.asks.ask(ASK);
    expect((await again()).asks.open()).toEqual([{ ...ASK, state: 'open', openedAt: NOON }]);
    const answered = await ledger.asks.answer(ANSWER);
    expect(answered).toEqual({ ...ASK, state: 'answered', openedAt: NOON, closedAt: NOON + 1000, answer: 'approve', answeredBy: 'ada' });
    expect(ledger.asks.open()).toEqual([]);
    expect(ledger.asks.find(ASK.id)).toEqual(answered);
    expect(await ledger.asks.ask(ASK)).toEqual(answered);
  });

  test('takes the first of many answers', async () => {
    const { ledger, again } = await openedLedger();
    const other = await again();
    await ledger.asks.ask(ASK);
    const options = ['approve', 'reject', 'approve', 'reject'];
    const answers = await Promise.allSettled(
      options.map((option, index) => (index % 2 === 0 ? ledger : other).asks.answer({ ...ANSWER, option })),
    );
    const [first, ...more] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(more).toEqual([]);
    expect(ledger.asks.find(ASK.id)).toEqual(first);
  });

  test.each([
    ['of another id', { id: 'nothing' }, 'ask-unknown', 'nothing'],
    ['that is not offered', { option: 'maybe' }, 'ask-option-unknown', 'approve, reject'],
    ['to what was shown before it changed', { subjectHash: 'sha256:bb' }, 'ask-changed', ASK.id],
  ])('refuses an answer %s', async (_, change, code, named) => {
    const { ledger } = await openedLedger();
    await ledger.asks.ask(ASK);
    await expect(ledger.asks.answer({ ...ANSWER, ...change })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(named) as string,
    });
    expect(ledger.asks.open()).toHaveLength(1);
  });

  test('that changed while it was open asks about the new thing', async () => {
    const { ledger, clock } = await openedLedger();
    await ledger.asks.ask(ASK);
    clock.pass(1000);
    await ledger.asks.ask({ ...ASK, subjectHash: 'sha256:bb' });
    expect(ledger.asks.open()).toEqual([{ ...ASK, subjectHash: 'sha256:bb', state: 'open', openedAt: NOON }]);
    await expect(ledger.asks.answer(ANSWER)).rejects.toMatchObject({ code: 'ask-changed' });
  });

  test('that was withdrawn takes no answer; one that was answered cannot be withdrawn', async () => {
    const { ledger } = await openedLedger();
    await ledger.asks.ask(ASK);
    await ledger.asks.withdraw(ASK.id);
    await expect(ledger.asks.answer(ANSWER)).rejects.toMatchObject({ code: 'ask-closed', message: expect.stringContaining('withdrawn') as string });
    await ledger.asks.ask({ ...ASK, id: 'b' });
    await ledger.asks.answer({ ...ANSWER, id: 'b' });
    await ledger.asks.withdraw('b');
    expect(ledger.asks.find('b')?.state).toBe('answered');
    await expect(ledger.asks.answer({ ...ANSWER, id: 'b' })).rejects.toMatchObject({ message: expect.stringContaining('ada answered "approve"') as string });
  });
});
