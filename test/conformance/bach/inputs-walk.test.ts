import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';
import { printedBy } from './support.ts';

/** Shows through `bach list` what `file_hash` of these paths is. */
function hashing(paths: readonly string[], files: Readonly<Record<string, string>> = {}, project = 'project "test" {}\n'): BachProject {
  const made = bachProject(`${project}shell "x" { description = file_hash(${paths.map((path) => JSON.stringify(path)).join(', ')}) }\n`);
  writeFiles(made.folder, files);
  return made;
}

async function hashShown(project: BachProject): Promise<string> {
  const { targets } = JSON.parse(await printedBy(project, 'list', '--json')) as { targets: readonly { description: string }[] };
  return targets[0]?.description ?? '';
}

/** The value for these files, as the reference defines it. */
function hashOf(files: Readonly<Record<string, string>>): string {
  const digest = createHash('sha256');
  for (const path of Object.keys(files).toSorted()) digest.update(`${path}\0${files[path]}\0`);
  return digest.digest('hex').slice(0, 12);
}

const TREE = { 'a.txt': 'a', 'src/b.ts': 'b', 'src/deep/c.ts': 'c', 'src/deep/d.md': 'd', 'other/e.ts': 'e' };

/** Those of these paths, in whatever order. */
const only = (...paths: readonly (keyof typeof TREE)[]) => Object.fromEntries(paths.map((path) => [path, TREE[path]]));

describe('the files of an input', () => {
  test.each([
    ['a file', ['a.txt'], only('a.txt')],
    ['a folder with all beneath', ['src'], only('src/b.ts', 'src/deep/c.ts', 'src/deep/d.md')],
    ['what is missing adds nothing', ['gone', 'a.txt', 'gone/*.ts'], only('a.txt')],
    ['each once, sorted', ['src/b.ts', 'src', 'a.txt', './src/deep/../b.ts'], only('a.txt', 'src/b.ts', 'src/deep/c.ts', 'src/deep/d.md')],
    ['nothing at all', ['gone'], {}],
  ])('[bach-input-walk, bach-file-hash-value] %s', async (_, paths, files) => {
    expect(await hashShown(hashing(paths, TREE))).toBe(hashOf(files));
  });

  test.each([
    ['src/*.ts', only('src/b.ts')],
    ['*/*.ts', only('src/b.ts', 'other/e.ts')],
    ['**/*.ts', only('src/b.ts', 'src/deep/c.ts', 'other/e.ts')],
    ['src/**', only('src/b.ts', 'src/deep/c.ts', 'src/deep/d.md')],
    ['src/deep/[c-c].??', only('src/deep/c.ts')],
    ['src/deep/[^c].*', only('src/deep/d.md')],
    ['src/de*', only('src/deep/c.ts', 'src/deep/d.md')],
  ])('[bach-input-glob] %s', async (pattern, files) => {
    expect(await hashShown(hashing([pattern], TREE))).toBe(hashOf(files));
  });

  test('[bach-input-glob] a malformed one is refused', async () => {
    const project = bachProject('shell "x" {\n  shell = "touch ran"\n  inputs = ["src/[a"]\n}\n');
    const { exit, stdout } = await project.bach(['validate']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringContaining('target "shell/x" inputs: "src/[a" is a malformed pattern') as string });
    expect((await project.bach(['run', 'shell/x'])).stderr).toContain('src/[a');
    expect(existsSync(project.at('ran'))).toBe(false);
  });
});

