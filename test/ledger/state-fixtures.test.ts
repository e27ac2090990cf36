import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger, type Ledger } from '../../src/ledger/index.ts';
import { deliveries } from '../../src/ledger/rows.ts';
import { temporaryFolder } from '../support/temp.ts';
import { NOON, stillClock } from './support.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/state/0.2.0/ledger/ledger.db');
const PLACE = { system: 'toy', repository: '/home/ada/repo', run: 'r1', unit: 'u1' } as const;

async function copied(): Promise<Ledger> {
  const path = join(temporaryFolder(), 'ledger.db');
  copyFileSync(FIXTURE, path);
  const ledger = await openLedger(path, { clock: stillClock(NOON + 1), mask: (words) => words });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** Every later version must be able to read it. */
describe('the ledger that version 0.2.0 wrote', () => {
  test('tells who drives and what runs', async () => {
    const ledger = await copied();
    expect(ledger.holders.list()).toEqual([
      {
        folder: '/home/ada/repo/runs/r1',
        system: 'toy',
        repository: '/home/ada/repo',
        lockPath: '/home/ada/repo/runs/r1/lock',
        pid: 4711,
        startTime: '345',
        bootId: 'b1',
        command: 'toy run',
        since: NOON,
        lastSeen: NOON + 1,
      },
    ]);
    expect(ledger.sessions.alive()).toEqual([
      {
        id: 's1',
        ...PLACE,
        attempt: 2,
        marker: 'm1',
        logPath: '/home/ada/repo/runs/r1/u1.log',
        state: 'running',
        pid: 4712,
        startTime: '346',
        bootId: 'b1',
        layer: 'pid-namespace',
        containment: 'full',
        startedAt: NOON,
      },
    ]);
  });

  test('tells what was used up, what is left of the budget, and who is left alone', async () => {
    const ledger = await copied();
    const budget = { id: 'b1', repository: '/home/ada/repo', run: 'r1', provider: 'p1', since: NOON - 1, limitMicros: 5000, limitTokens: 600 };
    expect(ledger.spend.budgets({ repository: '/home/ada/repo', run: 'r1', provider: 'p1' })).toEqual([
      { budget, used: { costMicros: 1000, tokens: 300 }, share: 0.5, exhausted: false },
    ]);
    expect(ledger.cooldowns.active()).toEqual([{ provider: 'p1', until: NOON + 60_000, reason: 'too many requests', since: NOON }]);
  });

  test('tells what waits for a person, and what was to be told to one', async () => {
    const ledger = await copied();
    const ask = { id: 'a1', ...PLACE, kind: 'approval', question: 'Merge it?', options: ['yes', 'no'], consequence: 'It waits.', subjectHash: 'h1', openedAt: NOON };
    expect(ledger.asks.find('a1')).toEqual({ ...ask, state: 'answered', closedAt: NOON + 1, answer: 'yes', answeredBy: 'ada' });
    expect(deliveries.select(ledger.pages.db, '1')).toEqual([
      { id: 'n1/file', notice: 'n1', channel: 'file', body: '{"title":"é"}', state: 'failed', attempts: 2, due: NOON + 5, reason: 'no space', at: NOON },
    ]);
  });
});
