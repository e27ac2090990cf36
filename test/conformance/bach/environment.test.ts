import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { linesOf } from './support.ts';

const PATH = process.env['PATH'] ?? '';

/** What `shell/x` prints. */
async function printed(project: BachProject, argv: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr } = await project.bach(['run', 'shell/x', ...argv], { env: { PATH, ...env } });
  expect(stderr).toBe('');
  return linesOf(stdout)[1]?.replace('[shell/x] ', '');
}

/** `shell/x` prints the variables of these names, as its program gets them. */
function projectShowing(names: readonly string[], before = ''): BachProject {
  const project = bachProject(`${before}shell "x" {\n  env { E = "target" }\n  command = ["sh", "show.sh"]\n}\n`);
  project.write('show.sh', `printf '%s' "${names.map((name) => `$${name}`).join(',')}"\n`);
  return project;
}

describe('layers', () => {
  test('[bach-env-precedence] the later wins', async () => {
    const project = projectShowing(['A', 'B', 'C', 'D', 'E'], 'env {\n  D = "project"\n  E = "project"\n}\n');
    project.write('.env', 'B=.env\nC=.env\nD=.env\nE=.env\n');
    project.write('more.env', 'C=more\nD=more\nE=more\n');
    const parent = { A: 'parent', B: 'parent', C: 'parent', D: 'parent', E: 'parent' };
    expect(await printed(project, ['--env-file', 'more.env'], parent)).toBe('parent,.env,more,project,target');
  });

  test('[bach-run-directory-env] the run directory stands above the target', async () => {
    const text = 'shell "x" {\n  env {\n    RUN_DIRECTORY = "mine"\n    BACH_RUN_DIRECTORY = "mine"\n  }\n  command = ["sh", "show.sh"]\n}\n';
    const project = bachProject(text);
    project.write('show.sh', 'echo "$RUN_DIRECTORY $BACH_RUN_DIRECTORY"\n');
    const { stdout } = await project.bach(['run', 'shell/x']);
    const directory = project.at('.bach/runs', runIdIn(stdout), 'shell__x');
    expect(linesOf(stdout)[1]).toBe(`[shell/x] ${directory} ${directory}`);
  });

  test('[bach-expansion] both forms, and what is not defined', async () => {
    const project = bachProject('env { SHARED = "s" }\nshell "x" {\n  env { OWN = "o" }\n  shell = "own=shell; echo $SHARED-$${OWN}-$OWN.txt-$own-$UNKNOWN-$PARENT"\n}\n');
    expect(await printed(project, [], { PARENT: 'p' })).toBe('s-o-o.txt---p');
    const argv = bachProject('shell "x" {\n  env { OWN = "o" }\n  command = ["echo", "<$OWN>", "<$UNKNOWN>"]\n}\n');
    expect(await printed(argv)).toBe('<o> <>');
  });

  test('[bach-expansion-substitution] belongs to the shell', async () => {
    expect(await printed(bachProject('shell "x" { shell = "echo $(echo inner | tr a-z A-Z)" }\n'))).toBe('INNER');
  });
});

describe('environment files', () => {
  test('[bach-dotenv-syntax] every form of a line', async () => {
    const project = projectShowing(['A', 'B', 'C', 'D', 'F', 'G', 'H']);
    project.write(
      '.env',
      '\n# comment\n  A = spaced out  \nexport B=exported\nC="double # $A \\n"\nD=\'single "quoted"\'\nF=cut # here\nG=kept#here=too\n   \nH=# nothing\n',
    );
    expect(await printed(project)).toBe('spaced out,exported,double # $A \\n,single "quoted",cut,kept#here=too,');
  });

  test.each([
    ['A=1\nnonsense\n', 2, 'expected KEY=value'],
    ['=value\n', 1, 'empty key'],
    ['\n\nA="open\n', 3, 'unterminated quoted value'],
  ])('[bach-dotenv-errors] %j', async (text, line, message) => {
    const project = projectShowing(['A']);
    project.write('.env', text);
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/x']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(`.env:${line}: ${message}`);
  });

  test('[bach-dotenv-optional] .env may be missing, a file that was named may not', async () => {
    const project = projectShowing(['A']);
    expect((await project.bach(['run', 'shell/x'])).exit).toBe(0);
    const { exit, stderr } = await project.bach(['run', 'shell/x', '--env-file', 'gone.env']);
    expect(exit).toBe(1);
    expect(stderr).toContain('gone.env');
  });

  test('[bach-dotenv-place] counts from the root', async () => {
    const project = projectShowing(['A']);
    project.write('local/a.env', 'A=found\n');
    project.write('sub/local/a.env', 'A=wrong\n');
    const argv = ['-f', '../Bachfile', 'run', 'shell/x', '--env-file', 'local/a.env'];
    const { stdout } = await project.bach(argv, { cwd: project.at('sub') });
    expect(linesOf(stdout)[1]).toBe('[shell/x] found');
  });
});
