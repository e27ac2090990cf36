import type { Config } from '../../kernel/config/index.ts';
import type { Reaper } from '../../kernel/process/index.ts';
import type { Clock } from '../../kernel/time/index.ts';

/** - `ok`: as it should be. - `warn`: drover works, and something is missing or at risk. - `fail`: something will not work. */
export type Status = 'ok' | 'warn' | 'fail';

/** What a check found. */
export interface Finding {
  readonly status: Status;
  /** The value that was met. */
  readonly detail: string;
  /** What the user can do; never a destructive command. */
  readonly remedy?: string;
}

/** What checks look at. */
export interface Patient {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. Throws when the folder is gone. */
  readonly cwd: () => string;
  readonly clock: Clock;
  /** Throws what is wrong with the configuration. */
  readonly config: () => Promise<Config>;
  /** Absolute; from the environment alone when the configuration cannot be used. Throws `home-unknown`. */
  readonly stateFolder: () => Promise<string>;
  /** The words that start this program again, for what only a second process can see. */
  readonly self: readonly string[] | undefined;
  readonly platform: NodeJS.Platform;
  /** Whether the user asked for a notice on each channel. */
  readonly sendsNotice: boolean;
  /** Ends what a check has started when this process is killed. */
  readonly reaper: Reaper;
  /** Ends what a check has started. */
  readonly signal: AbortSignal;
}

export interface Check {
  readonly name: string;
  run(patient: Patient): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ status: 'ok', detail });
export const warn = (detail: string, remedy: string): Finding => ({ status: 'warn', detail, remedy });
export const fail = (detail: string, remedy: string): Finding => ({ status: 'fail', detail, remedy });
