import { isDroverError } from '../../kernel/errors/index.ts';
import type { Ledger, Pages } from '../ledger.ts';
import { deliveries, type Delivery, type Moment } from '../rows.ts';
import { noticeRefused } from './errors.ts';
import type { Channel, Notice } from './notice.ts';
import type { QuietHours } from './quiet-hours.ts';

const SECOND = 1000;
/** Pauses after the first, second, … failed attempt; after the last one it is given up. */
const PAUSES = [30, 120, 600, 3600, 6 * 3600].map((seconds) => seconds * SECOND);

export interface NotifierOptions {
  readonly ledger: Pick<Ledger, 'pages'>;
  readonly channels: readonly Channel[];
  readonly quietHours?: QuietHours | undefined;
  /**
   * Runs the work while no other process delivers: what is found half sent then belongs to a process that ended.
   * Answers `busy` when the others did not come to an end.
   */
  readonly alone: (work: () => Promise<void>) => Promise<'done' | 'busy'>;
  readonly signal: AbortSignal;
}

export interface Notifier {
  /**
   * Stores the notice and delivers what is due. A notice whose id was given before is not delivered again. Never
   * throws because a channel failed: that is in the rows, and tried again by a later call.
   */
  notify(notice: Notice): Promise<readonly Delivery[]>;
  /** Delivers what is due: what was held by quiet hours, failed, or was cut by the end of a process. */
  flush(): Promise<void>;
  /** When `flush` has something to do next, `undefined` when nothing is left. */
  nextDue(): Moment | undefined;
}

const LEFT = "state IN ('waiting', 'held', 'failed', 'sending')";

/**
 * Delivers each notice once on each channel. When a process ends in the middle of a delivery it is repeated: a
 * webhook and the file recognise the id; a desktop may show the notice twice then.
 */
export function createNotifier(options: NotifierOptions): Notifier {
  const { pages } = options.ledger;
  const flush = async (): Promise<void> => {
    await options.alone(() => deliverDue(pages, options));
  };
  return {
    notify: async (notice) => {
      await store(pages, notice, options);
      await flush();
      return deliveries.select(pages.db, 'notice = ? ORDER BY id', [notice.id]);
    },
    flush,
    nextDue: () => {
      const [row] = pages.db.query(`SELECT min(due) AS due FROM deliveries WHERE ${LEFT}`);
      return typeof row?.['due'] === 'number' ? row['due'] : undefined;
    },
  };
}

async function store({ write, now, mask }: Pages, notice: Notice, { channels }: NotifierOptions): Promise<void> {
  const body = JSON.stringify({ ...notice, title: mask(notice.title), text: mask(notice.text) });
  await write((tx) => {
    for (const { name } of channels) {
      const id = `${notice.id}/${name}`;
      deliveries.add(tx, { id, notice: notice.id, channel: name, body, state: 'waiting', attempts: 0, due: now(), at: now() });
    }
  });
}

async function deliverDue(pages: Pages, options: NotifierOptions): Promise<void> {
  for (const delivery of dueDeliveries(pages)) {
    const channel = options.channels.find(({ name }) => name === delivery.channel);
    // A channel that is no longer configured: its rows wait, in case it comes back.
    if (channel === undefined) continue;
    if (options.signal.aborted) return;
    await deliver({ pages, options, channel, delivery });
  }
}

function dueDeliveries({ db, now }: Pages): readonly Delivery[] {
  return deliveries.select(db, `${LEFT} AND due <= ? ORDER BY at, id`, [now()]);
}

interface Attempt {
  readonly pages: Pages;
  readonly options: NotifierOptions;
  readonly channel: Channel;
  readonly delivery: Delivery;
}

async function deliver({ pages, options, channel, delivery }: Attempt): Promise<void> {
  const { write, now } = pages;
  const notice = JSON.parse(delivery.body) as Notice;
  const quietUntil = heldUntil(notice, { channel, quietHours: options.quietHours, now: now() });
  if (quietUntil !== undefined) {
    return write((tx) => deliveries.put(tx, { ...delivery, state: 'held', due: quietUntil }));
  }
  const begun: Delivery = { ...delivery, state: 'sending', attempts: delivery.attempts + 1, at: now() };
  await write((tx) => deliveries.put(tx, begun));
  const outcome = await attempt(begun, { notice, channel, mask: pages.mask, signal: options.signal });
  await write((tx) => deliveries.put(tx, { ...begun, ...outcome, due: now() + pauseAfter(begun) }));
}

interface Quiet {
  readonly channel: Channel;
  readonly quietHours: QuietHours | undefined;
  readonly now: Moment;
}

function heldUntil({ urgency }: Notice, { channel, quietHours, now }: Quiet): Moment | undefined {
  if (urgency === 'critical' || !channel.keepsQuiet) return undefined;
  return quietHours?.quietUntil(now);
}

interface Sending {
  readonly notice: Notice;
  readonly channel: Channel;
  readonly signal: AbortSignal;
  readonly mask: Pages['mask'];
}

type Outcome = Pick<Delivery, 'state' | 'reason'>;

async function attempt({ attempts }: Delivery, { notice, channel, signal, mask }: Sending): Promise<Outcome> {
  try {
    await channel.send(notice, { signal });
    return { state: 'delivered', reason: undefined };
  } catch (error) {
    // Whatever it was: what a channel does must not keep a notice from the others.
    const reason = error instanceof Error ? error.message : String(error);
    const isRefused = isDroverError(error) && error.code === noticeRefused.definition.code;
    return { state: isRefused || attempts > PAUSES.length ? 'given-up' : 'failed', reason: mask(reason) };
  }
}

function pauseAfter({ attempts }: Delivery): number {
  return PAUSES[attempts - 1] ?? 0;
}
