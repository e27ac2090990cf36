import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolderExclusive, durablePoint, syncPath } from '../../files/index.ts';
import { callGit } from '../call.ts';
import type { Identity, ObjectId, Repository } from '../contract.ts';
import { keepRef } from '../refs/keep-ref.ts';
import { requireId } from '../object-id.ts';
import { withScratch } from '../scratch.ts';

const LIMIT_MS = 10 * 60_000;

/**
 * Brings a commit of a clone, with all that is new since `base`, into the source, and keeps it there under a ref, whose
 * name it gives. Each object is read and named anew on the way, so that nothing broken or false comes in. The clone's
 * configuration must have been compared before. Throws `git-failed` for objects that are broken or missing.
 */
export async function takeCommits(
  source: Repository,
  clone: Repository,
  { tip, base, name, who }: { tip: ObjectId; base: ObjectId; name: string; who: Identity },
): Promise<string> {
  await withScratch(source, async (folder) => {
    const input = `${requireId(tip)}\n^${requireId(base)}\n`;
    const packed = await callGit(clone, {
      what: 'pack commits',
      args: ['pack-objects', '--quiet', '--revs', join(folder, 'pack')],
      input,
      limitMs: LIMIT_MS,
    });
    const file = join(folder, `pack-${packed.stdout.toString('latin1').trim()}`);
    const args = ['index-pack', '--strict', '--fsck-objects', `${file}.pack`];
    await callGit(source, { what: 'check commits', args, limitMs: LIMIT_MS });
    await putInPlace(source, folder, file);
  });
  return keepRef(source, { id: tip, name, who, reason: 'drover: commits of a clone' });
}

/** The index last: git looks for a pack by it. */
async function putInPlace({ commonDir }: Repository, folder: string, file: string): Promise<void> {
  const packs = join(commonDir, 'objects/pack');
  createFolderExclusive(packs, { mode: 0o777 });
  for (const ending of ['.pack', '.idx']) {
    await syncPath(`${file}${ending}`);
    durablePoint(`pack-rename${ending}:before`);
    await rename(`${file}${ending}`, join(packs, `${file.slice(folder.length + 1)}${ending}`));
    durablePoint(`pack-rename${ending}:after`);
  }
  await syncPath(packs);
  durablePoint('pack-folder:after');
}
