import type { Pages } from './ledger.ts';
import { cooldowns, type Cooldown } from './rows.ts';

export interface Cooldowns {
  /** Leaves the provider alone until then; an earlier end never shortens a later one. */
  set(cooldown: Omit<Cooldown, 'since'>): Promise<void>;
  clear(provider: string): Promise<void>;
  /** Those that are not over, the first to end first. */
  active(): readonly Cooldown[];
}

export function cooldownBook({ db, write, now, mask }: Pages): Cooldowns {
  return {
    set: (cooldown) =>
      write((tx) => {
        const [known] = cooldowns.select(tx, 'provider = ?', [cooldown.provider]);
        if (known === undefined || known.until < cooldown.until) cooldowns.put(tx, { ...cooldown, reason: mask(cooldown.reason), since: now() });
      }),
    clear: (provider) => write((tx) => void tx.run('DELETE FROM cooldowns WHERE provider = ?', [provider])),
    active: () => cooldowns.select(db, 'until > ? ORDER BY until, provider', [now()]),
  };
}
