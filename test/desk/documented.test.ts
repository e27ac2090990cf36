import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALL_DROVER_KEYS } from '../../src/desk/settings/index.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/drover.md'), 'utf8');

test('every key stands in the documentation, with what a project may do to it', () => {
  const rows = PAGE.split('\n').filter((line) => /^\| `\w+\.[\w.]+` \|/.test(line));
  const told = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  expect(told.map(([, name]) => name)).toEqual(ALL_DROVER_KEYS.map(({ name }) => `\`${name}\``));
  expect(told.map((cells) => cells[4] === 'refused')).toEqual(ALL_DROVER_KEYS.map(({ narrow }) => narrow === undefined));
});
