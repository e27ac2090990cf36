import { definedVariables } from '../../kernel/process/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { desktopChannel } from './desktop.ts';
import { fileChannel } from './file.ts';
import type { Channel } from './notice.ts';
import { parseQuietHours, type QuietHours } from './quiet-hours.ts';
import { webhookChannel } from './webhook.ts';

/** How a user wants to hear of things. */
export interface NoticeWishes {
  readonly desktop: boolean;
  /** Absolute. */
  readonly file: string | undefined;
  readonly webhook: { readonly url: string; readonly secret: string | undefined } | undefined;
  /** `22:00-07:00 Europe/Berlin`. */
  readonly quietHours: string | undefined;
}

export interface NoticePlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** A name that no other process uses. */
  readonly writer: string;
  readonly platform: NodeJS.Platform;
}

export interface NoticeWays {
  /** In the order in which they are told. */
  readonly channels: readonly Channel[];
  readonly quietHours: QuietHours | undefined;
}

/** The ways to a person. Throws `webhook-refused`, `quiet-hours-invalid`. */
export function noticeWays(wishes: NoticeWishes, place: NoticePlace): NoticeWays {
  const { quietHours } = wishes;
  return { channels: channelsOf(wishes, place), quietHours: quietHours === undefined ? undefined : parseQuietHours(quietHours) };
}

function channelsOf({ desktop, file, webhook }: NoticeWishes, { env, clock, writer, platform }: NoticePlace): readonly Channel[] {
  return [
    ...(desktop ? [desktopChannel({ clock, platform, env: definedVariables(env) })] : []),
    ...(file === undefined ? [] : [fileChannel({ path: file, clock, writer })]),
    ...(webhook === undefined ? [] : [webhookChannel({ ...webhook, clock })]),
  ];
}
