import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temp.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What a reader is shown, in this order. */
const SHOWN = [
  /^\$ bach validate\nBachfile valid: 4 targets, /m,
  /^\$ bach list\ngroup\/ci +All that a change must pass\nshell\/build +Write the greeting\n/m,
  /^\$ bach run\n/m,
  /^run \S+ success target=group\/ci .*\ntargets: success=4 /m,
  /^\$ bach --var greeting=bonjour run shell\/test\n/m,
  /^targets: success=1 cached=0 failed=1 .*\nfailure excerpt \(shell\/test\):\n/m,
  /^\$ bach runs list\n\S+ +failed .*\n\S+ +success /m,
  /^The sample repository stays in /m,
];

// Slower than 5 s on a busy machine: eight programs, one after another.
test('the demo shows what it says, and leaves its sample repository only', () => {
  const folder = temporaryFolder();
  const env = { ...process.env, TMPDIR: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/demo.mjs')], { env, cwd: '/', encoding: 'utf8' });
  expect({ status, complaints: stderr.split('\n').filter((line) => line.startsWith('demo:')) }).toEqual({ status: 0, complaints: [] });
  const shown = SHOWN.map((pattern) => stdout.search(pattern));
  const missing = SHOWN.filter((_, index) => shown[index] === -1);
  expect({ missing, stdout }).toEqual({ missing: [], stdout });
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));

  const [sample = '', ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  expect(stdout).toContain(`The sample repository stays in ${join(folder, sample)};`);
  expect(existsSync(join(folder, sample, 'Bachfile'))).toBe(true);
});
