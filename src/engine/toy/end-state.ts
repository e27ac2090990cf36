import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFiles } from '../folder-ports.ts';
import { readStepLog } from '../log.ts';
import { isNotDone } from '../receipts.ts';
import type { IntentRecord, StepRecord } from '../record.ts';
import { replay } from '../replay.ts';
import { readStatus } from '../status.ts';
import { MOVED_ON, toyPolicy } from './model.ts';
import { historyOf, pathsOf, readJson, type ToyWorld } from './world.ts';

/** What the toy left, in a form in which equal work is equal, however often it was cut off. */
export async function toyEndState({ folder, repository }: ToyWorld, { inOrder }: { readonly inOrder: boolean }): Promise<unknown> {
  const paths = pathsOf(folder);
  const records = await readStepLog(runFiles(paths.run).log);
  const { standing, open } = await readStatus(paths.run);
  const commits = await historyOf(repository);
  const subjects = commits.map(({ message }) => message.trim());
  return {
    tree: commits[0]?.tree,
    history: inOrder ? subjects : [...subjects].sort(),
    files: Object.fromEntries(['claims', 'marks', 'results'].map((name) => [name, filesIn(join(folder, name))])),
    work: readJson(paths.work),
    status: readJson(paths.status),
    sessions: Object.keys(filesIn(paths.sessions)),
    journal: { settled: settledIn(records), standing, open },
    replay: replay(records, toyPolicy).equal,
  };
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => !isUnfinished(name)).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** The temporary file of a write that was cut off, which nobody reads. */
function isUnfinished(name: string): boolean {
  return /^\.drover-.*\.tmp$/.test(name);
}

/** Which steps came to which end. What never began, and a branch that was found moved, may come up once more. */
function settledIn(records: readonly StepRecord[]): readonly string[] {
  const names = new Map(records.flatMap((record) => (record.type === 'intent' ? [[record.sequence, nameOf(record)]] : [])));
  const settled = records.flatMap((record) => {
    if (record.type !== 'receipt' || record.receipt.outcome === 'unknown') return [];
    const end = record.receipt.outcome === 'ok' ? 'ok' : record.receipt.code;
    return isNotDone(record.receipt) || end === MOVED_ON ? [] : [`${names.get(record.sequence)}: ${end}`];
  });
  return [...new Set(settled)].sort();
}

/** Without the commit that a step builds on: it is another one where a person was quicker. */
function nameOf({ kind, key }: IntentRecord): string {
  return `${kind} ${key.replace(/@.*/, '')}`;
}
