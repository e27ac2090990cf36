import { invalidField, ProtocolFault } from './fault.ts';
import { readJson } from './json.ts';

/** What an answer is sent back with; `undefined` for a notification, which gets none. */
export type MessageId = string | number | null | undefined;

export interface Request {
  readonly id: MessageId;
  readonly method: string;
  readonly params: unknown;
}

/** A payload that is no request, with the id that it is answered with. */
export interface BadRequest {
  readonly id: MessageId;
  readonly fault: ProtocolFault;
}

/** Every error of the protocol has this number; what it is stands in its data. */
const ERROR_NUMBER = -32_000;
/** Each answer has it twice as long at most. */
const LONGEST_ID = 1000;

export function readRequest(payload: Uint8Array): Request | BadRequest {
  const value = readJson(payload);
  if ('fault' in value) return { id: null, fault: new ProtocolFault('invalid_request', value.fault) };
  if (!isObject(value.json)) return refused(null, 'a request must be one JSON object');
  const { jsonrpc, id, method, params } = value.json;
  if (!isId(id)) return refused(null, `id must be a string of at most ${LONGEST_ID} characters, a whole number or null`);
  if (jsonrpc !== '2.0') return refused(id, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string' || method === '') return refused(id, 'method must be a string that is not empty');
  return { id, method, params };
}

export function resultText(id: MessageId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, result });
}

export function faultText(id: MessageId, { code, message, details }: ProtocolFault): string {
  const error = { code: ERROR_NUMBER, message, data: { code, message, details } };
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error });
}

export function requestText(id: number, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** What a provider answered: a result, or why not; `fault` when it is no answer at all. */
export type Response =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly code: string; readonly message: string } }
  | { readonly fault: string };

export function readResponse(payload: Uint8Array): Response {
  const value = readJson(payload);
  if ('fault' in value) return value;
  if (!isObject(value.json) || value.json['jsonrpc'] !== '2.0') return { fault: 'an answer must be an object with jsonrpc "2.0"' };
  const { id, result, error } = value.json;
  if (isObject(error)) return answeredError(id, error);
  if (typeof id !== 'number') return { fault: 'an answer must have the id of a request' };
  return result === undefined ? { fault: 'an answer must have a result or an error' } : { id, result };
}

function answeredError(id: unknown, error: Readonly<Record<string, unknown>>): Response {
  const { message, data } = error;
  const told = typeof message === 'string' && message !== '' ? message : 'no reason given';
  // An error without an id is about the stream itself.
  if (typeof id !== 'number') return { fault: told };
  const code = isObject(data) && typeof data['code'] === 'string' ? data['code'] : 'internal';
  return { id, error: { code, message: told } };
}

function refused(id: MessageId, message: string): BadRequest {
  return { id, fault: new ProtocolFault('invalid_request', message) };
}

function isId(id: unknown): id is MessageId {
  return id === undefined || id === null || (typeof id === 'string' && id.length <= LONGEST_ID) || Number.isSafeInteger(id);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parameters of a method; none are an empty object. Throws `ProtocolFault`. */
export function paramsOf(params: unknown): Readonly<Record<string, unknown>> {
  if (params === undefined || params === null) return {};
  if (isObject(params)) return params;
  throw invalidField('params', 'params must be an object');
}
