import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineError } from '../../src/kernel/errors/index.ts';
import type { Seeder } from '../../src/workspace/backends/backend-setting.ts';

const seedMissing = defineError<{ pattern: string }>({
  code: 'seed-missing',
  message: ({ pattern }) => `the checkout has no ${pattern}`,
  remedy: 'make that file',
});

/** Copies files of these very names where the workspace has none. */
export const copyingSeeder: Seeder = {
  async seed({ from, to, seeds }) {
    const copied: string[] = [];
    const present: string[] = [];
    const dropped: string[] = [];
    for (const { pattern, need } of seeds) {
      const isThere = from !== undefined && existsSync(join(from, pattern));
      if (!isThere && need === 'required') throw seedMissing({ pattern });
      if (!isThere) dropped.push(pattern);
      else if (existsSync(join(to, pattern))) present.push(pattern);
      else {
        mkdirSync(dirname(join(to, pattern)), { recursive: true });
        copyFileSync(join(from, pattern), join(to, pattern));
        copied.push(pattern);
      }
    }
    return { copied, present, dropped };
  },
};
