import { FrameReader, frameOf } from '../../src/bach/model/index.ts';

export interface Answer {
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data: { readonly code: string; readonly message: string; readonly details?: unknown } };
}

/** One request as it goes over the stream. */
export function request(id: number | string | undefined, method: string, params?: unknown): Uint8Array {
  return frameOf(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
}

/** A payload behind headers, whatever it holds. */
export function frame(payload: string | Uint8Array, headers?: string): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from(headers ?? `Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

/** What stands in a stream of answers; throws when it is no row of messages. */
export function answersIn(bytes: Uint8Array | string): readonly Answer[] {
  return payloadsIn(Buffer.from(bytes)).map((payload) => JSON.parse(payload) as Answer);
}

export function payloadsIn(bytes: Uint8Array): readonly string[] {
  const frames = new FrameReader();
  const payloads = [...frames.take(bytes)].map((payload) => Buffer.from(payload).toString());
  if (!frames.isBetweenMessages) throw new Error(`half a message at the end of ${Buffer.from(bytes).toString().slice(-200)}`);
  return payloads;
}

export function initialize(root: string, config: object = {}): Uint8Array {
  return request('init', 'backend.initialize', { protocol: 'bach.backend.v1', project_name: 'test', project_root: root, config });
}

export const TIME = '2026-06-08T12:00:00.000000001Z';

export function runRecord(fields: object = {}): Readonly<Record<string, unknown>> {
  const required = { schema_version: 'bach.backend.run.v1', id: 'run-1', target: 'shell/test', status: 'running', started_at: TIME };
  return { ...required, dry_run: false, force: false, ...fields };
}

export function evidenceRef(fields: object = {}): Readonly<Record<string, unknown>> {
  const required = { schema_version: 'bach.backend.evidence_ref.v1', id: 'e-1', kind: 'log', uri: '.bach/runs/run-1/shell__test.log' };
  return { ...required, run_id: 'run-1', target: 'shell/test', ...fields };
}
