import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type * as Pg from 'pg';
import type { SqlValue } from './contract.ts';
import { databaseAddressInvalid } from './errors.ts';
import { plainInteger } from './values.ts';

export type PostgresClient = Pg.Client;

/** What a server that was reached answered to a statement. */
export interface PostgresResult {
  readonly rows: readonly Readonly<Record<string, SqlValue>>[];
  readonly command: string;
  readonly rowCount: number | null;
}

export interface ClientRequest {
  readonly url: string;
  readonly applicationName: string;
  /** The client talks through this one, so that it can be cut off at any time. */
  readonly socket: Socket;
}

/**
 * The only place that loads the library, when the first address is opened: it is not part of anybody's start.
 * Throws `database-address-invalid`.
 */
export function postgresClient({ url, applicationName, socket }: ClientRequest): PostgresClient {
  const { Client } = createRequire(import.meta.url)('pg') as typeof Pg;
  try {
    return new Client({
      connectionString: url,
      application_name: applicationName,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      stream: () => socket,
      types: { getTypeParser: (type: number) => PARSERS.get(type) ?? asText },
    });
  } catch (error) {
    // A certificate that its parameters name is read here.
    throw databaseAddressInvalid({ reason: error instanceof Error ? error.message : String(error) });
  }
}

const KEEP_ALIVE_AFTER_MS = 10_000;

const asText = (text: string): string => text;

/** By the number of the type in the server's catalogue; what is not here stays the text that the server sends. */
const PARSERS: ReadonlyMap<number, (text: string) => SqlValue> = new Map([
  [16, (text) => (text === 't' ? 1 : 0)],
  [17, bytesOf],
  [20, integerOf],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  [1700, decimalOf],
]);

function integerOf(text: string): SqlValue {
  return plainInteger(BigInt(text));
}

/** Sums of integers come as decimals, and are integers again. */
function decimalOf(text: string): SqlValue {
  return /^-?\d+$/.test(text) ? integerOf(text) : Number(text);
}

function bytesOf(text: string): SqlValue {
  return Uint8Array.from(Buffer.from(text.slice('\\x'.length), 'hex'));
}
