import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { bundledProgram } from '../../support/bundle.ts';
import { failingSync, whyNoFailingSync } from '../../support/failing-sync.ts';
import { testUnless } from '../../support/needs.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const program = bundledProgram(join(import.meta.dirname, 'programs/change-folder.ts'));
const library = failingSync();
const NEW = 'new'.repeat(10_000);
const ENOSPC = 28;

beforeEach(() => {
  mkdirSync(folder.at('start'));
  for (const name of ['replaced', 'removed', 'moved']) writeFileSync(folder.at('start', name), 'old');
});

interface Changed {
  readonly name: string;
  readonly signal: NodeJS.Signals | null;
  readonly acknowledged: readonly string[];
  readonly failure: string | undefined;
}

/** Changes fresh copies of the folder in one process. */
function changeAll(names: readonly string[], env: Readonly<Record<string, string>>): readonly Changed[] {
  for (const name of names) cpSync(folder.at('start'), folder.at(name), { recursive: true });
  const argv = [program.file, ...names.map((name) => folder.at(name))];
  const { stdout, signal } = spawnSync(process.execPath, argv, { encoding: 'utf8', env: { ...process.env, ...env } });
  return stdout.split(/^in .*\n/m).slice(1).map((said, index) => {
    const lines = said.split('\n').filter(Boolean);
    const failure = lines.find((line) => line.startsWith('error '));
    return { name: names[index] ?? '', signal, acknowledged: lines.filter((line) => line !== failure), failure };
  });
}

function change(name: string, env: Readonly<Record<string, string>>): Changed {
  return changeAll([name], env)[0] ?? { name, signal: null, acknowledged: [], failure: 'it said nothing' };
}

function content(...names: string[]): string | undefined {
  return existsSync(folder.at(...names)) ? readFileSync(folder.at(...names), 'utf8') : undefined;
}

/** What may stand there: all of the old or all of the new, and the new once that was acknowledged. */
function expectWhole(name: string, acknowledged: readonly string[]): void {
  const states: Readonly<Record<string, readonly [before: unknown, after: unknown, found: unknown]>> = {
    replaced: ['old', NEW, content(name, 'replaced')],
    written: [undefined, NEW, content(name, 'written')],
    removed: ['old', undefined, content(name, 'removed')],
    moved: [['old', undefined], [undefined, 'old'], [content(name, 'moved'), content(name, 'sub/deep/moved')]],
  };
  for (const [file, [before, after, found]] of Object.entries(states)) {
    expect([file, acknowledged.includes(file) ? [after] : [before, after]]).toEqual([file, expect.arrayContaining([found])]);
  }
}

const temporaries = (name: string): string[] => readdirSync(folder.at(name), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tmp'));

// Thirteen processes; only a busy machine takes over 5 s.
test('a process that is killed at any durable point leaves all of the old or all of the new', () => {
  const whole = change('whole', { DROVER_CRASH_TRACE: folder.at('trace') });
  expect(whole.acknowledged).toHaveLength(6);
  expectWhole('whole', whole.acknowledged);
  expect(temporaries('whole')).toEqual([]);
  const points = readFileSync(folder.at('trace'), 'utf8').trim().split('\n');
  expect(points).toEqual(['rename', 'create', 'remove', 'folder', 'folder', 'rename'].flatMap((what) => [`${what}:before`, `${what}:after`]));
  for (const index of points.keys()) {
    const killed = change(`killed-${index}`, { DROVER_CRASH_AT: `${index + 1}` });
    expect(killed.signal).toBe('SIGKILL');
    expectWhole(`killed-${index}`, killed.acknowledged);
    expect(temporaries(`killed-${index}`).length).toBeLessThanOrEqual(1);
  }
});

describe('a failed disk', () => {
  testUnless(whyNoFailingSync(), 'that does not sync acknowledges nothing that it was asked to keep', () => {
    // One for each file and each folder, and none in the last round: no sync is left out.
    const names = Array.from({ length: 11 }, (_, index) => `sync-${index + 1}`);
    const rounds = changeAll(names, { ...library.env({ path: folder.path }), FAIL_EACH_SYNC: '1' });
    expect(rounds.map(({ failure }) => failure === undefined)).toEqual(names.map((_, index) => index === 10));
    for (const { name, acknowledged, failure } of rounds) {
      expectWhole(name, acknowledged);
      expect(temporaries(name)).toEqual([]);
      if (failure !== undefined) expect(failure).toMatch(/^error system-error: cannot .*EIO$/);
    }
    expect(rounds.at(-1)?.acknowledged).toHaveLength(6);
  });

  testUnless(whyNoFailingSync(), 'that is full leaves the old file, and nothing beside it', () => {
    for (const writeFrom of [1, 3]) {
      const failed = change(`write-${writeFrom}`, library.env({ path: folder.path, writeFrom, errno: ENOSPC }));
      expect(failed.failure).toMatch(writeFrom === 3 ? /^error short-write: .*15000 of 30000 bytes/ : /^error disk-full: cannot (write|create)/);
      expectWhole(`write-${writeFrom}`, failed.acknowledged);
      expect(temporaries(`write-${writeFrom}`)).toEqual([]);
    }
  });
});
