import type { VerbContext } from '../../kernel/terminal/index.ts';
import { parseDuration } from '../../kernel/text/index.ts';
import { parseRfc3339 } from '../../kernel/time/index.ts';
import { canonicalName, RUN_STATUSES, type RunStatus } from '../model/index.ts';
import type { RunFilter } from '../store/index.ts';
import { badSince, badStatus } from './errors.ts';
import type { RunsListInput } from './inputs.ts';

/** The filters that `runs list` and `artifacts` share, as they were given. Throws wrong usage. */
export function runFilter({ limit, target, status, since, artifact }: RunsListInput, { clock }: Pick<VerbContext, 'clock'>): RunFilter {
  return {
    limit,
    ...(target === undefined ? {} : { target: target.split(' ').map(canonicalName).join(' ') }),
    ...(status === undefined ? {} : { status: statusOf(status) }),
    ...(since === undefined ? {} : { since: sinceOf(since, clock.wall()) }),
    ...(artifact === undefined ? {} : { artifact }),
  };
}

function statusOf(text: string): RunStatus {
  const status = RUN_STATUSES.find((known) => known === text);
  if (status === undefined) throw badStatus({ text, known: RUN_STATUSES });
  return status;
}

/** An age, or a moment. What is younger than a moment to come has not run yet. */
function sinceOf(text: string, now: bigint): bigint {
  const age = parseDuration(text);
  const since = age === undefined ? parseRfc3339(text) : now - age;
  if (since === undefined || (age !== undefined && age < 0n)) throw badSince({ text });
  return since;
}
