import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../src/kernel/journal/index.ts';
import { fileChannel } from '../../../src/ledger/notify/index.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { NOON, stillClock } from '../support.ts';

const NOTICE = { id: 'n1', title: 'Parked', text: 'it\nwaits', urgency: 'normal', at: NOON } as const;
const signal = new AbortController().signal;

describe('the file', () => {
  test('gets each notice as one line, once', async () => {
    const path = join(temporaryFolder(), 'notices.jsonl');
    const channel = fileChannel({ path, clock: stillClock(), writer: 'w' });
    await channel.send(NOTICE, { signal });
    await channel.send({ ...NOTICE, id: 'n2' }, { signal });
    await fileChannel({ path, clock: stillClock(), writer: 'other' }).send(NOTICE, { signal });
    const { records } = await readJournal(path, { purpose: 'decide' });
    expect(records.map(({ record }) => record)).toEqual([
      { kind: 'notice', ...NOTICE },
      { kind: 'notice', ...NOTICE, id: 'n2' },
    ]);
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('in a folder that is not there is told, to be tried again', async () => {
    const path = join(temporaryFolder(), 'missing', 'notices.jsonl');
    const sent = fileChannel({ path, clock: stillClock(), writer: 'w' }).send(NOTICE, { signal });
    await expect(sent).rejects.toMatchObject({ code: 'notice-undelivered', message: expect.stringContaining(path) as string });
  });
});