describe('what a walk does not enter', () => {
  const STATE = ['.git/x', '.jj/x', '.bach/x', '.bmad-loop/x', '.bacchus/x', 'sub/.git/x', '.ratchet/batches/one/run/x', '.ratchet/changes/two/.run/x'];
  const KEPT = { 'kept/a': 'a', '.ratchet/config': 'c', '.ratchet/batches/one/plan': 'p', '.gitignore': 'i' };

  test.each([['.'], ['**']])('[bach-input-walk-state] by %s: the state of programs', async (pattern) => {
    const project = hashing([pattern], KEPT);
    const before = await hashShown(project);
    for (const path of STATE) project.write(path, 'state');
    expect(await hashShown(project)).toBe(before);
    project.write('.ratchet/other', '');
    expect(await hashShown(project)).not.toBe(before);
  });

  test('[bach-input-walk-state] nor by another name', async () => {
    const project = hashing(['.'], KEPT);
    mkdirSync(project.at('.bach'));
    symlinkSync('.bach', project.at('alias'));
    const before = await hashShown(project);
    project.write('.bach/x', 'state');
    expect(await hashShown(project)).toBe(before);
  });

  test('[bach-input-walk-stays-inside] what leaves by its text is refused, a link that leads out is not followed', async () => {
    for (const path of ['../outside', 'src/../../outside', '/etc']) {
      const project = bachProject(`shell "x" {\n  shell = "touch ran"\n  inputs = ["${path}"]\n}\n`);
      const { exit, stdout } = await project.bach(['validate']);
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringContaining(path) as string });
      expect((await project.bach(['run', 'shell/x'])).stderr).toContain(path);
      expect(existsSync(project.at('ran'))).toBe(false);
    }
    const [outside, project] = [temporaryFolder(), hashing(['.'], { 'in/a': 'a' })];
    writeFiles(outside, { 'far/b': 'b' });
    symlinkSync(`${outside}/far`, project.at('in/out'));
    const before = await hashShown(project);
    writeFiles(outside, { 'far/b': 'another', 'far/c': 'c' });
    expect(await hashShown(project)).toBe(before);
  });
});

describe('links within the project', () => {
  test('[bach-input-links] a link to a file is read', async () => {
    const project = hashing(['in'], { 'real/a': 'a' });
    mkdirSync(project.at('in'));
    symlinkSync('../real/a', project.at('in/link'));
    const before = await hashShown(project);
    expect(before).toBe(hashOf({ 'in/link': 'a' }));
    project.write('real/a', 'changed');
    expect(await hashShown(project)).toBe(hashOf({ 'in/link': 'changed' }));
  });

  test('[bach-input-links] a link to a folder where it is named, and not where a walk meets it', async () => {
    const project = hashing(['link'], { 'real/a': 'a' });
    symlinkSync('real', project.at('link'));
    expect(await hashShown(project)).toBe(hashOf({ 'link/a': 'a' }));
    const walking = hashing(['in'], { 'real/a': 'a', 'in/b': 'b' });
    symlinkSync('../real', walking.at('in/link'));
    symlinkSync('.', walking.at('in/loop'));
    const before = await hashShown(walking);
    walking.write('real/a', 'changed');
    expect(await hashShown(walking)).toBe(before);
  });
});

describe('prompts', () => {
  const prompt = (path: string): BachProject => {
    const project = bachProject(`prompt "p" { path = "${path}" }\n`);
    writeFiles(project.folder, { 'prompts/a.md': 'a' });
    symlinkSync('a.md', project.at('prompts/link.md'));
    symlinkSync('/etc/hostname', project.at('prompts/out.md'));
    symlinkSync('..', project.at('prompts/up'));
    return project;
  };

  test.each(['prompts/a.md', 'prompts/link.md', 'prompts/up/prompts/a.md'])('[bach-prompt-file-on-disk] %s serves', async (path) => {
    await printedBy(prompt(path), 'validate');
  });

  test.each([
    ['prompts', 'must be a regular file'],
    ['prompts/gone.md', 'must be a regular file'],
    ['prompts/out.md', 'must stay within project root'],
  ])('[bach-prompt-file-on-disk] %s: %s', async (path, told) => {
    const { exit, stdout } = await prompt(path).bach(['validate']);
    expect(exit).toBe(1);
    expect(stdout).toContain(`prompt "p" path "${path}" ${told}\n`);
  });
});
