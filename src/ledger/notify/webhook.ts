import { createHmac } from 'node:crypto';
import { postProblem } from '../../kernel/config/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { noticeRefused, noticeUndelivered, webhookRefused } from './errors.ts';
import type { Channel, Notice } from './notice.ts';

const ANSWER_LIMIT_MS = 10_000;
/** The server asks for patience: anything else from 400 to 499 says that this notice will never be taken. */
const PASSING = new Set([408, 425, 429]);

export interface WebhookOptions {
  readonly url: string;
  /** Signs each request; without it none is signed. */
  readonly secret: string | undefined;
  readonly clock: Pick<Clock, 'wall'>;
  /** Milliseconds that a server gets for its answer. Default ten seconds. */
  readonly answerLimitMs?: number;
}

/**
 * Posts each notice as JSON. `Idempotency-Key` is the notice's id; with a secret, `X-Drover-Signature` is
 * `t=<seconds since 1970>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. Redirects are not followed.
 * Throws `webhook-refused` for an address that is not https, unless it is on this machine.
 */
export function webhookChannel(options: WebhookOptions): Channel {
  const url = checkedUrl(options.url);
  return {
    name: 'webhook',
    keepsQuiet: true,
    send: (notice, { signal }) => post(url, notice, { ...options, signal }),
  };
}

function checkedUrl(text: string): URL {
  const problem = postProblem(text);
  if (problem !== undefined) throw webhookRefused({ url: shown(text), reason: problem });
  return new URL(text);
}

/** What stands before the host may be a password, what stands behind it a token. */
function shown(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : JSON.stringify(text.slice(0, 20));
}

interface Posting extends WebhookOptions {
  readonly signal: AbortSignal;
}

async function post(url: URL, notice: Notice, { secret, clock, signal, answerLimitMs = ANSWER_LIMIT_MS }: Posting): Promise<void> {
  const body = JSON.stringify(notice);
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': notice.id,
    ...(secret === undefined ? {} : { 'x-drover-signature': signature({ body, secret, clock }) }),
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)]);
  const status = await request(url, { method: 'POST', body, headers, redirect: 'manual', signal: limit });
  if (status >= 200 && status < 300) return;
  const isForGood = status < 500 && !PASSING.has(status);
  throw (isForGood ? noticeRefused : noticeUndelivered)({ channel: 'webhook', reason: `${url.origin} answered ${status}` });
}

async function request(url: URL, init: RequestInit): Promise<number> {
  try {
    const answer = await fetch(url, init);
    // Nothing of it is used, and an endless one would keep the connection.
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    throw noticeUndelivered({ channel: 'webhook', reason: `${url.origin}: ${reasonOf(error)}` }, error);
  }
}

function signature({ body, secret, clock }: { body: string; secret: string; clock: Pick<Clock, 'wall'> }): string {
  const seconds = clock.wall() / 1_000_000_000n;
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return 'no answer in its time';
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}
