import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers } from '../../../src/kernel/files/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { replaceFromMany } from '../../support/replacing-writers.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const program = bundledProgram(join(import.meta.dirname, 'programs/replace-state.ts'));

// FC-17 in small; the whole count is in test/faults.
test('processes that replace one file and are killed meanwhile never leave a part of it', async () => {
  const path = folder.at('state.json');
  writeFileSync(path, JSON.stringify({ writer: 0, count: 0, text: 'x'.repeat(3000) }));
  const numbers = [0.31, 0.77, 0.05, 0.52];
  const random = (): number => numbers.pop() ?? 0.5;
  const found = await replaceFromMany({ program: program.file, path, writers: 3, times: 60, kills: 4, random });
  expect(found).toMatchObject({ torn: [], backwards: [] });
  expect(found.kills).toBe(4);
  expect([...found.acknowledged.values()]).toEqual([60, 60, 60]);
  expect(found.last.count).toBe(60);
  const left = readdirSync(folder.path).length - 1;
  expect(left).toBeLessThanOrEqual(found.kills);
  expect(await removeLeftovers(folder.path, { before: 2n ** 63n })).toBe(left);
  expect(readdirSync(folder.path)).toEqual(['state.json']);
});
