import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';

const BLOCK = 'project "test" { }\n';
const TARGET = 'env { API_TOKEN = "in-the-project-7731" }\nshell "ok" { shell = "echo fine" }\n';
const VERBS = ['runs list', 'runs inspect ID', 'runs prune', 'artifacts', 'logs ID'];
const TOLD = 'Bachfile does not load: "bach validate" tells why\n';

async function projectThatRan(text: string): Promise<{ readonly project: BachProject; readonly id: string }> {
  const project = bachProject(text);
  const id = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
  return { project, id };
}

const BREAKS: readonly (readonly [name: string, text: string])[] = [
  ['a block that is not closed', `${BLOCK}${TARGET}shell "z" {\n`],
  ['an attribute that does not exist', `${BLOCK}${TARGET}shell "z" { nope = 1 }\n`],
  ['a missing import', `${BLOCK}import "none"\n${TARGET}`],
  ['a circle of groups', `${BLOCK}${TARGET}group "a" { targets = [group.a] }\n`],
  ['an unknown target', `${BLOCK}${TARGET}alias "x" { target = shell.gone }\n`],
];

describe.each(BREAKS)('a Bachfile with %s', (_, text) => {
  test.each(VERBS)('bach %s works, and says so in one line', async (verb) => {
    const { project, id } = await projectThatRan(`${BLOCK}${TARGET}`);
    const sound = await project.bach(verb.replace('ID', id).split(' '));
    project.write('Bachfile', text);
    const answer = await project.bach(verb.replace('ID', id).split(' '));
    expect(answer).toEqual({ ...sound, stderr: TOLD });
    expect(answer.exit).toBe(0);
    const { stdout, stderr } = await project.bach([...verb.replace('ID', id).split(' '), '--json']);
    expect({ document: typeof JSON.parse(stdout), stderr }).toEqual({ document: 'object', stderr: TOLD });
    expect(project.read('Bachfile')).toBe(text);
  });

  test('bach run is refused with the fault', async () => {
    const { project } = await projectThatRan(`${BLOCK}${TARGET}`);
    project.write('Bachfile', text);
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/ok']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^Bachfile:\d+:\d+: /);
  });
});

describe('where the state is', () => {
  const CONFIGURED = 'project "test" {\n  root = "sub"\n  backend {\n    config = { path = "kept/s.db" }\n  }\n}\n';

  test.each(BREAKS)('is read from a Bachfile with %s', async (_, text) => {
    const project = bachProject(`${CONFIGURED}${TARGET}`);
    project.write('sub/x', '');
    const id = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
    project.write('Bachfile', text.replace(BLOCK, CONFIGURED));
    const { exit, stdout, stderr } = await project.bach(['runs', 'list']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: TOLD });
    expect(stdout).toContain(id);
    expect(existsSync(project.at('.bach/state.db'))).toBe(false);
  });

  test.each([
    ['no project block', TARGET],
    ['nothing that is text', '\u0000'],
    ['a broken project block', `project "test" { = }\n${TARGET}`],
    ['a path that has no value', `project "test" {\n  backend {\n    config = { path = nope.x }\n  }\n}\n${TARGET}`],
    ['a root that has no value', `project "test" {\n  root = nope.x\n}\n${TARGET}`],
  ])('is the usual place with %s, and this is said', async (_, text) => {
    const { project, id } = await projectThatRan(`${BLOCK}${TARGET}`);
    project.write('Bachfile', text);
    const { exit, stdout, stderr } = await project.bach(['runs', 'list']);
    expect(stdout).toContain(id);
    const place = `Bachfile does not tell where the state is: .bach/state.db in ${project.folder} is used\n`;
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `${TOLD}${place}` });
  });

  test('of a file that is not there nothing is known', async () => {
    const { exit, stdout, stderr } = await bachProject('').bach(['runs', 'list', '--file', 'none']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('none');
  });
});

describe('secrets in a log that nothing masked while it was written', () => {
  const SECRET = 'in-the-project-7731';

  test.each<readonly [name: string, text: string]>([
    ...BREAKS,
    ['a faulty env block', `${BLOCK}${TARGET.replace('env {', 'env { = ')}`],
    ['env behind a block that is not closed', `${BLOCK}shell "z" {\n${TARGET}`],
    ['the list form in a faulty target', `${BLOCK}shell "z" {\n  env = ["API_TOKEN=${SECRET}"\n}\n`],
    ['a secret that stands in a variable', `${BLOCK}var "t" { default = "${SECRET}" }\nenv { API_TOKEN = var.t }\nshell "z" { nope = 1 }\n`],
  ])('are masked with %s', async (_, text) => {
    const { project, id } = await projectThatRan(`${BLOCK}${TARGET}`);
    const log = project.at('.bach/runs', id, 'shell__ok.log');
    appendFileSync(log, `see ${SECRET}\n`);
    const before = readFileSync(log, 'utf8');
    project.write('Bachfile', text);
    const { exit, stdout } = await project.bach(['logs', id]);
    expect(exit).toBe(0);
    expect(stdout).toContain('see ');
    expect(stdout).not.toContain(SECRET);
    expect((await project.bach(['logs', id, '--last', '0'])).stdout).not.toContain(SECRET);
    expect(readFileSync(log, 'utf8')).toBe(before);
  });
});
