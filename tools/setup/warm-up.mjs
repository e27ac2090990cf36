import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BACHFILE = `project "warm-up" {}
shell "copy" {
  inputs  = ["in.txt"]
  outputs = ["out.txt"]
  command = ["cp", "in.txt", "out.txt"]
}
`;
/** So many until a run is only done over. */
const SETTLING = 4;
/**
 * A run that is done over first, then one that finds the same out: what each uses is kept for it, before one that does
 * more has its turn.
 */
const CALLS = [
  ['bach', 'run', 'shell/copy'],
  ['bach', 'run', '-j', '1', 'shell/copy'],
  ['bach', 'list'],
  ['bach', 'run', '--force', 'shell/copy'],
  ['bach', 'validate'],
  ['drover', '--help'],
];

/**
 * Starts the programs, so that V8 keeps what it makes of them and the first start of a user is as fast as the second.
 * A start that fails is told and leaves that undone: the programs work without it.
 */
export function warmUp(root) {
  const folder = mkdtempSync(join(tmpdir(), 'drover-warm-up-'));
  const start = ([name, ...argv]) => {
    const { status } = spawnSync(process.execPath, ['--', join(root, 'bin', name), ...argv], { cwd: folder, stdio: 'ignore' });
    if (status !== 0) process.stderr.write(`warm-up: ${name} ${argv.join(' ')} ended with ${status}\n`);
  };
  try {
    writeFileSync(join(folder, 'Bachfile'), BACHFILE);
    writeFileSync(join(folder, 'in.txt'), '');
    for (let round = 0; round < SETTLING; round++) start(CALLS[0]);
    rmSync(join(root, 'dist', 'code'), { recursive: true, force: true });
    for (const call of CALLS) start(call);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
