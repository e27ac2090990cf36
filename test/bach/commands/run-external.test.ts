// Slow: each run talks to a program of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { query } from '../store/recorded-runs.ts';

const BACH = join(import.meta.dirname, '../../../bin/bach');

/** A project whose records another program keeps, too. */
function project(command: readonly string[], path = 'elsewhere/state.db'): BachProject {
  const backend = `backend {\n    type = "stdio"\n    command = ${JSON.stringify(command)}\n    config = { path = "${path}" }\n    external = true\n  }`;
  const made = bachProject(
    `project "p" {\n  ${backend}\n}\nshell "a" {\n  inputs = ["in.txt"]\n  outputs = ["a.out"]\n  shell = "echo a >> ran; cp in.txt a.out"\n}\nshell "bad" {\n  command = ["false"]\n}\n`,
  );
  made.write('in.txt', 'one');
  return made;
}

const serving = (): BachProject => project([BACH, 'backend', 'sqlite']);

test('the other program gets the run, its targets, what it made and what is cached', async () => {
  const made = serving();
  expect(await made.bach(['run', 'shell/a'])).toMatchObject({ exit: 0, stderr: '' });
  const elsewhere = { root: made.at('elsewhere') };
  const rows = (sql: string) => query(elsewhere.root, sql, 'state.db');
  expect(rows('SELECT target, status FROM runs')).toEqual([{ target: 'shell/a', status: 'success' }]);
  expect(rows('SELECT target, status, exit_code FROM target_runs')).toEqual([{ target: 'shell/a', status: 'success', exit_code: 0 }]);
  expect(rows('SELECT name FROM target_state')).toEqual([{ name: 'shell/a' }]);
  expect(rows("SELECT path FROM artifacts WHERE kind = 'artifact'")).toEqual([{ path: 'a.out' }]);

  const { stdout } = await made.bach(['run', 'shell/a']);
  expect(stdout).toContain('cached=1');
  expect(made.read('ran')).toBe('a\n');
  expect(rows('SELECT status FROM target_runs ORDER BY started_at')).toEqual([{ status: 'success' }, { status: 'cached' }]);
});

test('a run that fails is one there, too', async () => {
  const made = serving();
  expect((await made.bach(['run', 'shell/bad'])).exit).toBe(1);
  expect(query(made.at('elsewhere'), 'SELECT status FROM runs', 'state.db')).toEqual([{ status: 'failed' }]);
});

test.each([
  ['is not there', ['no-such-program-of-ours'], 'no-such-program-of-ours'],
  ['ends at once', ['false'], 'false'],
  ['talks nonsense', ['echo', 'hello'], 'echo hello'],
])('a program that %s: nothing runs, and it is named', async (_, command, named) => {
  const made = project(command);
  const { exit, stdout, stderr } = await made.bach(['run', 'shell/a']);
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
  expect(stderr).toContain(named);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(existsSync(made.at('ran'))).toBe(false);
});

test('what a dry run, validate and list do needs no such program', async () => {
  const made = project(['no-such-program-of-ours']);
  for (const argv of [['validate'], ['list'], ['run', '-d', 'shell/a']]) expect((await made.bach(argv)).exit).toBe(0);
});
