import { expect, test } from 'vitest';
import { noSuchScenario, selftestMissing } from '../../../src/engine/index.ts';

test('what the self-test does not have is told with what there is', () => {
  expect(noSuchScenario({ number: 7, names: ['one unit', 'a takeover'] })).toMatchObject({
    code: 'selftest-scenario',
    exit: 2,
    message: 'there is no scenario 7, only 1 (one unit), 2 (a takeover)',
    remedy: 'name one of these numbers with --scenario',
  });
  expect(selftestMissing({ path: '/there/selftest-toy.cjs' })).toMatchObject({ code: 'selftest-missing', message: '/there/selftest-toy.cjs: no such file' });
});
