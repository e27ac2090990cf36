import { mkdirSync, readdirSync, rmSync, truncateSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { moveRef, openRepository, readRef, type Repository } from '../../src/kernel/git/index.ts';
import { faultCount } from '../support/fault-counts.ts';
import { commitInCheckout, commitOf, emptyStage, runGit, WHO } from '../support/git-repository.ts';
import { testUnless } from '../support/needs.ts';
import { smallDisk, whyNoSmallDisk } from '../support/small-disk.ts';

const ROUNDS = faultCount({ ci: 20, full: 100 });
const PAGE = 4096;
const MAIN = 'refs/heads/main';

/** Objects, an index and a ref, one after the other; how far it came. */
async function change(repository: Repository, from: string, text: string): Promise<{ readonly to: string | undefined; readonly code: unknown }> {
  try {
    const to = await commitOf(repository, { a: text, 'deep/er/b': text }, [from]);
    await moveRef(repository, { ref: MAIN, from, to, who: WHO, reason: 'test' });
    return { to, code: undefined };
  } catch (error) {
    return { to: undefined, code: (error as { readonly code?: unknown }).code };
  }
}

describe('F4 in a repository', () => {
  // Over 5 s: each round is about ten calls of git.
  testUnless(whyNoSmallDisk(), `no ref leads to a missing object on a disk with room for 0 to ${ROUNDS - 1} pages more`, async () => {
    const { repository: elsewhere } = await emptyStage();
    const disk = smallDisk(8);
    const folder = join(disk.folder, 'project');
    mkdirSync(folder);
    runGit(folder, ['init', '-q']);
    let tip = commitInCheckout(folder, { a: '0' });
    const repository = await openRepository(elsewhere.git, folder);
    const codes = new Set<unknown>();
    for (let k = 0; k < ROUNDS; k += 1) {
      disk.fill();
      const filler = join(disk.folder, 'filler');
      truncateSync(filler, statSync(filler).size - k * PAGE);
      const { to, code } = await change(repository, tip, `${k}`);
      codes.add(code);
      const holds = (await readRef(repository, MAIN))?.id;
      expect([k, holds]).toEqual([k, to ?? tip]);
      disk.free();
      expect([k, runGit(folder, ['fsck', '--connectivity-only', '--no-dangling'])]).toEqual([k, '']);
      const again = await change(repository, holds ?? '', `again ${k}`);
      expect([k, again.code]).toEqual([k, undefined]);
      tip = again.to ?? '';
      expect([k, readdirSync(join(folder, '.git')).filter((name) => name.endsWith('.lock'))]).toEqual([k, []]);
    }
    expect([...codes].filter((code) => code !== undefined)).toEqual(['disk-full']);
    rmSync(folder, { recursive: true });
  });
});
