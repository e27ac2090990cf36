import { expect, test } from 'vitest';
import { labelsOf } from '../../../../src/bach/decide/look/labels.ts';

test('the labels of a target, and none for a name that nobody knows', () => {
  const risks = new Map([['shell/deploy', { labels: ['remote'] }]]);
  expect(labelsOf(risks, 'shell/deploy')).toEqual(['remote']);
  expect(labelsOf(risks, 'shell/other')).toEqual([]);
});
