/**
 * How often a fault is injected: the count of CI, or the whole count when the suite runs with `--full`.
 *
 * @example
 * const flips = faultCount({ ci: 1_000, full: 10_000 });
 */
export function faultCount({ ci, full }: { readonly ci: number; readonly full: number }): number {
  return process.env['DROVER_FAULTS'] === 'full' ? full : ci;
}

/** Rotates daily, and is printed by what uses it; `DROVER_FAULT_SEED` replays one. */
export function faultSeed(): number {
  const given = process.env['DROVER_FAULT_SEED'];
  return given === undefined ? Math.floor(Date.now() / 86_400_000) : Number(given);
}
