import type { Check, CheckPlace, Verdict } from '../contract.ts';

export interface CheckOrder {
  /**
   * `all`: each runs, for evidence, whatever the others said. `first-failure`: nothing runs after the first that did
   * not pass.
   */
  readonly order: 'all' | 'first-failure';
  /** Whether one that could not be started decides anything, or is only told. Default `counts`. */
  readonly unstartable?: 'counts' | 'warns';
  /** Told of each verdict before the next check begins, so that an abort loses none. */
  readonly onVerdict?: (verdict: Verdict) => void | Promise<void>;
}

/** What all checks together say. */
export interface ChecksOutcome {
  /** A fault of the environment outranks failures: nothing that was found with it counts against the work. */
  readonly outcome: Verdict['outcome'];
  /** Of those that ran, in order. */
  readonly verdicts: readonly Verdict[];
  /** Those of them that could not be started and were let pass. */
  readonly warnings: readonly Verdict[];
  /** Names of those that did not get their turn. */
  readonly notRun: readonly string[];
}

/**
 * Runs checks one after the other. No checks at all have passed. Throws what a check throws, and the reason of an abort.
 *
 * @example
 * // A gate that fails open: check, test and lint, up to the first failure.
 * const { outcome, warnings } = await runChecks(gates, place, signal, { order: 'first-failure', unstartable: 'warns' });
 */
export async function runChecks(checks: readonly Check[], place: CheckPlace, signal: AbortSignal, order: CheckOrder): Promise<ChecksOutcome> {
  const verdicts: Verdict[] = [];
  for (const check of checks) {
    signal.throwIfAborted();
    const verdict = await check.run(place, signal);
    verdicts.push(verdict);
    await order.onVerdict?.(verdict);
    if (order.order === 'first-failure' && decides(verdict, order)) break;
  }
  const counted = verdicts.filter((verdict) => decides(verdict, order));
  return {
    outcome: joined(counted),
    verdicts,
    warnings: verdicts.filter((verdict) => verdict.outcome !== 'passed' && !counted.includes(verdict)),
    notRun: checks.slice(verdicts.length).map(({ name }) => name),
  };
}

function decides({ outcome, command }: Verdict, { unstartable = 'counts' }: CheckOrder): boolean {
  if (outcome === 'passed') return false;
  return !(unstartable === 'warns' && outcome === 'environment' && command?.how.kind === 'not-started');
}

function joined(verdicts: readonly Verdict[]): Verdict['outcome'] {
  if (verdicts.some(({ outcome }) => outcome === 'environment')) return 'environment';
  return verdicts.length > 0 ? 'failed' : 'passed';
}
