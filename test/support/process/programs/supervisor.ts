import { createHook } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { detectContainment, start, type ChildExit, type SpawnRequest } from '../../../../src/kernel/process/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/** Supervises children in a process of its own, and prints one JSON document about what that cost. */
const [scenario, folder = '', marker = '', script = ''] = process.argv.slice(2);
const clock = systemClock();
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };

function run(argv: SpawnRequest['argv'], options: Partial<SpawnRequest> & { readonly name: string }) {
  const log = { path: join(folder, options.name) };
  return start({ argv, origin: 'user', cwd: folder, env, marker, log, graceMs: 10_000, ...options }, { clock });
}

/** Peak of resident memory over its level after a first child, in bytes. */
async function memory(printing: string, stopAfterBytes: number, look: (chunk: Buffer) => void = () => undefined) {
  await run(['sh', '-c', 'head -c 1000000 /dev/zero; sleep 0.2'], { name: 'warm-up', onOutput: () => undefined }).exit;
  const level = process.memoryUsage.rss();
  let peak = level;
  let bytes = 0;
  let stopped = false;
  const child = run(['sh', '-c', printing], {
    name: 'big',
    onOutput: (chunk) => {
      look(chunk);
      bytes += chunk.length;
      peak = Math.max(peak, process.memoryUsage.rss());
      if (bytes < stopAfterBytes || stopped) return;
      stopped = true;
      child.stop();
    },
  });
  const end = await child.exit;
  return { end, bytes, rise: peak - level };
}

/** As `memory`, and whether what was delivered is what the log has. */
async function output(printing: string) {
  const delivered = createHash('sha256');
  const measured = await memory(printing, Number.POSITIVE_INFINITY, (chunk) => void delivered.update(chunk));
  const logged = createHash('sha256');
  for await (const chunk of createReadStream(join(folder, 'big'))) logged.update(chunk as Buffer);
  return { ...measured, same: delivered.digest('hex') === logged.digest('hex') };
}

const countDescriptors = (): number => readdirSync('/proc/self/fd').length;

async function crowd() {
  const live = (count: number): Promise<readonly ChildExit[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        let text = '';
        const onOutput = (chunk: Buffer): void => void (text += chunk.toString());
        const child = run(['sh', '-c', `echo ${index}; sleep 0.4; echo end`], { name: `crowd-${index}`, onOutput });
        return child.exit.then((end) => ({ ...end, text, complete: text === `${index}\nend\n` }));
      }),
    );
  await live(1);
  const before = countDescriptors();
  const resources = countResources();
  const ends = await live(50);
  // Cleared timers and closed watchers are told with the next turns of the loop.
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  return { before, after: countDescriptors(), ...resources(), ends };
}

/** What Node calls a timer and a file watcher. */
const RESOURCES: readonly string[] = ['Timeout', 'FSEVENTWRAP'];

function countResources() {
  let timers = 0;
  const alive = new Map<number, string>();
  const hook = createHook({
    init: (id, type) => {
      if (!RESOURCES.includes(type)) return;
      timers += type === 'Timeout' ? 1 : 0;
      alive.set(id, type);
    },
    destroy: (id) => void alive.delete(id),
  }).enable();
  return () => {
    hook.disable();
    return { timers, left: [...alive.values()] };
  };
}

/** Starts a child with 0, 1, 2… free descriptors until one start succeeds. */
async function starved() {
  await run(['true'], { name: 'warm-up' }).exit;
  const held: number[] = [];
  const reasons: string[] = [];
  for (;;) {
    try {
      held.push(openSync('/dev/null', 'r'));
    } catch {
      break;
    }
  }
  for (;;) {
    const end = await run(['true'], { name: 'starved' }).exit;
    if (end.kind !== 'not-started') break;
    reasons.push(end.reason);
    const descriptor = held.pop();
    if (descriptor === undefined) break;
    closeSync(descriptor);
  }
  for (const descriptor of held) closeSync(descriptor);
  return { reasons };
}

/** Stops a program that became another user, which may therefore not be signalled. */
async function foreign(program: string) {
  const argv = [program, '--reuid', '0', '--regid', '0', '--clear-groups', 'sleep', '300'] as const;
  const child = run(argv, { name: 'foreign', graceMs: 20 });
  // Until it did so it may be signalled like any other.
  while (!/^Uid:\t0\t0\t/m.test(readFileSync(`/proc/${child.pid}/status`, 'latin1'))) await sleep(10);
  child.stop();
  return { pid: child.pid, end: await child.exit };
}

/** What works for the user that we are, and what a program has and leaves in each of it. */
async function contained() {
  const { layers } = await detectContainment({ env, clock });
  const works = layers.filter(({ available }) => available).map(({ layer }) => layer);
  const ends = await Promise.all(
    works.map(async (containment) => {
      let text = '';
      const onOutput = (chunk: Buffer): void => void (text += chunk.toString());
      const end = await run(['sh', '-c', script, 'sh'], { name: containment, containment, onOutput }).exit;
      return { ...end, text };
    }),
  );
  return { layers, ends };
}

const SCENARIOS: Readonly<Record<string, () => Promise<unknown>>> = {
  lines: () => memory('yes "one more line" | head -c 100000000', Number.POSITIVE_INFINITY),
  'one-line': () => memory('head -c 50000000 /dev/zero | tr "\\0" x', Number.POSITIVE_INFINITY),
  output: () => output(script),
  endless: () => memory('exec yes', 200_000_000),
  contained,
  crowd,
  starved,
  foreign: () => foreign(join(folder, 'become')),
};

const answer = await SCENARIOS[scenario ?? '']?.();
process.stdout.write(JSON.stringify(answer));
