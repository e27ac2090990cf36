import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderPorts, runSystem } from '../../../src/engine/index.ts';
import { replaceFile } from '../../../src/kernel/files/index.ts';
import { findGit, openRepository } from '../../../src/kernel/git/index.ts';
import { systemIds } from '../../../src/kernel/ids/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { queueSystem, type LandQueue, type QueueState } from '../../../src/workspace/index.ts';

/** Lands a queue, or goes on with it: `<repository> <receipts folder> <run folder> <queue as JSON>`. */
const [folder = '', receiptsFolder = '', run = '', text = ''] = process.argv.slice(2);
const clock = systemClock();
const git = await findGit({ clock, env: process.env, marker: 'crash-test', receiptsFolder });
const repository = await openRepository(git, folder);
mkdirSync(run, { recursive: true });
const { signal } = new AbortController();
const publish = (state: QueueState): Promise<void> => replaceFile(join(run, 'queue.json'), JSON.stringify(state));
const ending = await runSystem(queueSystem(JSON.parse(text) as LandQueue), {
  path: run,
  world: { repository, publish },
  stop: { graceful: signal, immediate: signal },
  ports: folderPorts(run, { clock, ids: systemIds(clock), settleLeftovers: async () => undefined, mask: (value) => value }),
});
process.stdout.write(JSON.stringify(ending));
