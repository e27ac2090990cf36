import { describe, expect, test } from 'vitest';
import { runGit } from '../../support/git-repository.ts';
import { linesOf, valueOf } from './support.ts';
import { planned, projectOf, told } from './told.ts';

const env = { PATH: process.env['PATH'] ?? '', OUTSIDE: 'outer' };

describe('functions', () => {
  const everywhere = (call: string) => `var "v" { default = ${call} }
env { E = ${call} }
profile "p" {
  env { P = ${call} }
}
shell "a" {
  description = "\${var.v} \${E} \${P} \${${call}}"
  env { T = ${call} }
  command = ["echo", "$T"]
}
`;

  test.each([
    ['git_short_sha()', (head: string) => head.slice(0, 12)],
    ['git_dirty_suffix()', () => '-dirty'],
    ['file_hash("a", "b/*")', () => /^[0-9a-f]{12}$/],
  ])('[bach-functions] %s in a default, in environments, and in attributes', async (call, wanted) => {
    // Over 5 s on a busy machine: git is started to set the stage, and again by each load.
    const project = projectOf(everywhere(call), { a: '1', 'b/c': '2' });
    runGit(project.folder, ['init', '-q']);
    runGit(project.folder, ['add', 'a', 'b']);
    runGit(project.folder, ['commit', '-qm', 'one']);
    const { stdout, stderr } = await project.bach(['--profile', 'p', 'list']);
    expect(stderr).toBe('');
    const values = stdout.trimEnd().split(/ +/).slice(1);
    expect(values).toHaveLength(4);
    expect(new Set(values).size).toBe(1);
    expect(values[0]).toMatch(wanted(runGit(project.folder, ['rev-parse', 'HEAD'])));
    const { stdout: printed } = await project.bach(['--profile', 'p', 'run', 'shell/a']);
    expect(linesOf(printed)[1]).toBe(`[shell/a] ${values[0]}`);
  });

  test('[bach-dirty-suffix] nothing in a clean work tree', async () => {
    const project = projectOf('shell "a" { description = "<${git_dirty_suffix()}>" }\n');
    runGit(project.folder, ['init', '-q']);
    runGit(project.folder, ['add', '.']);
    runGit(project.folder, ['commit', '-qm', 'one']);
    expect((await project.bach(['list'])).stdout).toContain(' <>\n');
    project.write('new', '');
    expect((await project.bach(['list'])).stdout).toContain(' <-dirty>\n');
  });

  test.each(['git_short_sha', 'git_dirty_suffix'])('[bach-functions-no-repository] %s outside of a repository', async (name) => {
    expect(await told(`var "v" { default = «${name}()» }\n`)).toEqual([expect.stringMatching(`^\\[hcl-decode-error\\] decode Bachfile: .*"${name}": `)]);
  });

  test('[bach-functions-listed] a call of another one', async () => {
    const list = 'the functions are git_short_sha, git_dirty_suffix, file_hash';
    expect(await told('shell "a" { description = «join»(",", ["a"]) }\n')).toEqual([
      expect.stringMatching(`^\\[hcl-decode-error\\] decode Bachfile: .*"join".*${list}`),
    ]);
  });

  test.each(['«["a"]»', '"a", «["b"]»', '"a", «true»'])('[bach-function-arguments] file_hash(%s)', async (paths) => {
    expect(await told(`var "v" { default = file_hash(${paths}) }\n`)).toEqual([
      expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: .*a path must be a string/),
    ]);
  });

  test('[bach-context-no-functions] none where the root is read, in lists of targets, and in literals', async () => {
    expect(await told('project "p" { root = «git_dirty_suffix»() }\n')).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: /)]);
    expect(await told('shell "a" { depends_on = [«git_dirty_suffix()»] }\n')).toEqual(['target "shell/a" depends_on: entries must be target references']);
    expect(await told('shell "a" { outputs = [«git_dirty_suffix»()] }\n')).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: /)]);
  });
});

