import { systemClock } from '../../../../src/kernel/time/index.ts';
import { alone, createNotifier, fileChannel, openLedger, type Channel } from '../../../../src/ledger/index.ts';

const [folder = '', when = ''] = process.argv.slice(2);
const clock = systemClock();
const file = fileChannel({ path: `${folder}/notices.jsonl`, clock, writer: `w${process.pid}` });
const signal = new AbortController().signal;

/** Ends this process before or after the notice is in the file. */
const deadly: Channel = {
  ...file,
  async send(notice, options) {
    if (when === 'after') await file.send(notice, options);
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
};

const ledger = await openLedger(`${folder}/ledger.db`, { clock, mask: (words) => words });
const notifier = createNotifier({
  ledger,
  channels: [when === 'never' ? file : deadly],
  alone: alone({ path: `${folder}/notify.lock`, clock, waitMs: 10_000, signal }),
  signal,
});
const rows = await notifier.notify({ id: 'n1', title: 'Parked', text: 'it waits', urgency: 'normal', at: 0 });
process.stdout.write(JSON.stringify(rows.map(({ state, attempts }) => [state, attempts])));
ledger.close();
