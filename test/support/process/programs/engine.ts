import { join } from 'node:path';
import { detectContainment, start, type SpawnRequest } from '../../../../src/kernel/process/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/** An engine that a test kills: starts one child in a containment, and says `ready` once the child has. */
const [containment = 'none', folder = '', marker = ''] = process.argv.slice(2);
/** Not an argument: what the child is looked for by must not be found at the engine. */
const script = process.env['TEST_SCRIPT'] ?? ':';
const clock = systemClock();
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };

if (containment !== 'none') await detectContainment({ env, clock });
const child = start(
  {
    argv: ['sh', '-c', script, 'sh'],
    origin: 'agent',
    cwd: folder,
    env,
    marker,
    log: { path: join(folder, 'child.log') },
    graceMs: 500,
    containment: containment as NonNullable<SpawnRequest['containment']>,
    record: join(folder, 'session.json'),
    onOutput: (chunk) => void process.stdout.write(chunk),
  },
  { clock, reaper: process.env['TEST_REAPER'] === 'none' ? 'none' : undefined },
);
await child.exit;
