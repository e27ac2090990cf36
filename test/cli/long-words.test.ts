import { describe, expect, test } from 'vitest';
import { bachProject } from '../support/bach-project.ts';

const LONG = 'n'.repeat(100_000);

describe('an argument of 100 kB is told by its ends', () => {
  test.each([
    ['a target', ['run', LONG], 1],
    ['a verb', [LONG], 2],
    ['an option', [`--${LONG}`], 2],
    ['a file', ['list', '--file', LONG], 1],
    ['a profile', ['list', '--profile', LONG], 1],
    ['a variable', ['list', '--var', `${LONG}=1`], 1],
    ['a status', ['runs', 'list', '--status', LONG], 2],
    ['a run', ['logs', LONG], 1],
    ['an alien path', ['provenance', LONG, '--json', '--file', LONG], 1],
  ])('%s', async (_, argv, code) => {
    const { exit, stdout, stderr } = await bachProject('').bach(argv);
    expect({ exit, stdout }).toEqual({ exit: code, stdout: '' });
    expect(stderr).toContain(' more characters …nnn');
    expect(stderr.length).toBeLessThan(2_500);
  });

  test('a secret that stands where it is cut is masked whole', async () => {
    const secret = 'the-secret-0123456789';
    const word = `${'n'.repeat(390)}${secret}${'n'.repeat(5000)}`;
    const { stderr } = await bachProject('').bach(['run', word], { env: { API_TOKEN: secret } });
    expect(stderr).toContain(' more characters …');
    expect(stderr).not.toContain('the-s');
  });
});
