import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Change } from '../../../src/workspace/index.ts';
import { runGit, stageWith, type Stage } from '../../support/git-repository.ts';
import { changeOf, commitOnBranch, land, statusOf } from './land-support.ts';

const FILES = { a: 'a1\n', b: 'b1\n' };

function subjectsOf({ folder }: Stage): readonly string[] {
  return runGit(folder, ['log', '--format=%s', 'main']).split('\n');
}

function changes({ folder }: Stage, count: number) {
  return Array.from({ length: count }, (_, at) => {
    const key = `u${at}`;
    return changeOf(commitOnBranch(folder, { [`new/${key}`]: '1' }, { branch: key }), { key, message: `Land ${key}\n` });
  });
}

test('two landers at once: each change lands once, on top of the other', async () => {
  const stage = await stageWith(FILES);
  const all = changes(stage, 6);
  const outcomes = await Promise.all(all.map((change) => land(stage, change)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(all.map(() => 'landed'));
  expect(subjectsOf(stage).toSorted()).toEqual([...all.map(({ key }) => `Land ${key}`), 'work'].toSorted());
  expect(statusOf(stage.folder)).toEqual([]);
});

test('two landers of one change: it lands once', async () => {
  const stage = await stageWith(FILES);
  const [change] = changes(stage, 1);
  const outcomes = await Promise.all([1, 2, 3].map(() => land(stage, change!)));
  // Made in the same second it is the same commit, and has landed for each of them.
  expect(outcomes.map(({ kind }) => kind === 'already' || kind === 'landed')).toEqual([true, true, true]);
  expect(subjectsOf(stage)).toEqual(['Land u0', 'work']);
});

/** What is staged for a moment makes a change wait; a system would look again, too. */
async function landAtLast(stage: Stage, change: Change): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { kind } = await land(stage, change);
    if (kind === 'landed') return;
    expect(['waiting', 'moved']).toContain(kind);
  }
  throw new Error(`${change.key} never landed`);
}

/** A person's program that commits one file again and again, as long as a file is there, and writes down what it made. */
const COMMITTING = 'while [ -e "$0" ]; do date +%N > p; git add p && git commit -qm person && git rev-parse HEAD >> "$0.made"; sleep 0.3; done 2>/dev/null';

// May take over 5 s: each change waits for a moment in which nothing is staged.
test('another program commits all the time: every change lands, and no commit of it is lost', async () => {
  const stage = await stageWith(FILES);
  const all = changes(stage, 4);
  const go = join(stage.home, 'go');
  writeFileSync(go, '');
  runGit(stage.folder, ['config', 'user.name', 'Person']);
  runGit(stage.folder, ['config', 'user.email', 'person@drover.test']);
  const person = spawn('sh', ['-c', COMMITTING, go], { cwd: stage.folder, stdio: 'ignore', env: stage.repository.git.env as Record<string, string> });
  const ended = new Promise((resolve) => void person.on('exit', resolve));
  try {
    for (const change of all) await landAtLast(stage, change);
  } finally {
    rmSync(go);
    await ended;
  }
  const history = runGit(stage.folder, ['rev-list', 'main']).split('\n');
  const made = readFileSync(`${go}.made`, 'utf8').trim().split('\n');
  expect(made.length).toBeGreaterThan(0);
  expect(made.filter((commit) => !history.includes(commit))).toEqual([]);
  expect(subjectsOf(stage).filter((subject) => subject.startsWith('Land')).toSorted()).toEqual(all.map(({ key }) => `Land ${key}`));
});
