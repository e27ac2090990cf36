import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';

/** Processes that were started with this word. */
function runningWith(word: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(word));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It ended while it was looked at.
    return '';
  }
}

test.runIf(process.platform === 'linux')('S-06 a target that is out of time leaves no grandchild, and nobody waits for what holds its output', async () => {
  const word = `6${process.pid}.25`;
  const project = bachProject('shell "x" {\n  command = ["sh", "x.sh"]\n  timeout = "500ms"\n}\n');
  project.write('x.sh', `sleep ${word} & wait\n`);
  const { exit, stderr } = await project.bach(['run', 'shell/x']);
  expect(exit).toBe(1);
  expect(stderr).toContain('target "shell/x" timed out after 500ms');
  expect(runningWith(word)).toEqual([]);
});

test('S-07 an output that was truncated is made again, and that is why', async () => {
  const project = bachProject('shell "build" {\n  outputs = ["dist/app"]\n  shell = "mkdir -p dist; echo program > dist/app"\n}\n');
  expect((await project.bach(['run', 'shell/build'])).exit).toBe(0);
  expect((await project.bach(['run', 'shell/build'])).stdout).toContain('[shell/build] (cached)');
  truncateSync(project.at('dist/app'), 0);
  expect((await project.bach(['run', 'shell/build'])).stdout).toContain('[shell/build] (stale: output changed)');
  expect(project.read('dist/app')).toBe('program\n');
});
