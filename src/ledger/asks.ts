import type { Statements } from '../kernel/sql/index.ts';
import { askChanged, askClosed, askOptionUnknown, askUnknown } from './errors.ts';
import type { Pages } from './ledger.ts';
import { asks, type Ask } from './rows.ts';

export type NewAsk = Omit<Ask, 'state' | 'openedAt' | 'closedAt' | 'answer' | 'answeredBy'>;

export interface Answer {
  readonly id: string;
  readonly option: string;
  /** The digest of what the person saw. */
  readonly subjectHash: string;
  /** Who answered, e.g. a login name. */
  readonly by: string;
}

export interface Asks {
  /**
   * Puts a question; the id is the system's, so that a repeated question stays one. An open question whose text or
   * subject changed takes the new one; a closed one stays closed.
   */
  ask(ask: NewAsk): Promise<Ask>;
  /** The first answer stands. Throws `ask-unknown`, `ask-closed`, `ask-option-unknown`, `ask-changed`. */
  answer(answer: Answer): Promise<Ask>;
  /** The question is no longer one. No effect on a closed one. */
  withdraw(id: string): Promise<void>;
  /** Oldest first. */
  open(): readonly Ask[];
  find(id: string): Ask | undefined;
}

const WITHDRAW = "UPDATE asks SET state = 'withdrawn', closed_at = ? WHERE id = ? AND state = 'open'";

export function askBook({ db, write, now, mask }: Pages): Asks {
  return {
    ask: (ask) =>
      write((tx) => {
        const known = findAsk(tx, ask.id);
        if (known !== undefined && known.state !== 'open') return known;
        const words = { question: mask(ask.question), consequence: mask(ask.consequence) };
        const open: Ask = { ...ask, ...words, state: 'open', openedAt: known?.openedAt ?? now() };
        asks.put(tx, open);
        return open;
      }),
    answer: (answer) =>
      write((tx) => {
        const answered: Ask = { ...answerable(tx, answer), ...closing(answer), closedAt: now() };
        asks.put(tx, answered);
        return answered;
      }),
    withdraw: (id) => write((tx) => void tx.run(WITHDRAW, [now(), id])),
    open: () => asks.select(db, "state = 'open' ORDER BY opened_at, id"),
    find: (id) => findAsk(db, id),
  };
}

function findAsk(db: Pick<Statements, 'query'>, id: string): Ask | undefined {
  return asks.select(db, 'id = ?', [id])[0];
}

function answerable(tx: Pick<Statements, 'query'>, { id, option, subjectHash }: Answer): Ask {
  const ask = findAsk(tx, id);
  if (ask === undefined) throw askUnknown({ id });
  if (ask.state !== 'open') throw askClosed({ id, how: howClosed(ask) });
  if (!ask.options.includes(option)) throw askOptionUnknown({ id, option, options: ask.options });
  if (ask.subjectHash !== subjectHash) throw askChanged({ id });
  return ask;
}

function closing({ option, by }: Answer): Pick<Ask, 'state' | 'answer' | 'answeredBy'> {
  return { state: 'answered', answer: option, answeredBy: by };
}

function howClosed({ state, answer, answeredBy }: Ask): string {
  return state === 'answered' ? `${answeredBy ?? 'somebody'} answered ${JSON.stringify(answer)}` : 'it was withdrawn';
}
