import { parseArgs } from 'node:util';

const SIZES = [100, 1_000, 10_000];

/**
 * `[name ...] [--size n ...] [--no-peers] [--prime-limit seconds]`. A prime limit bounds how long one runner may take to
 * fill its cache before the cached runs are measured.
 */
export function readOptions(args) {
  const options = { size: { type: 'string', multiple: true }, peers: { type: 'boolean' }, 'prime-limit': { type: 'string' } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true, allowNegative: true });
  const sizes = values.size?.map(positive) ?? SIZES;
  return { names: positionals, sizes, withPeers: values.peers ?? true, primeLimitMs: positive(values['prime-limit'] ?? '120') * 1_000 };
}

function positive(text) {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`${text} is no number of one or more`);
  return number;
}
