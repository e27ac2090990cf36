import type { ChannelName, Moment, Place } from '../rows.ts';

/** Something that a person should hear of. */
export interface Notice {
  /** A notice with the same id is delivered once on each channel, however often it is given. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** `critical` is delivered in quiet hours too. */
  readonly urgency: 'low' | 'normal' | 'critical';
  readonly place?: Place | undefined;
  readonly at: Moment;
}

/** One way to a person. */
export interface Channel {
  readonly name: ChannelName;
  /** Waits for the end of quiet hours, unless the notice is critical. */
  readonly keepsQuiet: boolean;
  /** Resolves once it is delivered. Throws `notice-undelivered`, also when the signal ends it, or `notice-refused`. */
  send(notice: Notice, options: { readonly signal: AbortSignal }): Promise<void>;
}
