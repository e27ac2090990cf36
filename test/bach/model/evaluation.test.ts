import { describe, expect, test } from 'vitest';
import { factKey } from '../../../src/bach/model/index.ts';
import { environmentOf, faults, projectOf, read, shell, targets, valueIn } from './reading.ts';

const SHA = { 'git-short-sha': { value: '0123456789ab' } };

describe('functions', () => {
  test('what is not known yet is asked for, as early as it is met, and nothing else is said', () => {
    const text = 'project "p" { root = "app" }\nvar "v" { default = git_short_sha() }\nenv { E = git_dirty_suffix() }\nshell "x" { cost = "tiny" }';
    const first = read(text);
    expect(first).toMatchObject({ project: undefined, diagnostics: [], root: 'app', needs: [{ kind: 'git-short-sha' }] });
    const second = read(text, { answers: SHA });
    expect(second).toMatchObject({ diagnostics: [], needs: [{ kind: 'git-dirty-suffix' }] });
    const third = read(text, { answers: { ...SHA, 'git-dirty-suffix': { value: '' } } });
    expect(third.needs).toEqual([]);
    expect(third.diagnostics.length).toBe(1);
  });

  test('all that blocks ask for is asked at once, each thing once', () => {
    const text = 'project "p" {}\nshell "x" { command = [file_hash("a", "b"), file_hash("b", "a"), file_hash("a", "b"), git_short_sha()] }';
    expect(read(text).needs).toEqual([
      { kind: 'file-hash', paths: ['a', 'b'] },
      { kind: 'file-hash', paths: ['b', 'a'] },
      { kind: 'git-short-sha' },
    ]);
  });

  test('a known answer is the value, in every context that has functions', () => {
    const answers = { ...SHA, [factKey({ kind: 'file-hash', paths: ['go.mod'] })]: { value: 'feed' } };
    const text = `var "v" { default = "\${git_short_sha()}-\${file_hash("go.mod")}" }
env { E = file_hash("go.mod") }
profile "p" {
  env { P = git_short_sha() }
}
shell "x" {
  command = [var.v, git_short_sha()]
  env { T = file_hash("go.mod") }
}`;
    const project = projectOf(text, { answers, profiles: ['p'] });
    expect(project.targets.get('shell/x')?.operation).toEqual({ kind: 'command', argv: ['0123456789ab-feed', '0123456789ab'] });
    expect([environmentOf(project), environmentOf(project.profiles), environmentOf(project.targets.get('shell/x'))]).toEqual([
      ['E=feed'],
      ['P=0123456789ab'],
      ['T=feed'],
    ]);
  });

  test('why there is no answer is told at the call', () => {
    const [fault] = faults('var "v" { default = git_short_sha() }', { answers: { 'git-short-sha': { failure: 'no repository' } } });
    expect(fault).toMatch(/^2:21: decode Bachfile: Error in function call; "git_short_sha": no repository/);
  });

  test.each([
    ['file_hash("a", 5)', '"file_hash": a path must be a string without NUL'],
    ['file_hash(["a"])', '"file_hash": a path must be a string without NUL'],
    ['git_short_sha("x")', 'Too many function arguments'],
    ['join(",", ["a"])', 'the functions are git_short_sha, git_dirty_suffix, file_hash'],
    ['git_short()', 'the functions are git_short_sha, git_dirty_suffix, file_hash'],
  ])('%s is refused', (expression, message) => {
    const found = faults(`var "v" { default = ${expression} }`);
    expect(found.length).toBe(1);
    expect(found[0]).toContain(message);
  });

  test('outputs, tools, preflights and references call nothing', () => {
    expect(faults('shell "x" { outputs = [git_short_sha()] }')[0]).toContain('no function can be called here');
    expect(faults('shell "x" { tools = [{ name = var.v }] }\nvar v {}')[0]).toContain('Unknown variable');
    expect(faults('shell "x" { preflights = [{ name = git_short_sha() }] }')[0]).toContain('no function can be called here');
    expect(faults('shell "x" { depends_on = [git_short_sha()] }')[0]).toContain('entries must be target references');
  });
});

