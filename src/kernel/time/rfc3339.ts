import { timeOutOfRange } from './errors.ts';

const SECOND = 1_000_000_000n;
const FIRST = -62_135_596_800n * SECOND;
const LAST = 253_402_300_800n * SECOND - 1n;
const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Writes nanoseconds since 1970 as `2026-06-08T12:00:00Z`; the fraction of the second is cut. */
export function formatRfc3339(nanoseconds: bigint): string {
  return `${civilTime(nanoseconds)}Z`;
}

/** As `formatRfc3339`, with the fraction and without its trailing zeros: `2026-06-08T12:00:00.0012Z`. */
export function formatRfc3339Nano(nanoseconds: bigint): string {
  const fraction = fractionDigits(nanoseconds).replace(/0+$/, '');
  return `${civilTime(nanoseconds)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/**
 * Reads RFC 3339 with an upper-case `T` and `Z`; digits past the ninth are cut. Returns nanoseconds since 1970, or
 * `undefined` for anything else: no such day, a leap second, an offset past 23:59, a year outside 0001 to 9999.
 */
export function parseRfc3339(text: string): bigint | undefined {
  const [, civil, fraction = '', sign, hours = '00', minutes = '00'] = FORM.exec(text) ?? [];
  if (civil === undefined || hours > '23' || minutes > '59') return undefined;
  const seconds = civilSeconds(civil);
  if (seconds === undefined) return undefined;
  const distance = BigInt(Number(hours) * 3600 + Number(minutes) * 60);
  const offset = sign === '-' ? -distance : distance;
  const nanoseconds = (seconds - offset) * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return isInRange(nanoseconds) ? nanoseconds : undefined;
}

/** Nine digits, also before 1970, where the fraction still counts forward. */
export function fractionDigits(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % SECOND) + SECOND) % SECOND;
  return `${fraction}`.padStart(9, '0');
}

/** `2026-06-08T12:00:00`. Throws `time-out-of-range`. */
export function civilTime(nanoseconds: bigint): string {
  if (!isInRange(nanoseconds)) throw timeOutOfRange({ nanoseconds });
  const wholeSeconds = (nanoseconds - BigInt(fractionDigits(nanoseconds))) / SECOND;
  return new Date(Number(wholeSeconds) * 1000).toISOString().slice(0, 19);
}

function civilSeconds(civil: string): bigint | undefined {
  const milliseconds = Date.parse(`${civil}Z`);
  if (Number.isNaN(milliseconds)) return undefined;
  // The platform reads 30 February as 2 March; a day that exists comes back as it was written.
  const exists = new Date(milliseconds).toISOString().startsWith(civil);
  return exists ? BigInt(milliseconds / 1000) : undefined;
}

function isInRange(nanoseconds: bigint): boolean {
  return nanoseconds >= FIRST && nanoseconds <= LAST;
}
