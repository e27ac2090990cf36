// Slow: a run of the built program is killed at each point where it writes durably, and two more runs look at what it left.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../support/bach-project.ts';

const BACH = join(import.meta.dirname, '../../bin/bach');

/** `b` from what `a` makes; each writes down that it ran. */
function project(): BachProject {
  const target = (name: string, from: string, more = ''): string =>
    `shell "${name}" {\n  inputs = ["${from}"]\n  outputs = ["${name}.out"]\n  shell = "echo ${name} >> ran; cp ${from} ${name}.out"\n${more}}\n`;
  const made = bachProject(`${target('a', 'in.txt')}${target('b', 'a.out', '  depends_on = [shell.a]\n')}`);
  made.write('in.txt', 'one');
  return made;
}

function run({ folder }: BachProject, env: Readonly<Record<string, string>> = {}) {
  const { status, signal, stdout, stderr } = spawnSync(BACH, ['run', 'shell/b', '-j', '1'], { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' });
  return { status, signal, stdout, stderr };
}

/** A run that nothing kills, which spares the start of a program. */
async function runHere({ bach }: BachProject) {
  const { exit, stdout, stderr } = await bach(['run', 'shell/b', '-j', '1'], { env: process.env as Readonly<Record<string, string>> });
  return { status: exit, stdout, stderr };
}

/** Where a run writes durably, in order. */
async function pointsOf(make: () => BachProject | Promise<BachProject>): Promise<readonly string[]> {
  const traced = await make();
  const trace = traced.at('trace');
  expect(run(traced, { DROVER_CRASH_TRACE: trace })).toMatchObject({ status: 0, stderr: '' });
  return readFileSync(trace, 'utf8').trimEnd().split('\n');
}

/** Kills a run at each of its points that are looked for, and looks at what the next ones make of it. */
async function killedAt(make: () => BachProject | Promise<BachProject>, points: readonly string[], isSought: (point: string) => boolean): Promise<number> {
  let kills = 0;
  for (const [index, point] of points.entries()) {
    if (!isSought(point)) continue;
    const killed = await make();
    // Rows are written in groups by the clock: another time there may be a group less.
    if (run(killed, { DROVER_CRASH_AT: String(index + 1) }).signal === 'SIGKILL') kills++;
    const next = await runHere(killed);
    expect({ point, ...next }).toMatchObject({ point, status: 0, stderr: '' });
    expect({ point, out: killed.read('b.out') }).toEqual({ point, out: killed.read('in.txt') });
    // At most what the killed run did not live to write down is done again.
    const counts = ['a', 'b'].map((name) => killed.read('ran').split('\n').filter((line) => line === name).length);
    expect({ point, counts: counts.every((count) => count >= 1 && count <= 2) }).toEqual({ point, counts: true });
    expect({ point, stdout: (await runHere(killed)).stdout }).toEqual({ point, stdout: expect.stringContaining('targets: success=0 cached=2 failed=0') });
  }
  return kills;
}

describe('a run that is killed at any durable point', () => {
  test('the first one: the next one ends the work, and nothing is taken for done that is not', async () => {
    const points = await pointsOf(project);
    expect(points.filter((point) => point.startsWith('commit')).length).toBeGreaterThanOrEqual(4);
    expect(await killedAt(project, points, () => true)).toBeGreaterThanOrEqual(points.length - 2);
  }, 240_000);

  test('one whose input changed, around its commits', async () => {
    const changed = async (): Promise<BachProject> => {
      const made = project();
      await runHere(made);
      made.write('in.txt', 'two');
      made.write('ran', '');
      return made;
    };
    expect(await killedAt(changed, await pointsOf(changed), (point) => point.startsWith('commit'))).toBeGreaterThanOrEqual(2);
  }, 240_000);

  test('one in which nothing has to run, while it is kept and while it is done over', async () => {
    // One project for all kills: a run that changes nothing leaves it as it was.
    const made = project();
    const kept = (): readonly string[] => readdirSync(made.at('.bach/cache')).filter((name) => name.startsWith('standstill-'));
    for (let round = 0; round < 6 && (round === 0 || kept().length === 0); round++) expect(run(made)).toMatchObject({ status: 0 });
    expect(kept()).toHaveLength(1);
    expect(await killedAt(() => made, await pointsOf(() => made), () => true)).toBeGreaterThanOrEqual(1);
    const unkept = (): BachProject => {
      for (const name of kept()) rmSync(made.at('.bach/cache', name));
      return made;
    };
    const points = await pointsOf(unkept);
    expect(points).toContain('kept-project:before');
    expect(await killedAt(unkept, points, () => true)).toBeGreaterThanOrEqual(3);
  }, 240_000);
});
