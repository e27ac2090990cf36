import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEntry } from '../../../src/bach/store/kept/entry.ts';
import { bachProject } from '../../support/bach-project.ts';
import { chunkedProgram } from '../../support/chunked-program.ts';
import { changeEntry } from '../store/kept/projects.ts';

const program = chunkedProgram(join(import.meta.dirname, '../../../src/cli/bach.ts'));

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

test('a dry run and verbs that look write nothing, and use what a run kept', async () => {
  const { at, bach } = bachProject('shell "a" {\n  description = "from the files"\n  command = ["true"]\n}');
  for (const words of [['run', '--dry-run', 'shell/a'], ['list'], ['explain', 'shell/a'], ['graph'], ['affected', 'x'], ['provenance', 'x'], ['validate']]) {
    expect((await bach(words)).exit).toBe(0);
    expect(namesIn(at('.bach'))).toEqual([]);
  }
  expect((await bach(['run', 'shell/a'])).exit).toBe(0);
  const [entry = '', ...more] = namesIn(at('.bach/cache'));
  expect([entry, more]).toEqual([expect.stringMatching(/^project-[0-9a-f]{32}$/), []]);
  changeEntry(at('.bach/cache', entry), (rest) => rest.replaceAll('from the files', 'from the cache'));
  for (const words of [['list'], ['explain', 'shell/a'], ['--json', 'graph']]) expect((await bach(words)).stdout).toContain('from the cache');
});

// Starts twelve runs, each a process of its own.
test('runs at once on a project that changes do their work, and an entry is whole at any time', async () => {
  const { folder, at, write } = bachProject('shell "a" { command = ["true"] }');
  const faults: string[] = [];
  let ended = 0;
  const runs = Array.from({ length: 3 }, async (_, runner) => {
    for (let round = 0; round < 4; round++) {
      // Whole at any moment, like what an editor saves: a half of it would be refused.
      write(`next${runner}`, `project "p" {}\nshell "t${runner}" { command = ["true"] }\nshell "a" {\n  description = "${'x'.repeat(5000 * round)}"\n  command = ["true"]\n}\n`);
      renameSync(at(`next${runner}`), at('Bachfile'));
      const child = spawn(process.execPath, [program.file, 'run', 'shell/a'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr.on('data', (chunk: Buffer) => faults.push(String(chunk)));
      await new Promise((resolve) => child.once('close', resolve));
      ended += child.exitCode === 0 ? 1 : 0;
    }
  });
  const all = Promise.all(runs);
  let running = true;
  void all.then(() => (running = false));
  const torn: string[] = [];
  while (running) {
    for (const name of namesIn(at('.bach/cache')).filter((each) => !each.endsWith('.tmp'))) {
      if (readEntry(readFileSync(at('.bach/cache', name))) === undefined) torn.push(name);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await all;
  expect(torn).toEqual([]);
  expect({ faults, ended }).toEqual({ faults: [], ended: 12 });
  expect(namesIn(at('.bach/cache'))).toHaveLength(1);
}, 60_000);

// Starts five runs.
test('a run that is killed while it keeps the project does no harm to the next', async () => {
  const { folder, at } = bachProject('shell "a" { command = ["true"] }');
  const trace = at('trace');
  const run = (env: Readonly<Record<string, string>>) => spawnSync(process.execPath, [program.file, 'run', 'shell/a'], { cwd: folder, env: { ...process.env, ...env } });
  expect(run({ DROVER_CRASH_TRACE: trace }).status).toBe(0);
  const points = readFileSync(trace, 'utf8').trimEnd().split('\n');
  const [entry = ''] = namesIn(at('.bach/cache'));
  for (const what of ['before', 'after']) {
    writeFileSync(at('.bach/cache', entry), 'garbage');
    // The folders are there by now, so the points that made them are not passed.
    const index = points.filter((point) => !point.startsWith('folder:')).indexOf(`kept-project:${what}`);
    expect(run({ DROVER_CRASH_AT: `${index + 1}` }).signal).toBe('SIGKILL');
    expect(readEntry(readFileSync(at('.bach/cache', entry))) === undefined).toBe(what === 'before');
    expect(run({}).status).toBe(0);
    expect(readEntry(readFileSync(at('.bach/cache', entry)))).toBeDefined();
  }
});
