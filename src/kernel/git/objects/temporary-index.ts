import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSystemError } from '../../errors/index.ts';

/** Lends a folder of its own for an index that is nobody's, so that the person's index is neither used nor locked. */
export async function withTemporaryIndex<Result>(work: (index: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'drover-index-')).catch((error: unknown) => {
    throw describeSystemError(error, { action: 'create a folder in', path: tmpdir() });
  });
  try {
    return await work(join(folder, 'index'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