describe('reference objects', () => {
  const text = `input "file" "src" { src = "src" }
resource "deps" {}
prompt "p" { path = "p.md" }
provider "cli" {
  type    = "agent"
  command = ["x"]
}
plugin "g" {
  sources = { tests = ["t"], "other one" = [var.v] }
}
var "v" { default = "v" }
group "g" {}
pipeline "pl" {}
shell "s" { outputs = { junit = "j.xml" } }
image "one" {
  image = "example/one"
  tags  = ["t1", "t2"]
}
image "two" { tags = ["reg/two:\${image.three.tag}"] }
image "three" { image = "three:9" }
image "four" { push = true }
`;

  test.each([
    ['input.file.src', 'file/src'],
    ['resource.deps', 'resource/deps'],
    ['prompt.p', 'prompt/p'],
    ['provider.cli', 'provider/cli'],
    ['plugin.g.tests', 'plugin/g/tests'],
    ['plugin.g["other one"]', 'plugin/g/other one'],
    ['group.g', 'group.g'],
    ['pipeline.pl', 'pipeline.pl'],
    ['shell.s.outputs.junit', 'j.xml'],
    ['image.one.tag', 'example/one:t1'],
    ['image.two.tag', 'reg/two:three:9'],
    ['image.three.tag', 'three:9'],
    ['image.four.tag', 'four:latest'],
    ['"${work_item.id} $${work_item.id}"', '${work_item.id} ${work_item.id}'],
    ['"${work_item.slug}${plan.id}${workstream.id}${factory.name}${workflow.name}"', '${work_item.slug}${plan.id}${workstream.id}${factory.name}${workflow.name}'],
  ])('%s is %j', (expression, value) => {
    expect(valueIn(expression, text)).toBe(value);
  });

  test('an image that takes its tag from itself is told once', () => {
    expect(faults('image "a" { tags = [image.b.tag] }\nimage "b" { tags = [image.a.tag] }\nshell "x" { description = image.a.tag }')).toEqual([
      '2:1: target "image/a" tag could not be resolved',
      '3:1: target "image/b" tag could not be resolved',
    ]);
  });

  test('a fault in a tag is told once, where it is written', () => {
    const found = faults('image "a" { tags = [var.gone] }\nshell "x" { description = image.a.tag }');
    expect(found.map((fault) => fault.split(' ')[0])).toEqual(['2:25:']);
  });
});

describe('what was read', () => {
  const readsOf = (text: string, facts: Parameters<typeof read>[1] = {}) =>
    Object.fromEntries(read(`project "p" {}\n${text}`, facts).reads.environment);

  test.each([
    ['var "a" {}', { BACH_VAR_a: undefined, BACH_VAR_A: undefined }],
    ['env { A = "${HOME}${GONE == null ? 1 : 2}" }', { HOME: '/h', GONE: undefined }],
    ['env { A = "x${A}" }', { A: 'outer' }],
    ['shell "x" {\n env { B = USER }\n}', { USER: 'u' }],
    ['shell "x" { command = ["${HOME}"] }', {}],
    ['image "x" { push = true }', { OCI_BUILDER: undefined }],
    ['image "x" { builder = "b" }', {}],
  ])('%s', (text, expected) => {
    expect(readsOf(text, { environment: { HOME: '/h', USER: 'u', A: 'outer' } })).toEqual(expected);
  });

  test('a variable that the command line gives is not looked for elsewhere', () => {
    expect(readsOf('var "a" {}', { vars: { a: '1' }, environment: { BACH_VAR_a: '2' } })).toEqual({});
    expect(readsOf('var "a" {}', { environment: { BACH_VAR_a: '2' } })).toEqual({ BACH_VAR_a: '2' });
  });

  test('HOME counts where the root is below it', () => {
    expect([...read('project "p" { root = "~/x" }', { environment: { HOME: '/h' } }).reads.environment]).toEqual([['HOME', '/h']]);
    expect(read('project "p" { root = "~x" }').reads.environment.size).toBe(0);
  });

  test('answers count where they were used', () => {
    const answers = { ...SHA, 'git-dirty-suffix': { value: '-dirty' } };
    expect([...read('project "p" {}\nvar "a" { default = git_short_sha() }', { answers }).reads.answers.keys()]).toEqual(['git-short-sha']);
  });

  test('names of the environment are no property of an object', () => {
    expect(faults('env { A = constructor }')[0]).toContain('Unknown variable');
  });
});

