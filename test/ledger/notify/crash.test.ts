import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../src/kernel/journal/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { temporaryFolder } from '../../support/temp.ts';

const program = bundledProgram(join(import.meta.dirname, 'programs/die-while-sending.ts'));

function run(folder: string, when: 'before' | 'after' | 'never') {
  const { signal, stdout, stderr } = spawnSync(process.execPath, [program.file, folder, when], { encoding: 'utf8' });
  return { signal, stdout, stderr };
}

describe('a process that ends while it delivers', () => {
  test.each(['before', 'after'] as const)('%s the notice arrived leaves a delivery that the next one repeats', async (when) => {
    const folder = temporaryFolder();
    expect(run(folder, when).signal).toBe('SIGKILL');
    expect(run(folder, 'never')).toEqual({ signal: null, stdout: '[["delivered",2]]', stderr: '' });
    expect(run(folder, 'never').stdout).toBe('[["delivered",2]]');
    const { records } = await readJournal(join(folder, 'notices.jsonl'), { purpose: 'decide' });
    expect(records.map(({ record }) => record['id'])).toEqual(['n1']);
  });
});