describe('what an expression sees', () => {
  test('[bach-context-profile] a profile value: variables, the process, earlier profiles, what it does not set of the project', async () => {
    const text = `var "v" { default = "v" }
env {
  KEPT = "kept"
  OVER = "project"
}
profile "one" {
  env { ONE = "one" }
}
profile "two" {
  env {
    OVER = "two"
    ALL  = "\${var.v} \${OUTSIDE} \${ONE} \${KEPT} \${OVER}"
  }
}
shell "a" { description = ALL }
`;
    const { stdout, stderr } = await projectOf(text).bach(['--profile', 'one', '--profile', 'two', 'list'], { env });
    expect(stderr).toBe('');
    expect(stdout).toContain(' v outer one kept two\n');
  });

  test('[bach-context-profile] a value that is overridden is not that of the project', async () => {
    const text = 'env { A = "project" }\nprofile "p" {\n  env {\n    A = «B»\n    B = «A»\n  }\n}\n';
    expect(await told(text, { flags: ['--profile', 'p'] })).toEqual(['env "A" could not be resolved', 'env "B" could not be resolved']);
  });

  test('[bach-context-profile] a key that it sets itself means the value of an earlier profile or of the process', async () => {
    const text = 'env { OUTSIDE = "project" }\nprofile "p" {\n  env { OUTSIDE = "${OUTSIDE}+p" }\n}\nprofile "q" {\n  env { OUTSIDE = "${OUTSIDE}+q" }\n}\nshell "a" { description = OUTSIDE }\n';
    const { stdout } = await projectOf(text).bach(['--profile', 'p', '--profile', 'q', 'list'], { env });
    expect(stdout).toContain(' outer+p+q\n');
  });

  test('[bach-context-profile-values] targets see the values of selected profiles', async () => {
    const text = 'env { STAGE = "none" }\nprofile "p" {\n  env { STAGE = "staging" }\n}\nshell "a" {\n  description = STAGE\n  env { URL = "https://${STAGE}" }\n  command = ["echo", "$URL"]\n}\n';
    const { stdout } = await projectOf(text).bach(['--profile', 'p', 'run', 'shell/a']);
    expect(linesOf(stdout)[1]).toBe('[shell/a] https://staging');
    expect((await projectOf(text).bach(['--profile', 'p', 'list'])).stdout).toContain(' staging\n');
    expect((await projectOf(text).bach(['list'])).stdout).toContain(' none\n');
  });

  test.each([
    ['input.file.src', 'file/src'],
    ['resource.deps', 'resource/deps'],
    ['prompt.words', 'prompt/words'],
    ['policy.checks', 'policy/checks'],
    ['provider.someone', 'provider/someone'],
    ['agent_template.t', 'agent_template/t'],
    ['plugin.g.one', 'plugin/g/one'],
    ['plugin.g["two"]', 'plugin/g/two'],
    ['agent.worker.outputs.report', 'report.json'],
    ['shell.b.outputs["x y"]', 'dist/b'],
  ])('[bach-context-objects] %s is %s', async (expression, value) => {
    const before = `input "file" "src" { src = "src" }
resource "deps" {}
prompt "words" { path = "Bachfile" }
policy "checks" {}
provider "someone" {
  type    = "agent"
  command = ["true"]
}
agent_template "t" { provider = provider.someone }
plugin "g" {
  sources = {
    one   = ["a"]
    "two" = ["b"]
  }
}
agent "worker" {
  provider = provider.someone
  plan     = "plan.md"
  outputs  = { report = "report.json" }
}
shell "b" { outputs = { "x y" = "dist/b" } }
`;
    expect(await valueOf(expression, before)).toBe(value);
  });

  test('[bach-context-objects] what no block declares is told', async () => {
    expect(await told('input "file" "src" { src = "a" }\nshell "a" { inputs = [input.file.«scr»] }\n')).toEqual([
      expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: .*"scr"/),
    ]);
  });

  test.each([
    ['tags = ["1", "2"]', 'example/x:1'],
    ['tags = ["other/y:3"]', 'other/y:3'],
    ['platform = "linux/amd64"', 'example/x:latest'],
  ])('[bach-context-image-tag] with %s the tag is %s', async (line, tag) => {
    expect(await valueOf('image.x.tag', `image "x" {\n  image = "example/x"\n  ${line}\n}\n`)).toBe(tag);
  });

  test('[bach-context-image-tag] the tags of others, and a circle', async () => {
    const chain = 'image "b" { tags = ["${image.a.tag}-b"] }\nimage "a" { tags = ["1"] }\n';
    expect(await valueOf('image.b.tag', chain)).toBe('a:1-b');
    expect(await told('image "a" { tags = [image.b.tag] }\nimage "b" { tags = [image.a.tag] }\n'.replaceAll(/(image "[ab]")/g, '«$1»'))).toEqual([
      'target "image/a" tag could not be resolved',
      'target "image/b" tag could not be resolved',
    ]);
  });

  test.each(['work_item.id', 'work_item.slug', 'plan.id', 'workstream.id', 'factory.name', 'workflow.name'])(
    '[bach-context-placeholders] %s',
    async (name) => {
      expect(await valueOf(`"\${${name}} $\${${name}}"`)).toBe(`\${${name}} \${${name}}`);
    },
  );

  test.each([
    'tools = [{ name = «var».v }]',
    'tools = [{ name = «git_short_sha»() }]',
    'preflights = [{ name = "a", command = [«var».v] }]',
    'preflights = [{ name = "a", command = [«KEY»] }]',
  ])('[bach-context-literal-lists] %s', async (line) => {
    expect(await told(`var "v" { default = "v" }\nenv { KEY = "k" }\nshell "a" {\n  ${line}\n}\n`)).toEqual([
      expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: /),
    ]);
  });

  test('[bach-context-literal-lists] literals of every kind stand there', async () => {
    const line = 'tools = [{ name = "a", command = ["a", "-v"], version = "1", fix = <<EOT\nfix it\nEOT\n }]\npreflights = []';
    expect(await planned(`shell "a" {\n${line}\ncommand = ["true"]\n}\n`, 'shell/a')).toMatchObject({
      tools: [{ name: 'a', command: ['a', '-v'], version: '1', fix: 'fix it\n' }],
    });
  });
});
