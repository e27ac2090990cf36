import { renameSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { personEnvironment, runGit } from '../../support/git-repository.ts';

const FILE = `
input "file" "api" { srcs = ["packages/api/src", "packages/shared"] }
shell "test-api" { inputs = [input.file.api, "a.txt", "b.txt"] }
shell "build" { inputs = ["src/app.txt"] }
shell "all" { inputs = ["."] }
`;

/** Everything committed, in a repository of its own. */
function committed(text = FILE): BachProject {
  const project = bachProject(text);
  project.write('src/app.txt', 'a long enough text to be found again\n');
  project.write('packages/api/src/foo.ts', 'foo\n');
  project.write('a.txt', 'a\n');
  runGit(project.folder, ['init']);
  runGit(project.folder, ['add', '.']);
  runGit(project.folder, ['commit', '-m', 'all']);
  return project;
}

const affected = (project: BachProject, ...words: readonly string[]) =>
  project.bach(['affected', ...words], { env: personEnvironment(project.folder) });

describe('bach affected with paths', () => {
  test.each([
    [['src/app.txt'], ['shell/all 1 .', 'shell/build 1 src/app.txt']],
    [['packages/api/src/foo.ts'], ['shell/all 1 .', 'shell/test-api 1 packages/api/src']],
    [['b.txt', './a.txt', 'packages/shared/x', 'packages/api/src/y'], ['shell/all 1 .', 'shell/test-api 4 a.txt, b.txt, packages/api/src']],
    [['../elsewhere'], []],
  ])('%j', async (paths, expected) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['affected', ...paths]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toBe(expected.map((line) => `${line}\n`).join(''));
  });

  test('the document has every match', async () => {
    const { stdout } = await bachProject(FILE).bach(['affected', '--json', './b.txt', 'a.txt', 'packages/shared/x', 'packages/api/src/y']);
    expect(JSON.parse(stdout)).toEqual({
      paths: ['b.txt', 'a.txt', 'packages/shared/x', 'packages/api/src/y'],
      targets: [
        { target: 'shell/all', count: 1, inputs: ['.'] },
        { target: 'shell/test-api', count: 4, inputs: ['a.txt', 'b.txt', 'packages/api/src', 'packages/shared'] },
      ],
    });
  });

  test('an absolute path in the root, and one that does not exist', async () => {
    const project = bachProject(FILE);
    expect((await project.bach(['affected', project.at('src', 'app.txt')])).stdout).toContain('shell/build 1 src/app.txt\n');
  });

  test('what a plugin emits counts', async () => {
    const project = bachProject('plugin "g" { command = ["cat", "g.json"] }\nshell "x" { inputs = ["own"] }\n');
    project.write('g.json', JSON.stringify({ targets: { 'shell.x': { depends_on: [], inputs: ['lib/used.ts'] } } }));
    expect(await project.bach(['affected', 'lib/used.ts'])).toEqual({ exit: 0, stdout: 'shell/x 1 lib/used.ts\n', stderr: '' });
  });
});

describe('bach affected without paths', () => {
  test('nothing changed: no output', async () => {
    expect(await affected(committed())).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  test('staged, unstaged and untracked files', async () => {
    const project = committed(FILE.replace('shell "all" { inputs = ["."] }', ''));
    project.write('src/app.txt', 'changed\n');
    runGit(project.folder, ['add', 'src/app.txt']);
    expect((await affected(project)).stdout).toBe('shell/build 1 src/app.txt\n');
    project.write('a.txt', 'changed\n');
    project.write('packages/shared/new name.ts', 'new\n');
    expect((await affected(project)).stdout).toBe('shell/build 1 src/app.txt\nshell/test-api 2 a.txt, packages/shared\n');
  });

  test('a renamed file counts under both names, a removed one under its own', async () => {
    const project = committed();
    renameSync(project.at('src/app.txt'), project.at('moved.txt'));
    renameSync(project.at('a.txt'), project.at('.git/gone'));
    runGit(project.folder, ['add', '-A']);
    const { stdout } = await affected(project, '--json');
    const { paths, targets } = JSON.parse(stdout) as { paths: unknown; targets: readonly { target: string }[] };
    expect(paths).toEqual(['a.txt', 'moved.txt', 'src/app.txt']);
    expect(targets.map(({ target }) => target)).toEqual(['shell/all', 'shell/build', 'shell/test-api']);
  });

  test('a project below the top of its repository sees its own files by its own paths', async () => {
    const project = committed();
    project.write('sub/Bachfile', 'project "sub" {}\nshell "own" { inputs = ["src"] }\nshell "all" { inputs = ["."] }\n');
    runGit(project.folder, ['add', '.']);
    runGit(project.folder, ['commit', '-m', 'sub']);
    project.write('src/app.txt', 'changed\n');
    expect((await affected(project, '-f', 'sub/Bachfile')).stdout).toBe('');
    project.write('sub/src/x', 'new\n');
    expect((await affected(project, '-f', 'sub/Bachfile')).stdout).toBe('shell/all 1 .\nshell/own 1 src\n');
  });

  test('a project reached through a link', async () => {
    const project = committed();
    const link = `${project.folder}-link`;
    symlinkSync(project.folder, link);
    project.write('src/app.txt', 'changed\n');
    const { stdout } = await project.bach(['affected'], { cwd: link, env: personEnvironment(project.folder) });
    expect(stdout).toContain('shell/build 1 src/app.txt\n');
  });

  test('outside a repository it says what to do', async () => {
    const project = bachProject(FILE);
    const { exit, stdout, stderr } = await affected(project, '--json');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^no paths were given, and git cannot tell what changed: .* is not in a git repository\n/);
    expect(stderr).toContain('bach affected <path> [path ...]');
  });

  test('without git as well', async () => {
    const project = committed();
    const { exit, stderr } = await project.bach(['affected'], { env: { PATH: project.folder } });
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^no paths were given, and git cannot tell what changed: git cannot be started/);
  });
});
