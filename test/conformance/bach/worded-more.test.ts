import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bach } from '../../../src/cli/bach-program.ts';
import { bachProject } from '../../support/bach-project.ts';
import { runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { printedBy, refusalOf, shell } from './support.ts';

describe('init', () => {
  test('[bach-init-agents] what the people and agents of a project are told', async () => {
    const folder = temporaryFolder();
    expect((await runCli(bach, ['init'], { cwd: folder })).exit).toBe(0);
    const text = readFileSync(join(folder, 'AGENTS.md'), 'utf8');
    for (const word of ['bach list', 'bach explain', 'bach run --dry-run', 'bach logs']) expect(text).toContain(word);
  });

  test('[bach-init-installed] a file that came while the provider worked stays, and nothing is beside it', async () => {
    const [folder, tools] = [temporaryFolder(), temporaryFolder()];
    const script = 'echo mine > AGENTS.md; echo \'project "staged" {}\' > .bach/init/outputs/Bachfile; echo staged > .bach/init/outputs/AGENTS.md';
    writeFileSync(join(tools, 'opencode'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, 'opencode'), 0o755);
    const env = { PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}` };
    const { exit, stderr } = await runCli(bach, ['init', '-p', 'opencode'], { cwd: folder, env });
    expect(exit).toBe(1);
    expect(stderr).toContain(`refusing to overwrite existing file ${folder}/AGENTS.md`);
    expect(readdirSync(folder).toSorted()).toEqual(['.bach', 'AGENTS.md']);
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toBe('mine\n');
  });

  test('[bach-init-partial] the first file goes when the second one cannot be made', async () => {
    const folder = temporaryFolder();
    // Both would be the same file, which is there when the second one is to be made.
    const { exit, stdout, stderr } = await runCli(bach, ['-f', 'AGENTS.md', 'init'], { cwd: folder });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(`refusing to overwrite existing file ${folder}/AGENTS.md`);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('[bach-completion] %s: every verb, and flags of them', async (name) => {
    const { exit, stdout } = await runCli(bach, ['completion', name], { cwd: temporaryFolder() });
    expect(exit).toBe(0);
    const words = ['run', 'list', 'explain', 'graph', 'affected', 'provenance', 'artifacts', 'validate', 'reference', 'logs', 'inspect', 'prune', 'init', 'runs-limit', 'dry-run', 'env-file', 'log-only'];
    for (const word of words) expect(stdout).toMatch(new RegExp(`\\b${word}\\b`));
  });

  test('[bach-completion] another shell is wrong usage', async () => {
    expect(await refusalOf(bachProject(''), 2, 'completion', 'tcsh')).toContain('bash, zsh, fish');
  });
});

test('[bach-run-printed] each line of the reference runs as printed', async () => {
  const project = bachProject(`var "release_version" {}
profile "staging" {
  env {
    NAMESPACE = "staging"
    HOST      = "staging.test"
  }
}
profile "staging-kristiyan" {
  env {
    NAMESPACE = "kristiyan"
  }
}
${shell('render', 'echo $NAMESPACE at $HOST')}${shell('test', 'echo tested')}${shell('github-release', 'echo v $BACH_GIT_COMMIT.')}pipeline "deploy-staging" { steps = [shell.test, shell.render] }
`);
  mkdirSync(project.at('bare'));
  const lines: readonly (readonly [line: string, prints: RegExp, cwd?: string])[] = [
    ['bach --profile staging --profile staging-kristiyan run shell/render', / \[shell\/render\] kristiyan at staging\.test\n/],
    ['bach run --dry-run shell/test', / \[shell\/test\] sh -c echo tested\nrun - success target=shell\/test /],
    ['bach run --dry-run pipeline/deploy-staging', /^\[pipeline\/deploy-staging\] pipeline: shell\/test -> shell\/render\n/],
    ['bach --var release_version=v0.1.0 run shell/github-release', / \[shell\/github-release\] v \.\n/],
    ['bach reference', /^Reference topics:\n/],
    ['bach reference project', /^# Project\n/],
    ['bach reference plugins', /^# Plugins\n/],
    ['bach reference completion-contracts', /^## Completion Contracts\n/],
    ['bach init --dry-run', /^would create .*\/bare\/Bachfile\n/, project.at('bare')],
    ['bach init --dry-run --provider opencode', /^would run opencode run <prompt> in /, project.at('bare')],
    ['bach init', /^created .*\/bare\/Bachfile\n/, project.at('bare')],
  ];
  for (const [line, prints, cwd = project.folder] of lines) {
    const { exit, stdout, stderr } = await project.bach(line.split(' ').slice(1), { cwd });
    expect({ line, exit, stderr }).toEqual({ line, exit: 0, stderr: '' });
    expect(stdout).toMatch(prints);
  }
  expect(await printedBy(project, 'runs', 'list', '--target', 'shell/test')).toBe('');
});
