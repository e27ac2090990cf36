import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDroverError, type DroverError } from '../../kernel/errors/index.ts';
import { checkJournal, type JournalReport } from '../../kernel/journal/index.ts';
import { onOneLine, plainName } from '../../kernel/text/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { findJournals } from '../journals/index.ts';
import { loadSettings } from '../settings/index.ts';
import { journalMissing } from './errors.ts';
import type { JournalCheckInput } from './inputs.ts';
import { unlessStopped } from './stopped.ts';

/** One journal: its path, and what was found. */
interface Checked {
  readonly name: string;
  readonly report: JournalReport;
}

/** One that could not be read: what stands in its place is no file, or the system refuses it. */
interface Unread {
  readonly name: string;
  readonly error: DroverError;
}

/** `drover journal check`: reads journals whole and tells what is damaged, torn or repaired in them. Changes nothing. */
export function journalCheckVerb({ files }: JournalCheckInput, context: VerbContext): Promise<VerbResult> {
  return unlessStopped(context, () => check(files, context));
}

async function check(files: readonly string[], context: VerbContext): Promise<VerbResult> {
  if (files.length > 0) return answer(await checkAll(files, context));
  const found = await findJournals(await loadSettings(context));
  if (found.files.length > 0) return answer(await checkAll(found.files, context));
  return { exit: 0, json: { journals: [], unread: [], ok: true }, text: ['no journals found in', ...found.folders.map((folder) => `  ${plainName(folder)}`)].join('\n') };
}

async function checkAll(files: readonly string[], context: VerbContext): Promise<readonly (Checked | Unread)[]> {
  // An absolute path needs no current folder, which may be gone.
  const named = files.map((name) => ({ name, path: name.startsWith('/') ? name : resolve(context.cwd, name) }));
  const missing = named.filter(({ name, path }) => name === '' || isMissing(path)).map(({ name }) => plainName(name));
  if (missing.length > 0) throw journalMissing({ paths: missing });
  const checked: (Checked | Unread)[] = [];
  for (const { name, path } of named) {
    checked.push({ name, ...(await checkOne(path, context.stop.graceful)) });
  }
  return checked;
}

/** The others are looked at all the same. */
async function checkOne(path: string, signal: AbortSignal): Promise<Omit<Checked, 'name'> | Omit<Unread, 'name'>> {
  try {
    return { report: await checkJournal(path, { signal }) };
  } catch (error) {
    if (signal.aborted || !isDroverError(error)) throw error;
    return { error };
  }
}

/** What cannot be looked at is left to the reading, which says why. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Not allowed to look, or a file stands where a folder should.
    return false;
  }
}

function answer(all: readonly (Checked | Unread)[]): VerbResult {
  const checked = all.filter((each) => 'report' in each);
  const unread = all.filter((each) => 'error' in each);
  const damaged = checked.filter(({ report }) => report.damage.length > 0).length;
  const isWell = damaged === 0 && unread.length === 0;
  const json = { journals: checked.map(asDocument), unread: unread.map(refusalOf), ok: isWell };
  const errors = [...unread.flatMap(({ error }) => [onOneLine(error.message), error.remedy]), ...damageTold(damaged, checked.length)];
  return { exit: isWell ? 0 : 1, json, text: checked.flatMap(linesOf).join('\n'), errors };
}

function refusalOf({ name, error: { code, message, remedy } }: Unread) {
  return { path: name, code, message, remedy };
}

function damageTold(damaged: number, all: number): readonly string[] {
  if (damaged === 0) return [];
  return [
    `${damaged} of ${counted(all, 'journal')} damaged`,
    'nothing was changed; "drover explain journal-damaged" says what follows from it',
  ];
}

function linesOf({ name: path, report }: Checked): readonly string[] {
  const name = plainName(path);
  const { records, foreign, writers, repaired, tornTail, damage } = report;
  const parts = [
    `${counted(records, 'record')} of ${counted(writers.length, 'writer')}`,
    ...(foreign > 0 ? [`${counted(foreign, 'record')} of other tools`] : []),
    ...(repaired.length > 0 ? [`${counted(repaired.length, 'torn line')} repaired`] : []),
    ...(tornTail === undefined ? [] : [`torn at its end (line ${tornTail.line}, ${counted(tornTail.length, 'byte')}, never acknowledged)`]),
    damage.length === 0 ? 'no damage' : counted(damage.length, 'damaged line'),
  ];
  return [`${name}: ${parts.join(', ')}`, ...damage.map(({ line, reason }) => `${name}:${line}: ${reason}`)];
}

function asDocument({ name, report }: Checked) {
  const { records, foreign, writers, repairs, repaired, tornTail, damage } = report;
  return {
    path: name,
    records,
    foreign,
    writers: writers.map(({ writer, records: count, lastCounter, restarts }) => {
      return { writer, records: count, last_counter: lastCounter, restarts };
    }),
    repairs,
    repaired,
    torn_tail: tornTail ?? null,
    damage,
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
