import { readdirSync, readFileSync } from 'node:fs';

/** In the environment of everything that a peer starts. */
export const MARK = 'DROVER_BENCH_HOME';

const ROUNDS = 50;
const PAUSE_MS = 100;

/** Ends what bears the mark with this value and still runs, such as a daemon that was asked to stop and did not. */
export function endMarked(value) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = processesBearing(`${MARK}=${value}`);
    if (left.length === 0) return;
    for (const pid of left) send(pid, round === 0 ? 'SIGTERM' : 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, round === 0 ? 1_000 : PAUSE_MS);
  }
  console.log('something that a peer had started could not be ended');
}

function processesBearing(entry) {
  return listed('/proc').map(Number).filter((pid) => pid > 1 && pid !== process.pid && environmentOf(pid).includes(entry));
}

function listed(folder) {
  try {
    return readdirSync(folder);
  } catch {
    // Where there is no /proc a peer's own command to stop has to do.
    return [];
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It ended meanwhile, or is somebody else's.
    return [];
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
