import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { bachProject, type BachProject } from '../support/bach-project.ts';
import { testUnless } from '../support/needs.ts';
import { readOnly, reasonAgainstMounts } from '../support/read-only.ts';

const BACH = join(import.meta.dirname, '../../bin/bach');

function bach({ folder }: BachProject, argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(BACH, argv, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The same where no right to write helps: not even root may. */
function bachReadOnly({ folder }: BachProject, argv: readonly string[]) {
  const [program = '', ...words] = readOnly(folder);
  // The folder is entered anew: one that was entered before it was mounted over takes writes.
  const options = { cwd: '/', encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(program, [...words, 'env', '-C', folder, BACH, ...argv], options);
  return { status, stdout, stderr };
}

function expectOnlyRunIsRefused(project: BachProject): void {
  const refused = bachReadOnly(project, ['run', 'shell/x']);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  const [message = '', remedy = ''] = refused.stderr.split('\n');
  expect(message).toContain(project.at('.bach'));
  expect(message).toContain('read-only');
  expect(remedy).not.toBe('');
  expect(refused.stderr).not.toMatch(/^ {4}at /m);
  expect(bachReadOnly(project, ['list'])).toEqual({ status: 0, stdout: 'shell/x\n', stderr: '' });
  expect(bachReadOnly(project, ['validate'])).toMatchObject({ status: 0, stderr: '' });
}

// Slower than 5 s on a busy machine: each call is a program of its own.
describe('a project that cannot be written', () => {
  const reason = reasonAgainstMounts();

  testUnless(reason, 'stops a run and nothing that only looks', () => {
    const project = bachProject('shell "x" { command = ["true"] }\n');
    expect(bach(project, ['run', 'shell/x']).status).toBe(0);
    expectOnlyRunIsRefused(project);
    const before = bach(project, ['runs', 'list', '--json']).stdout;
    expect(bachReadOnly(project, ['runs', 'list', '--json'])).toEqual({ status: 0, stdout: before, stderr: '' });
    expect((JSON.parse(before) as { runs: unknown[] }).runs).toHaveLength(1);
  });

  testUnless(reason, 'that never ran anything is refused and read alike', () => {
    const project = bachProject('shell "x" { command = ["true"] }\n');
    expectOnlyRunIsRefused(project);
    expect(bachReadOnly(project, ['runs', 'list'])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(existsSync(project.at('.bach'))).toBe(false);
  });
});
