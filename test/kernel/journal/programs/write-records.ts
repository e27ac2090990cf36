import { writeSync } from 'node:fs';
import { isDroverError } from '../../../../src/kernel/errors/index.ts';
import { openJournal, type Journal } from '../../../../src/kernel/journal/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/**
 * Appends records one after the other and prints a line for each, right after it was acknowledged or refused.
 * The argument is a JSON object: `path`, `writer`, `count`, `bytes` of each record, and `reopenAfter`, the number of
 * refused records after which the journal is opened again.
 */
interface Task {
  readonly path: string;
  readonly writer: string;
  readonly count: number;
  readonly bytes: number;
  readonly reopenAfter?: number;
}

const task = JSON.parse(process.argv[2] ?? '') as Task;
let journal = await open();
let refused = 0;
for (let index = 0; index < task.count; index += 1) {
  await appendOne(journal, index);
  if (refused !== task.reopenAfter) continue;
  await journal.close();
  journal = await open();
  refused = 0;
  say('reopened');
}
await journal.close();
say('closed');

function open(): Promise<Journal> {
  return openJournal(task.path, { clock: systemClock(), writer: task.writer });
}

async function appendOne(opened: Journal, index: number): Promise<void> {
  try {
    const { counter } = await opened.append({ index, text: 'x'.repeat(task.bytes) });
    say(`ack ${index} ${counter}`);
  } catch (error) {
    if (!isDroverError(error)) throw error;
    refused += 1;
    say(`refused ${index} ${error.code}`);
  }
}

/** At once, since the process may be killed at any moment. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
