import { Worker } from 'node:worker_threads';

const LIMIT_MS = 2_000;
const MOST_EVIDENCE = 240;

/** Only built-in modules: it is text in whatever file we are bundled into. */
const SEARCH = `
const { parentPort, workerData } = require('node:worker_threads');
for (const { source, flags } of workerData.patterns) {
  const found = new RegExp(source, flags.replace(/[gy]/g, '')).exec(workerData.text);
  if (found !== null) {
    parentPort.postMessage(found[0]);
    break;
  }
}
`;

/**
 * The first place that a pattern of the user finds, cut to 240 characters. In a thread of its own, since a pattern can
 * take for ever: after two seconds it is `not-tried`.
 */
export async function findEvidence(patterns: readonly RegExp[], text: string): Promise<string | undefined | 'not-tried'> {
  if (patterns.length === 0 || text === '') return undefined;
  const plain = patterns.map(({ source, flags }) => ({ source, flags }));
  const worker = new Worker(SEARCH, { eval: true, workerData: { patterns: plain, text }, stdin: false });
  let timer: NodeJS.Timeout | undefined;
  const found = new Promise<string | undefined | 'not-tried'>((resolve, reject) => {
    timer = setTimeout(() => resolve('not-tried'), LIMIT_MS);
    worker.once('message', (words: string) => resolve(words.slice(0, MOST_EVIDENCE)));
    worker.once('error', reject);
    worker.once('exit', () => resolve(undefined));
  });
  try {
    return await found;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
