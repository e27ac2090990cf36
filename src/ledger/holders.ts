import type { Pages } from './ledger.ts';
import { holders, type Holder } from './rows.ts';

export interface Holders {
  /** A process begins to drive the run in `folder`; what stood there before is replaced. */
  enter(holder: Omit<Holder, 'lastSeen'>): Promise<void>;
  /** The holder is at work; nothing happens when another one has entered since. */
  seen(holder: Pick<Holder, 'folder' | 'pid' | 'startTime'>): Promise<void>;
  /** The holder ended in order; nothing happens when another one has entered since. */
  leave(holder: Pick<Holder, 'folder' | 'pid' | 'startTime'>): Promise<void>;
  /** Everybody who entered and did not leave, oldest first. Who still lives is told by each one's lock. */
  list(): readonly Holder[];
}

const SAME = 'folder = ? AND pid = ? AND start_time = ?';

export function holderBook({ db, write, now, mask }: Pages): Holders {
  return {
    enter: (holder) => write((tx) => holders.put(tx, { ...holder, command: mask(holder.command), lastSeen: now() })),
    seen: ({ folder, pid, startTime }) =>
      write((tx) => void tx.run(`UPDATE holders SET last_seen = ? WHERE ${SAME}`, [now(), folder, pid, startTime])),
    leave: ({ folder, pid, startTime }) => write((tx) => void tx.run(`DELETE FROM holders WHERE ${SAME}`, [folder, pid, startTime])),
    list: () => holders.select(db, '1 ORDER BY since, folder'),
  };
}
