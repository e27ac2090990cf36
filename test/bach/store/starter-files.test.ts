import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installStarterFiles, STARTER_INSTRUCTIONS, starterBachfile } from '../../../src/bach/store/starter-files.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { failingSync, whyNoFailingSync } from '../../support/failing-sync.ts';
import { testUnless } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temp.ts';

const program = bundledProgram(join(import.meta.dirname, 'programs/install-starter-files.ts'));
const library = failingSync();
const CONTENTS = { Bachfile: starterBachfile('/x/shop'), 'AGENTS.md': STARTER_INSTRUCTIONS } as const;
const NAMES = ['Bachfile', 'AGENTS.md'] as const;

function installIn(folder: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout, signal } = spawnSync(process.execPath, [program.file, folder], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });
  return { stdout, signal };
}

/** What stands there, temporary files of a killed writer aside: a person sees these two names. */
function found(folder: string): readonly (keyof typeof CONTENTS)[] {
  return NAMES.filter((name) => existsSync(join(folder, name)));
}

describe('installing', () => {
  test('a file that appears after the look makes the other one go again', async () => {
    const folder = temporaryFolder();
    const [bachfile, agents] = NAMES.map((name) => ({ path: join(folder, name), content: CONTENTS[name] }));
    // The second name is the same as the first, so it exists when its turn comes.
    const again = { path: bachfile?.path ?? '', content: agents?.content ?? '' };
    await expect(installStarterFiles([bachfile!, again])).rejects.toMatchObject({ code: 'starter-file-exists', message: `refusing to overwrite existing file ${again.path}` });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a file that cannot be made makes the other one go again', async () => {
    const folder = temporaryFolder();
    const files = [
      { path: join(folder, 'Bachfile'), content: 'a' },
      { path: join(folder, 'gone/AGENTS.md'), content: 'b' },
    ];
    await expect(installStarterFiles(files)).rejects.toMatchObject({ code: 'not-found' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('one that somebody changed meanwhile stays', async () => {
    const folder = temporaryFolder();
    const files = [
      { path: join(folder, 'Bachfile'), content: 'a' },
      { path: join(folder, 'gone/AGENTS.md'), content: 'b' },
    ];
    const installing = installStarterFiles(files).catch(() => undefined);
    while (!existsSync(join(folder, 'Bachfile'))) await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(join(folder, 'Bachfile'), 'changed');
    await installing;
    expect(readFileSync(join(folder, 'Bachfile'), 'utf8')).toBe('changed');
  });
});

describe('in a process of its own', () => {
  test('killed at each durable point, there is only what is whole, and never the second file alone', () => {
    const all = temporaryFolder();
    const trace = join(all, 'trace');
    mkdirSync(join(all, 'undisturbed'));
    expect(installIn(join(all, 'undisturbed'), { DROVER_CRASH_TRACE: trace }).stdout).toBe('done\n');
    const points = readFileSync(trace, 'utf8').trim().split('\n').length;
    expect(points).toBeGreaterThanOrEqual(4);
    const seen = new Set<string>();
    for (let point = 1; point <= points; point += 1) {
      const folder = join(all, String(point));
      mkdirSync(folder);
      expect(installIn(folder, { DROVER_CRASH_AT: String(point) }).signal).toBe('SIGKILL');
      for (const name of found(folder)) expect(readFileSync(join(folder, name), 'utf8')).toBe(CONTENTS[name]);
      seen.add(found(folder).join(' '));
      // The next one either makes both or names the file that is there.
      const before = found(folder);
      expect(installIn(folder).stdout).toBe(before.length === 0 ? 'done\n' : 'starter-file-exists\n');
      expect(found(folder)).toEqual(before.length === 0 ? [...NAMES] : before);
    }
    expect([...seen].toSorted()).toEqual(['', 'Bachfile', 'Bachfile AGENTS.md']);
  });

  const ENOSPC = 28;

  testUnless(whyNoFailingSync(), 'a sync or a write that fails leaves none of them', () => {
    const all = temporaryFolder();
    const counts = [1, 2, 3, 4, 5, 6];
    const failures = [...counts.map((syncAt) => ({ syncAt })), ...counts.map((writeFrom) => ({ writeFrom, errno: ENOSPC }))];
    const codes = failures.map((failure, index) => {
      const folder = join(all, String(index));
      mkdirSync(folder);
      const code = installIn(folder, library.env({ path: folder, ...failure })).stdout.trim();
      expect({ failure, found: found(folder) }).toEqual({ failure, found: code === 'done' ? [...NAMES] : [] });
      return code;
    });
    // Of each file its content and its folder are synced, and its content is written.
    expect(codes.filter((code) => code !== 'done').length).toBeGreaterThanOrEqual(6);
    expect(codes).toContain('disk-full');
  });
});
