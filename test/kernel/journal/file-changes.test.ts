import { copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openJournal, readJournal } from '../../../src/kernel/journal/index.ts';
import { appendBytes, appendTo, stillClock } from '../../support/journals.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const clock = stillClock;

async function numbersIn(path: string): Promise<readonly unknown[]> {
  const { records } = await readJournal(path, { purpose: 'decide' });
  return records.map(({ record }) => record['n']);
}

/** A journal with an acknowledged record, and what happens to its file. */
async function changed(change: (path: string) => void) {
  const path = folder.at('of', 'j');
  mkdirSync(folder.at('of'), { recursive: true });
  writeFileSync(path, '');
  const journal = await openJournal(path, { clock, writer: 'a' });
  await journal.append({ n: 1 });
  change(path);
  return { path, journal };
}

describe('a file that is changed under its writer', () => {
  test.each([
    ['moved, with a copy put in its place', (path: string) => (renameSync(path, `${path}~`), copyFileSync(`${path}~`, path))],
    ['moved away', (path: string) => renameSync(path, `${path}.1`)],
    ['deleted, with another name left', (path: string) => (linkSync(path, `${path}.k`), unlinkSync(path))],
    ['replaced by a link to it', (path: string) => (renameSync(path, `${path}~`), symlinkSync(`${path}~`, path))],
    ['in a folder that was moved', () => renameSync(folder.at('of'), folder.at('moved'))],
    ['in a folder that became a file', () => (renameSync(folder.at('of'), folder.at('gone')), writeFileSync(folder.at('of'), ''))],
  ])('%s: nothing is acknowledged that is not in the file at the path', async (_name, change) => {
    const { path, journal } = await changed(change);
    const refusal = { code: 'journal-removed', message: expect.stringContaining(path) };
    const calls = [journal.append({ n: 2 }), journal.note({ n: 3 }), journal.append({ n: 4 })];
    for (const call of calls) await expect(call).rejects.toMatchObject(refusal);
    await expect(journal.note({ n: 5 })).rejects.toMatchObject(refusal);
    await journal.close();
  });

  test('goes on when it is opened again, with all that was acknowledged', async () => {
    const { path, journal } = await changed((each) => {
      renameSync(each, `${each}~`);
      copyFileSync(`${each}~`, each);
    });
    await expect(journal.append({ n: 2 })).rejects.toMatchObject({ code: 'journal-removed' });
    await journal.close();
    await appendTo(path, 'a', [{ n: 3 }]);
    expect(await numbersIn(path)).toEqual([1, 3]);
  });

  test.each([
    ['to nothing', (path: string) => truncateSync(path, 0)],
    ['by one byte', (path: string) => truncateSync(path, readFileSync(path).length - 1)],
    ['and written on by others beyond its old end', (path: string) => writeFileSync(path, `{"text":"${'x'.repeat(200)}"}\n`)],
  ])('truncated %s: it takes nothing more until it is opened again', async (_name, change) => {
    const { path, journal } = await changed(change);
    const left = readFileSync(path);
    const refusal = {
      code: 'journal-truncated',
      message: expect.stringContaining(path),
      remedy: expect.stringContaining(`drover journal check ${path}`),
    };
    const calls = [journal.note({ n: 2 }), journal.append({ n: 3 }), journal.append({ n: 4 })];
    for (const call of calls) await expect(call).rejects.toMatchObject(refusal);
    await expect(journal.append({ n: 5 })).rejects.toMatchObject(refusal);
    await journal.close();
    expect(readFileSync(path).equals(left)).toBe(true);
    await appendTo(path, 'a', [{ n: 6 }]);
    expect((await numbersIn(path)).at(-1)).toBe(6);
  });

  test('truncated between its opening and the first record', async () => {
    const path = folder.at('j');
    await appendTo(path, 'a', [{ n: 1 }]);
    const journal = await openJournal(path, { clock, writer: 'b' });
    truncateSync(path, 10);
    await expect(journal.append({ n: 2 })).rejects.toMatchObject({ code: 'journal-truncated' });
    await journal.close();
  });

  test('truncated between the look at it and the sync: that record is not acknowledged', async () => {
    const path = folder.at('j');
    // It is asked for its time between the look at the file and the write, to date the repair.
    const shortening = { ...clock, wall: () => (truncateSync(path, 3), clock.wall()) };
    writeFileSync(path, '{"torn by another');
    const journal = await openJournal(path, { clock: shortening, writer: 'a' });
    await expect(journal.append({ n: 1 })).rejects.toMatchObject({ code: 'journal-truncated' });
    await journal.close();
  });

  test('whose end another one half repaired is repaired by a writer that has long known its end', async () => {
    const path = folder.at('j');
    const journal = await openJournal(path, { clock, writer: 'a' });
    await journal.append({ n: 1 });
    // A record cut off, and the first byte of its repair.
    appendBytes(path, '{"w":"c#1","n":\n');
    await journal.append({ n: 2 });
    // Once more, behind a long line.
    appendBytes(path, `{"w":"c#1","text":"${'x'.repeat(50_000)}\n`);
    await Promise.all([journal.note({ n: 3 }), journal.note({ n: 4 })]);
    await journal.close();
    const { damage, repaired } = await readJournal(path, { purpose: 'decide' });
    expect({ damage, lines: repaired.map(({ line }) => line) }).toEqual({ damage: [], lines: [2, 5] });
    expect(await numbersIn(path)).toEqual([1, 2, 3, 4]);
  });
});
