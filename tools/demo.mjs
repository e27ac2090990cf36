/**
 * `npm run demo`: makes the checkout ready, makes a small repository in a temporary folder, and shows the main job
 * there: targets that depend on each other, a failure that is explained, and what can be asked afterwards.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './setup/host.mjs';
import { setUp } from './setup.mjs';

const BACHFILE = `# vim: set ft=hcl :

project "demo" {
  default = group.ci
}

var "greeting" {
  default = "hello"
}

env {
  GREETING = var.greeting
}

shell "build" {
  description = "Write the greeting"
  shell       = "mkdir -p dist && echo $GREETING > dist/greeting.txt"
  outputs     = ["dist/greeting.txt"]
}

shell "lint" {
  description = "Look at the sources"
  command     = ["git", "status", "--short"]
}

shell "test" {
  description = "Compare the greeting"
  depends_on  = [shell.build]
  command     = ["grep", "--line-number", "hello", "dist/greeting.txt"]
}

group "ci" {
  description = "All that a change must pass"
  targets     = [shell.lint, shell.test]
}
`;

process.exitCode = (await setUp({ tests: false })) ? demo() : 1;

function demo() {
  const folder = mkdtempSync(join(tmpdir(), 'drover-demo-'));
  spawnSync('git', ['init', '--quiet', folder], { stdio: 'inherit' });
  writeFileSync(join(folder, 'Bachfile'), BACHFILE);
  writeFileSync(join(folder, '.gitignore'), '.bach/\ndist/\n');
  const bach = bachIn(folder);
  const steps = [
    () => bach('The file is checked without running anything.', 0, ['validate']),
    () => bach('These targets can be run.', 0, ['list']),
    () => bach('Members of the group run side by side, after what they depend on.', 0, ['run']),
    () => bach('A failure names the target and quotes the end of its log.', 1, ['--var', 'greeting=bonjour', 'run', 'shell/test']),
    () => bach('Every run is recorded.', 0, ['runs', 'list']),
  ];
  const failed = steps.some((step) => !step());
  process.stdout.write(`\nThe sample repository stays in ${folder}; try bach there with ${join(ROOT, 'bin/bach')}.\n`);
  return failed ? 1 : 0;
}

/** Shows one command with its output; true when it ended as it should. */
function bachIn(folder) {
  return (title, expected, argv) => {
    process.stdout.write(`\n${title}\n$ bach ${argv.join(' ')}\n`);
    const { status } = spawnSync(process.execPath, [join(ROOT, 'bin/bach'), ...argv], { cwd: folder, stdio: 'inherit' });
    if (status !== expected) process.stderr.write(`demo: expected exit code ${expected}, got ${status}\n`);
    return status === expected;
  };
}
