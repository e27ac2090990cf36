import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temp.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROWS = 'src/engine/toy/step-rows.ts';

function tool(root: string, ...flags: readonly string[]) {
  const argv = [join(ROOT, 'tools/step-table.mjs'), '--root', root, ...flags];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  return { status, stderr };
}

function copied(): string {
  const root = temporaryFolder();
  for (const path of ['ARCHITECTURE.md', 'src/engine', 'src/kernel']) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

function edit(root: string, path: string, change: (text: string) => string): void {
  writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8')));
}

// Each bundles the engine a few times.
describe('tools/step-table.mjs', { timeout: 120_000 }, () => {
  test('ARCHITECTURE.md of this repository is up to date', () => {
    expect(tool(ROOT)).toEqual({ status: 0, stderr: 'step table: up to date\n' });
  });

  test('a document that is behind fails, and can be written', () => {
    const root = copied();
    edit(root, ROWS, (text) => text.replace('a claim without a receipt', 'a lonely claim'));
    expect(tool(root)).toMatchObject({ status: 1, stderr: expect.stringContaining('ARCHITECTURE.md is behind') });
    expect(tool(root, '--write').status).toBe(0);
    expect(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')).toContain('| toy: claim | `claims/<unit>` | a lonely claim |');
    expect(tool(root)).toMatchObject({ status: 0 });
  });

  test.each([
    ['a kind without a row', ROWS, (text: string) => text.replace(/ {2}claim: .*\n/, ''), 'toy: the step kind "claim" has no row'],
    ['a kind without reconcile', 'src/engine/toy/handlers.ts', (text: string) => text.replace(/, reconcile: lookAtBranch/, ''), '"move" has no reconcile'],
    ['no place for the table', 'ARCHITECTURE.md', (text: string) => text.replace('the step table begins', 'gone'), 'has no place for the table'],
  ])('%s fails', (_name, path, change, message) => {
    const root = copied();
    edit(root, path, change);
    expect(tool(root)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
  });
});
