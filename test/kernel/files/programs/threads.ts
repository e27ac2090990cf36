import { execFileSync } from 'node:child_process';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { dropHoldsOfThread, hashFile, readBytes, shareHolds } from '../../../../src/kernel/files/index.ts';
import { connectSqlite } from '../../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/**
 * A worker opens the database of the first argument while the main thread reads it; the second argument is a program
 * that tells whether another process may write it. Prints what happened, step by step.
 */
const LOCKED = 1;
const CLOSE = 2;
const told: Record<string, unknown> = {};

if (isMainThread) await asMain(process.argv[2] ?? '', process.argv[3] ?? '');
else asWorker(workerData as { database: string; step: Int32Array });

async function asMain(database: string, elsewhere: string): Promise<void> {
  const canWrite = (): boolean =>
    (JSON.parse(execFileSync(process.execPath, [elsewhere, database, `${database}.lock`], { encoding: 'utf8' })) as { canWrite: boolean }).canWrite;
  shareHolds();
  const step = new Int32Array(new SharedArrayBuffer(4));
  const start = (): Worker => new Worker(new URL(import.meta.url), { workerData: { database, step }, trackUnmanagedFds: false });

  const first = start();
  // The file is open here from before the worker locks it until after.
  const clock = { wall: () => (Atomics.wait(step, 0, 0), systemClock().wall()) };
  await hashFile(database, { clock });
  told['workerKeepsLock'] = !canWrite();
  told['mainRefuses'] = await refusal(database);
  told['stillKeepsLock'] = !canWrite();
  await ended(first, () => void (Atomics.store(step, 0, CLOSE), Atomics.notify(step, 0)));
  told['afterClose'] = [canWrite(), await refusal(database)];

  Atomics.store(step, 0, 0);
  const second = start();
  Atomics.wait(step, 0, 0);
  told['heldAgain'] = await refusal(database);
  const thread = second.threadId;
  await ended(second, () => void second.terminate());
  told['afterTerminate'] = await refusal(database);
  dropHoldsOfThread(thread);
  told['afterDrop'] = [canWrite(), await refusal(database)];
  process.stdout.write(JSON.stringify(told));
}

function asWorker({ database, step }: { readonly database: string; readonly step: Int32Array }): void {
  const connection = connectSqlite(database);
  connection.exec('BEGIN IMMEDIATE');
  Atomics.store(step, 0, LOCKED);
  Atomics.notify(step, 0);
  Atomics.wait(step, 0, LOCKED);
  connection.exec('ROLLBACK');
  connection.close();
}

async function refusal(path: string): Promise<string> {
  try {
    readBytes(path);
    await hashFile(path, { clock: systemClock() });
    return 'read';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

function ended(worker: Worker, end: () => void): Promise<unknown> {
  const ending = new Promise((resolve) => worker.once('exit', resolve));
  end();
  return ending;
}
