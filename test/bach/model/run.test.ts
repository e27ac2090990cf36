import { describe, expect, test } from 'vitest';
import { artifactKind, countersLine } from '../../../src/bach/model/index.ts';

describe('the counters of a run', () => {
  test('seven, in their order, also when nothing ran', () => {
    const none = 'targets: success=0 cached=0 failed=0 preflight-failed=0 quality-failed=0 dry-run=0 running=0';
    expect(countersLine([])).toBe(none);
  });

  test('others are appended when there are any', () => {
    const line = countersLine(['success', 'failed', 'interrupted', 'success']);
    expect(line).toBe(
      'targets: success=2 cached=0 failed=1 preflight-failed=0 quality-failed=0 dry-run=0 running=0 interrupted=1',
    );
  });
});

test.each([
  ['a/report.json', 'manifest'],
  ['k8s.yaml', 'manifest'],
  ['k8s.yml', 'manifest'],
  ['out.log', 'log'],
  ['dist/app', 'artifact'],
  ['json', 'artifact'],
])('%s is recorded as %s', (path, kind) => {
  expect(artifactKind(path)).toBe(kind);
});
