import { defineError } from '../../kernel/errors/index.ts';
import type { ChannelName } from '../rows.ts';

interface Failure {
  readonly channel: ChannelName;
  readonly reason: string;
}

const remedy = ({ channel }: Failure): string =>
  `check notify.${channel} in your own configuration file, then run drover doctor --notify`;

export const noticeUndelivered = defineError<Failure>({
  code: 'notice-undelivered',
  means: 'A notice did not reach its channel this time. It is tried again with growing pauses, six times in all.',
  message: ({ channel, reason }) => `a notice was not delivered by ${channel}: ${reason}`,
  remedy,
});

export const noticeRefused = defineError<Failure>({
  code: 'notice-refused',
  means: 'The channel answered that it will never take this notice, so it is not tried again.',
  message: ({ channel, reason }) => `${channel} refused a notice: ${reason}`,
  remedy,
});

export const webhookRefused = defineError<{ url: string; reason: string }>({
  code: 'webhook-refused',
  means: 'A webhook address must be https, or http on this machine, and must not hold a user name or a password.',
  message: ({ url, reason }) => `webhook ${url} is not used: ${reason}`,
  remedy: 'correct notify.webhook.url in your own configuration file',
});
