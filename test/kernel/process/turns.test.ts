import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();

/** After so many, ends come in as fast as programs are started. */
const BEFORE = 400;
const MOST = 1000;
const LANES = 4;

// It starts some hundred programs.
test('a timer fires although programs end as fast as others are started', { timeout: 60_000 }, async () => {
  let started = 0;
  let isOver = false;
  const lane = async (): Promise<void> => {
    while (started < MOST && !isOver) {
      started += 1;
      if (started === BEFORE) setTimeout(() => void (isOver = true), 20);
      await bench().run(['true'], { log: { path: join(bench().folder, `${started}.log`) } }).exit;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(isOver).toBe(true);
  expect(started).toBeLessThan(MOST);
});
