import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bach } from '../../../src/cli/bach-program.ts';
import { runCli, type CliResult } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

function inFolder(cwd: string, argv: readonly string[], tools = ''): Promise<CliResult> {
  const path = process.env['PATH'] ?? '';
  return runCli(bach, argv, { cwd, env: { PATH: tools === '' ? path : `${tools}${delimiter}${path}` } });
}

function emptyFolder(name: string): string {
  const folder = join(temporaryFolder(), name);
  mkdirSync(folder);
  return folder;
}

/** A folder of programs with an `opencode` that does this. */
function opencode(script: string): string {
  const tools = temporaryFolder();
  writeFileSync(join(tools, 'opencode'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, 'opencode'), 0o755);
  return tools;
}

describe('reference', () => {
  const reference = (...words: readonly string[]) => inFolder(temporaryFolder(), ['reference', ...words]);

  test('[bach-reference-topics] alone', async () => {
    const { exit, stdout, stderr } = await reference();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toMatch(/^Reference topics:\n[^]*\nplugins\.md\n {2}plugins [^]*\n\nEmbedded assets:\n[^]*quality-plugin-report-schema/);
    expect(stdout).toMatch(/\ntargets\.md\n(?: {2}.*\n)* {2}shell-targets +Shell Targets\n/);
  });

  test.each([
    [['shell-targets'], '## Shell Targets\n'],
    [['Shell', 'Targets'], '## Shell Targets\n'],
    [['project'], '# Project\n'],
    [['plugins'], '# Plugins\n'],
    [['completion-contracts'], '## Completion Contracts\n'],
  ])('[bach-reference-heading, bach-reference-no-bachfile] %j', async (words, start) => {
    const { exit, stdout } = await reference(...words);
    expect({ exit, starts: stdout.startsWith(start) }).toEqual({ exit: 0, starts: true });
  });

  test('[bach-reference-slug-prefix] the beginning of a slug', async () => {
    expect((await reference('shell-tar')).stdout).toMatch(/^## Shell Targets\n/);
    expect((await reference('shellt')).exit).toBe(1);
  });

  test('[bach-reference-mentions] words of the text', async () => {
    const { exit, stdout } = await reference('output_CONTAINS');
    expect({ exit, starts: stdout.startsWith('## Completion Contracts\n') }).toEqual({ exit: 0, starts: true });
  });

  test.each(['quality-plugin-report-schema', 'quality-plugin-report.schema.json', 'Quality plugin report', 'plugin-report'])(
    '[bach-reference-asset] %s',
    async (query) => {
      const { exit, stdout } = await reference(query);
      expect(exit).toBe(0);
      const [, body = ''] = /^# Quality plugin report\n\n```json\n([^]*)\n```\n$/.exec(stdout) ?? [];
      expect(JSON.parse(body)).toHaveProperty('properties.findings.items.properties.duration_ms');
    },
  );

  test('[bach-reference-none] nothing', async () => {
    const { exit, stdout, stderr } = await reference('no', 'such', 'topic');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr.split('\n')[0]).toBe('no reference entries matched "no such topic"');
  });
});

describe('init', () => {
  test('[bach-init-plain, bach-init-no-bachfile] a repository without a Bachfile', async () => {
    const folder = emptyFolder('my app!');
    const { exit, stdout, stderr } = await inFolder(folder, ['init']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toBe(`created ${folder}/Bachfile\ncreated ${folder}/AGENTS.md\n`);
    expect(readFileSync(join(folder, 'Bachfile'), 'utf8')).toBe('project "my-app" {\n  root = "."\n}\n');
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toContain('bach run --dry-run');
    expect((await inFolder(folder, ['validate'])).exit).toBe(0);
  });

  test('[bach-init-file] another place', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'build'));
    expect((await inFolder(folder, ['-f', 'build/tasks.bach', 'init'])).exit).toBe(0);
    expect(readdirSync(join(folder, 'build')).toSorted()).toEqual(['AGENTS.md', 'tasks.bach']);
    expect(readdirSync(folder)).toEqual(['build']);
  });

  test('[bach-init-dry-run] tells and writes nothing', async () => {
    const folder = temporaryFolder();
    for (const flag of ['-d', '--dry-run']) {
      expect((await inFolder(folder, ['init', flag])).stdout).toBe(`would create ${folder}/Bachfile\nwould create ${folder}/AGENTS.md\n`);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['Bachfile', 'AGENTS.md'])('[bach-init-refuses] %s is there', async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), 'mine');
    for (const words of [[], ['-d'], ['-p', 'opencode', '-d'], ['-p', 'opencode']]) {
      const { exit, stdout, stderr } = await inFolder(folder, ['init', ...words], opencode('touch started'));
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
      expect(stderr.split('\n')[0]).toBe(`refusing to overwrite existing file ${folder}/${name}`);
    }
    expect(readdirSync(folder)).toEqual([name]);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
  });

  test('[bach-init-positional] a word', async () => {
    const folder = temporaryFolder();
    const { exit, stderr } = await inFolder(folder, ['init', 'shop']);
    expect({ exit, told: stderr.split('\n')[0] }).toEqual({ exit: 2, told: 'init does not accept positional arguments' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['-p', '--provider'])('[bach-init-unknown-provider] %s foo', async (flag) => {
    const { stdout, stderr } = await inFolder(temporaryFolder(), ['init', flag, 'foo']);
    expect({ stdout, told: stderr.split('\n')[0] }).toEqual({ stdout: '', told: 'unsupported: init provider "foo"' });
  });
});

describe('init with a provider', () => {
  const outputs = '.bach/init/outputs/Bachfile, .bach/init/outputs/AGENTS.md';

  test('[bach-init-provider] installs what was staged', async () => {
    const folder = temporaryFolder();
    const tools = opencode(`[ $# -eq 2 ] && [ "$1" = run ] || exit 9
printf '%s' "$2" > given
printf 'project "staged" {}\\n' > .bach/init/outputs/Bachfile
echo staged > .bach/init/outputs/AGENTS.md`);
    const { exit, stdout } = await inFolder(folder, ['init', '--provider', 'opencode'], tools);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `created ${folder}/Bachfile\ncreated ${folder}/AGENTS.md\n` });
    expect(readFileSync(join(folder, 'Bachfile'), 'utf8')).toBe('project "staged" {}\n');
    expect(readFileSync(join(folder, 'given'), 'utf8')).toBe(readFileSync(join(folder, '.bach/init/opencode-prompt.md'), 'utf8'));
  });

  test('[bach-init-provider-missing] nothing was staged', async () => {
    const folder = temporaryFolder();
    const { exit, stderr } = await inFolder(folder, ['init', '-p', 'opencode'], opencode('exit 0'));
    expect(exit).toBe(1);
    expect(stderr.split('\n')[0]).toBe(`missing input: init provider completed but staged files are missing: ${outputs}`);
    expect(readdirSync(folder)).toEqual(['.bach']);
  });

  test('[bach-init-provider-dry-run] tells the command', async () => {
    const folder = temporaryFolder();
    const { exit, stdout } = await inFolder(folder, ['init', '-p', 'opencode', '-d'], opencode('touch started'));
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `would run opencode run <prompt> in ${folder}\nexpected outputs: ${outputs}\n` });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a faulty Bachfile', () => {
  test('[bach-reference-no-bachfile] the reference answers beside a Bachfile that cannot be read', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'Bachfile'), 'project {');
    expect((await inFolder(folder, ['reference', 'project'])).exit).toBe(0);
  });
});
