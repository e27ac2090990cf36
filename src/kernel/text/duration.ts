const NANOSECONDS = {
  ns: 1n,
  us: 1_000n,
  'µs': 1_000n,
  'μs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
} as const;

type Unit = keyof typeof NANOSECONDS;

const MAX_DIGITS = 20;

/** One more than the longest positive duration; the longest negative one has this size. */
const LIMIT = 2n ** 63n;
const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/uy;

/**
 * Reads a duration in Go's grammar (`1h2m3.5s`, `-20ms`, `0`), to the nanosecond as Go does.
 * Returns nanoseconds, or `undefined` for anything else, also past 64 bits.
 */
export function parseDuration(text: string): bigint | undefined {
  const sign = /^[+-]/.test(text) ? text.charAt(0) : '';
  const size = sumOfParts(text.slice(sign.length));
  if (size === undefined) return undefined;
  if (sign === '-') return -size;
  return size === LIMIT ? undefined : size;
}

function sumOfParts(body: string): bigint | undefined {
  if (body === '0') return 0n;
  if (body === '') return undefined;
  let total = 0n;
  let offset = 0;
  while (offset < body.length) {
    PART.lastIndex = offset;
    const [part = '', whole = '', fraction = '', unit] = PART.exec(body) ?? [];
    if (whole === '' && fraction === '') return undefined;
    const value = partValue(whole, fraction, unit as Unit);
    if (value === undefined || total + value > LIMIT) return undefined;
    total += value;
    offset += part.length;
  }
  return total;
}

function partValue(whole: string, fraction: string, unit: Unit): bigint | undefined {
  const scale = NANOSECONDS[unit];
  const digits = whole.replace(/^0+/, '');
  // Longer is past the limit anyway, and reading a number of a million digits takes for ever.
  if (digits.length > MAX_DIGITS) return undefined;
  return BigInt(digits) * scale + fractionValue(fraction, scale);
}

/** Go's own arithmetic: doubles, so that `0.3333333333333333333h` is 20 minutes, cut to the nanosecond. */
function fractionValue(fraction: string, scale: bigint): bigint {
  const { value, divisor } = leadingFraction(fraction);
  return BigInt(Math.trunc(Number(value) * (Number(scale) / divisor)));
}

/** The digits that Go takes into account: as many as fit into 63 bits. */
function leadingFraction(fraction: string): { readonly value: bigint; readonly divisor: number } {
  let value = 0n;
  let divisor = 1;
  for (const digit of fraction) {
    const next = value * 10n + BigInt(digit);
    if (next > LIMIT) break;
    value = next;
    divisor *= 10;
  }
  return { value, divisor };
}

/** Writes nanoseconds the way Go does: `1h2m3.5s`, `20ms`, `5m0s`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < NANOSECONDS.s) return formatSubSecond(nanoseconds);
  const minutes = nanoseconds / NANOSECONDS.m;
  const seconds = `${decimal(nanoseconds % NANOSECONDS.m, NANOSECONDS.s)}s`;
  if (minutes === 0n) return seconds;
  if (minutes < 60n) return `${minutes}m${seconds}`;
  return `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function formatSubSecond(nanoseconds: bigint): string {
  if (nanoseconds < NANOSECONDS.us) return `${nanoseconds}ns`;
  if (nanoseconds < NANOSECONDS.ms) return `${decimal(nanoseconds, NANOSECONDS.us)}µs`;
  return `${decimal(nanoseconds, NANOSECONDS.ms)}ms`;
}

function decimal(value: bigint, unit: bigint): string {
  const rest = value % unit;
  if (rest === 0n) return `${value / unit}`;
  const digits = `${unit + rest}`.slice(1).replace(/0+$/, '');
  return `${value / unit}.${digits}`;
}