describe('profiles', () => {
  const text = `env {
  A = "project"
  B = "\${A}"
}
profile "one" {
  env {
    A = "one"
    C = "\${A}-\${B}-\${HOME}"
  }
}
profile "two" {
  env {
    A = "two"
    D = "\${C}"
    E = "\${A}"
  }
}
shell "x" {
  description = "\${A}"
  env {
    F = "\${A}\${C}"
  }
}`;
  const facts = (...profiles: readonly string[]) => ({ profiles, environment: { HOME: '/h' } });

  test('later ones win, and each sees what was before it', () => {
    const { profiles, environment, targets: found } = projectOf(text, facts('one', 'two'));
    expect(environment.map(({ name, value }) => `${name}=${value}`)).toEqual(['A=project', 'B=project']);
    expect(profiles).toMatchObject({ selected: ['one', 'two'], declared: ['one', 'two'] });
    expect(environmentOf(profiles)).toEqual(['A=two', 'C=one-project-/h', 'D=one-project-/h', 'E=two']);
    expect(found.get('shell/x')).toMatchObject({ description: 'two', environment: [{ name: 'F', value: 'twoone-project-/h' }] });
  });

  test('the order of the command line counts', () => {
    expect(environmentOf(projectOf(text.replace('D = "${C}"', ''), facts('two', 'one')).profiles)).toEqual(['A=one', 'C=one-project-/h', 'E=two']);
  });

  test('a key that it sets itself comes from outside the project', () => {
    const own = 'env { PATH = "project" }\nprofile "p" {\n env { PATH = "${PATH}:p" }\n}';
    expect(environmentOf(projectOf(own, { profiles: ['p'], environment: { PATH: 'outer' } }).profiles)).toEqual(['PATH=outer:p']);
  });

  test('those that are not selected are checked and not evaluated', () => {
    expect(projectOf('profile "a" {\n env { X = GONE }\n}').profiles).toEqual({ selected: [], environment: [], declared: ['a'] });
  });

  test.each([
    ['profile "a" {}\nprofile "a" {}', [], '3:1: duplicate profile "a"'],
    ['profile "a" {\n env { X = GONE }\n}', ['a'], expect.stringMatching(/^3:12: env "X" could not be resolved: decode Bachfile: Unknown variable/)],
    ['profile "a" { x = 1 }', [], expect.stringContaining('Unsupported argument')],
    ['profile {}', [], expect.stringContaining('Missing name for profile')],
    ['profile "a" {\n  env { X = "1" }\n  env { X = "2" }\n}', ['a'], '4:9: duplicate env "X"'],
  ])('%s', (file, profiles, message) => {
    expect(faults(file, { profiles })).toEqual([message]);
  });
});

test('a profile that is not declared is no fault of the file', () => {
  const { project, diagnostics, misnamed } = read('project "p" {}\nprofile "staging" {}', { profiles: ['stagin', 'stagin'] });
  expect({ project, diagnostics }).toEqual({ project: undefined, diagnostics: [] });
  expect(misnamed).toEqual([{ option: '--profile', message: 'unknown profile "stagin"; did you mean "staging"?', declared: ['staging'] }]);
});

describe('the backend', () => {
  const backendOf = (body: string, facts = {}) => read(`project "p" {\n backend {\n${body}\n }\n}\nvar "db" { default = "x.db" }`, facts);

  test('another program serves the state where that is said twice', () => {
    const { project } = backendOf('external = true\ncommand = ["serve", "--fast"]\nconfig = { url = "db://x", deep = { n = [1, true] } }');
    expect(project?.backend).toEqual({
      command: ['serve', '--fast'],
      external: true,
      statePath: '.bach/state.db',
      config: { url: 'db://x', deep: { n: [1, true] } },
    });
  });

  test('its attributes see variables', () => {
    expect(backendOf('config = { path = "state/${var.db}" }').project?.backend.statePath).toBe('state/x.db');
  });

  test.each([
    ['command = ["serve"]', 'project backend: unsupported command ["serve"] (only ["bach", "backend", "sqlite"] is supported)'],
    ['external = false\ncommand = []', 'project backend: unsupported command [] (only ["bach", "backend", "sqlite"] is supported)'],
    ['external = true\ncommand = [""]', 'project backend: command must not start with an empty string'],
    ['config = { pth = "x" }', 'project backend: config has no "pth"; did you mean "path"?'],
    ['config = { path = "." }', 'project backend: backend config.path must stay under the project root'],
    ['external = "maybe"', expect.stringContaining('Incorrect attribute value type; project backend: external: ')],
  ])('%s', (body, message) => {
    expect(backendOf(body).diagnostics.map((each) => each.message)).toEqual([message]);
  });
});

test('null entries of a list are told at their place', () => {
  expect(faults('shell "x" { inputs = ["a", null] }')).toEqual(['2:28: target "shell/x" inputs: must not contain null']);
  expect(shell('inputs = [for x in ["a", "b"] : "${x}/c"]')?.inputs).toEqual(['a/c', 'b/c']);
  expect(targets('shell "x" { inputs = null }').get('shell/x')?.inputs).toEqual([]);
});
