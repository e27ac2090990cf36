import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { webhookChannel } from '../../../src/ledger/notify/webhook.ts';
import type { Channel, Notice } from '../../../src/ledger/notify/notice.ts';
import { createNotifier } from '../../../src/ledger/notify/notifier.ts';
import { NOON, openedLedger, stillClock } from '../support.ts';

const NOTICE: Notice = { id: 'toy/r1/parked', title: 'Parked', text: 'story “1”\nwaits', urgency: 'normal', at: NOON };
const clock = stillClock();

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on the loopback that answers each request by `answer`. */
async function server(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const received: Received[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`, received };
}

const send = (url: string, { secret, signal = new AbortController().signal }: { secret?: string; signal?: AbortSignal } = {}) =>
  webhookChannel({ url, secret, clock }).send(NOTICE, { signal });

describe('a webhook', () => {
  test('receives the notice as JSON, signed over its time and its body, under its id', async () => {
    const { url, received } = await server((response) => response.writeHead(204).end());
    await send(url, { secret: 's3cret' });
    const [request] = received;
    expect(JSON.parse(request?.body ?? '')).toEqual(NOTICE);
    const signature = createHmac('sha256', 's3cret').update(`${NOON / 1000}.${request?.body}`).digest('hex');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'toy/r1/parked',
      'x-drover-signature': `t=${NOON / 1000},v1=${signature}`,
    });
  });

  test('without a secret is not signed', async () => {
    const { url, received } = await server((response) => response.end('ok'));
    await send(url);
    expect(received[0]?.headers).not.toHaveProperty('x-drover-signature');
  });

  test.each([
    [400, 'notice-refused'],
    [410, 'notice-refused'],
    [301, 'notice-refused'],
    [408, 'notice-undelivered'],
    [429, 'notice-undelivered'],
    [500, 'notice-undelivered'],
    [503, 'notice-undelivered'],
  ])('that answers %d makes it %s', async (status, code) => {
    const { url } = await server((response) => response.writeHead(status, { location: '/elsewhere' }).end());
    await expect(send(url)).rejects.toMatchObject({ code, message: expect.stringContaining(`answered ${status}`) as string });
  });

  test('that cannot be reached is tried again', async () => {
    await expect(send('http://127.0.0.1:9/hook')).rejects.toMatchObject({ code: 'notice-undelivered' });
  });

  test('is not followed elsewhere', async () => {
    const other = await server((response) => response.end());
    const { url } = await server((response) => response.writeHead(307, { location: other.url }).end());
    await expect(send(url, { secret: 's' })).rejects.toMatchObject({ code: 'notice-refused' });
    expect(other.received).toEqual([]);
  });

  test('that never answers ends with the signal', async () => {
    const controller = new AbortController();
    const { url } = await server(() => controller.abort());
    await expect(send(url, { signal: controller.signal })).rejects.toMatchObject({ code: 'notice-undelivered' });
  });

  test('that never answers ends by itself, to be tried again, and holds up nothing behind it', async () => {
    const { url } = await server(() => undefined);
    const { ledger } = await openedLedger();
    const sent: string[] = [];
    const file: Channel = { name: 'file', keepsQuiet: false, send: async ({ id }) => void sent.push(id) };
    const { signal } = new AbortController();
    const channels = [webhookChannel({ url, secret: undefined, clock, answerLimitMs: 20 }), file];
    const alone = async (work: () => Promise<void>) => work().then(() => 'done' as const);
    const { notify } = createNotifier({ ledger, channels, alone, signal });
    await notify(NOTICE);
    const [, hung] = await notify({ ...NOTICE, id: 'n2' });
    expect(hung).toMatchObject({ state: 'failed', reason: expect.stringContaining('no answer in its time') });
    expect(sent).toEqual([NOTICE.id, 'n2']);
  });

  test('whose answer never ends is not read to its end', async () => {
    const { url } = await server((response) => response.writeHead(200).write('x'));
    await expect(send(url)).resolves.toBeUndefined();
  });

  test.each([
    ['nothing', 'it is no address'],
    ['http://example.com/hook', 'neither https nor http on this machine'],
    ['ftp://127.0.0.1/hook', 'neither https nor http on this machine'],
    ['file:///etc/passwd', 'neither https nor http on this machine'],
    ['http://127.0.0.1.example.com/', 'neither https nor http on this machine'],
    ['https://ada:hunter2@example.com/hook', 'a user name or a password'],
  ])('at %s is refused', (url, reason) => {
    const make = () => webhookChannel({ url, secret: undefined, clock });
    expect(make).toThrow(expect.objectContaining({ code: 'webhook-refused', message: expect.stringContaining(reason) as string }));
    expect(make).not.toThrow('hunter2');
  });

  test.each(['https://example.com/hook/token', 'http://localhost:1/', 'http://127.8.8.8/', 'http://[::1]:80/'])('may be at %s', (url) => {
    expect(webhookChannel({ url, secret: undefined, clock }).name).toBe('webhook');
  });
});
