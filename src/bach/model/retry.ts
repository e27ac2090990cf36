import { AttributeReader, type AttributeScope } from './attribute-reader.ts';
import { blocksOf, checkBody, checkLabels } from './block-reader.ts';
import { milliseconds } from './durations.ts';
import { numberOf } from './expressions.ts';
import type { Retry } from './project.ts';
import { RETRY_SCHEMA } from './schema.ts';

/** Reads the `retry` block of a target. */
export function retryOf(target: AttributeReader, scope: AttributeScope): Retry | undefined {
  const [block, second] = blocksOf(target.block.body, 'retry');
  if (second !== undefined) target.fault(second.header, 'must have at most one retry block');
  if (block === undefined) return undefined;
  checkBody(block.body, RETRY_SCHEMA, scope.findings);
  checkLabels(block, RETRY_SCHEMA, scope.findings);
  const retry = new AttributeReader(block, `${target.subject} retry`, scope);
  return {
    attempts: attemptsOf(retry),
    backoffMs: backoffOf(retry),
    onQualityGateFailure: retry.flag('retry_on_quality_gate_failure'),
  };
}

/** At least 1, also where it was told to be faulty. */
function attemptsOf(retry: AttributeReader): number {
  const given = retry.given('attempts');
  const attempts = given === undefined ? 0 : numberOf(given.expression, retry.reading('attempts'));
  if (attempts === undefined) return 1;
  if (Number.isSafeInteger(attempts) && attempts > 0) return attempts;
  const isFraction = attempts > 0;
  retry.fault(retry.placeOf('attempts'), `attempts must be ${isFraction ? 'a whole number' : 'greater than zero'}`);
  return 1;
}

function backoffOf(retry: AttributeReader): number {
  const text = retry.text('backoff');
  if (text === '') return 0;
  const ms = milliseconds(text);
  if (ms !== undefined && ms >= 0) return ms;
  const fault = ms === undefined ? `backoff ${JSON.stringify(text)} is invalid: want a duration such as 500ms or 2s` : 'backoff must not be negative';
  retry.fault(retry.placeOf('backoff'), fault);
  return 0;
}
