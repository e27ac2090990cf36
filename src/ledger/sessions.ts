import type { Pages } from './ledger.ts';
import { sessions, type Moment, type Session } from './rows.ts';

/** What is known of a session before its program is started. */
export type NewSession = Pick<Session, 'id' | 'system' | 'repository' | 'run' | 'unit' | 'attempt' | 'marker' | 'logPath'>;

/** What the start of the program adds. */
export type Started = Pick<Session, 'pid' | 'startTime' | 'bootId' | 'layer' | 'containment'>;

export interface Sessions {
  /** Before the spawn, so that a crash right after it leaves a trace. A session that is there already stays as it is. */
  begin(session: NewSession): Promise<void>;
  /** After the spawn. No effect on a session that has ended. */
  started(id: string, facts: Started): Promise<void>;
  /** Exactly one end: the first one stands. Answers whether it was this one. */
  end(id: string, ending: string): Promise<boolean>;
  /** Begun and not ended, oldest first. */
  alive(): readonly Session[];
  /** Ended or not, begun since the moment, oldest first. */
  since(moment: Moment): readonly Session[];
}

const START = `UPDATE sessions SET state = 'running', pid = ?, start_time = ?, boot_id = ?, layer = ?, containment = ?
  WHERE id = ? AND state = 'starting'`;
const END = `UPDATE sessions SET state = 'ended', ended_at = ?, ending = ? WHERE id = ? AND state <> 'ended'`;

export function sessionBook({ db, write, now, mask }: Pages): Sessions {
  return {
    begin: (session) => write((tx) => void sessions.add(tx, { ...session, state: 'starting', startedAt: now() })),
    started: (id, { pid, startTime, bootId, layer, containment }) =>
      write((tx) => {
        tx.run(START, [pid ?? null, startTime ?? null, bootId ?? null, layer ?? null, containment ?? null, id]);
      }),
    end: (id, ending) => write((tx) => tx.run(END, [now(), mask(ending), id]).changes === 1),
    alive: () => sessions.select(db, "state <> 'ended' ORDER BY started_at, id"),
    since: (moment) => sessions.select(db, 'started_at >= ? ORDER BY started_at, id', [moment]),
  };
}
