import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { personEnvironment, runGit } from '../../support/git-repository.ts';

async function printed(project: BachProject, line: string): Promise<string> {
  const { exit, stdout, stderr } = await project.bach(line.split(' '));
  expect({ line, exit, stderr }).toEqual({ line, exit: 0, stderr: '' });
  return stdout;
}

async function refused(text: string, line: string, code: number): Promise<string> {
  const { exit, stdout, stderr } = await bachProject(text).bach(line.split(' '));
  expect({ line, exit, stdout }).toEqual({ line, exit: code, stdout: '' });
  return stderr;
}

const METADATA = `
shell "deploy-staging" {
  description           = "Deploy staging API"
  when                  = "after image publish"
  cost                  = "high"
  remote                = true
  destructive           = true
  requires_confirmation = true
}
pipeline "release" { steps = [shell.deploy-staging] }
shell "aggregate" { depends_on = [pipeline.release] }
group "all" { targets = [shell.aggregate] }
alias "staging-kristiyan-deploy" {
  target     = "pipeline.release"
  deprecated = "Use pipeline.release."
}
alias "all" { target = group.all }
`;

const POLICY = `
shell "test" {}
group "gate" { targets = [shell.test] }
policy "merge" {
  subject           = "agent.checkout_refactor"
  subject_workspace = ".bach/agents/checkout_refactor"
  subject_commit    = "0123456789abcdef0123456789abcdef01234567"
  required_targets  = [group.gate]
}
`;

describe('list', () => {
  test('[bach-list-verbose, bach-list-risks] C07: a header, cost, risks and description; risks come through steps, members and depends_on', async () => {
    const rows = (await printed(bachProject(METADATA), 'list -v')).split('\n');
    expect(rows[0]).toMatch(/^TARGET +COST +RISKS +DESCRIPTION$/);
    const [first, width] = ['shell/deploy-staging', 'shell/deploy-staging'.length];
    expect(rows.find((row) => row.startsWith(first))).toBe(`${first} ${'high'.padEnd(7)} ${'remote,destructive,requires_confirmation'.padEnd(42)} Deploy staging API`);
    for (const name of ['group/all', 'pipeline/release', 'shell/aggregate']) {
      expect(rows).toContain(`${name.padEnd(width)} ${'-'.padEnd(7)} remote,destructive,requires_confirmation`);
    }
    expect(await printed(bachProject('shell "calm" {}'), 'list -v')).toContain('\nshell/calm -       -\n');
  });

  test('[bach-list-aliases] -a and --aliases: behind the targets, with what to use instead', async () => {
    const project = bachProject(METADATA);
    const lines = ['all -> group/all', 'staging-kristiyan-deploy -> pipeline/release  Use pipeline.release.', ''];
    for (const line of ['list -a', 'list --aliases']) expect((await printed(project, line)).split('\n').slice(-3)).toEqual(lines);
    expect(await printed(project, 'list')).not.toContain('->');
  });

  test('[bach-list-generated] policy nodes are hidden until they are asked for', async () => {
    const project = bachProject(POLICY);
    expect(await printed(project, 'list')).not.toContain('policy');
    expect(await printed(project, 'list --generated')).toContain(
      'policy.merge@agent.checkout_refactor policy fan-out for agent.checkout_refactor requiring group/gate\n',
    );
  });

  test('[bach-list-runs-plugins] graph plugins run', async () => {
    const project = bachProject('plugin "g" { shell = "touch plugin-ran" }\nshell "x" {}\n');
    await printed(project, 'list');
    expect(existsSync(project.at('plugin-ran'))).toBe(true);
  });
});

describe('explain', () => {
  test('[bach-explain-lines] what is empty is left out', async () => {
    const lines = (await printed(bachProject(METADATA), 'explain shell/deploy-staging')).split('\n');
    expect(lines.slice(0, 6)).toEqual([
      'Target: shell/deploy-staging',
      'Description: Deploy staging API',
      'When: after image publish',
      'Cost: high',
      'Risks: remote, destructive, requires_confirmation',
      'Depends on: -',
    ]);
    expect(await printed(bachProject('shell "x" {}'), 'explain shell/x')).toMatch(/^Target: shell\/x\nDepends on: -\nInputs: -\n/);
  });

  test('[bach-explain-lists, bach-explain-requirements] one item a line, raw inputs, tools and preflights in short', async () => {
    const project = bachProject(`
input "file" "go_sources" { srcs = ["cmd"] }
resource "deps" {}
shell "test" {}
shell "build" {
  depends_on = [shell.test]
  tools      = [{ name = "go", command = ["go", "version"], version = "1.24+", fix = "Install Go." }, { name = "make" }]
  preflights = [{ name = "package registry session", command = ["bun", "pm", "whoami"], fix = "Run bun login." }]
  inputs     = [input.file.go_sources]
  outputs    = { binary = "dist/bach" }
  produces   = [resource.deps]
}
pipeline "release" { steps = [shell.test, shell.build] }
`);
    expect((await printed(project, 'explain shell.build')).split('\n')).toEqual([
      'Target: shell/build',
      'Depends on:',
      '  - shell/test',
      'Inputs:',
      '  - file/go_sources',
      'Outputs:',
      '  - dist/bach',
      'Produces:',
      '  - resource/deps',
      'Required tools:',
      '  - go (1.24+) via go version - Install Go.',
      '  - make',
      'Preflights:',
      '  - package registry session via bun pm whoami - Run bun login.',
      '',
    ]);
    expect(await printed(project, 'explain pipeline/release')).toContain('\nSteps:\n  - shell/test\n  - shell/build\n');
  });

  test('[bach-explain-alias, bach-alias-notice] C06: what it stands for, and the notice on standard error', async () => {
    const { exit, stdout, stderr } = await bachProject(METADATA).bach(['explain', 'staging-kristiyan-deploy']);
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: 'alias "staging-kristiyan-deploy" resolves to "pipeline/release". Use pipeline.release.\n',
    });
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'Alias: staging-kristiyan-deploy',
      'Canonical target: pipeline/release',
      'Deprecated: Use pipeline.release.',
      'Target: pipeline/release',
    ]);
    expect((await bachProject(METADATA).bach(['explain', 'all'])).stderr).toBe('alias "all" resolves to "group/all". Use group/all.\n');
  });

  test('[bach-explain-policy] a generated node: its subject, where it is at work, what it requires', async () => {
    expect(await printed(bachProject(POLICY), 'explain policy.merge@agent.checkout_refactor')).toBe(
      [
        'policy.merge@agent.checkout_refactor',
        '  generated: true',
        '  subject: agent.checkout_refactor',
        '  subject_workspace: .bach/agents/checkout_refactor',
        '  subject_commit: 0123456789abcdef0123456789abcdef01234567',
        '  required_targets: group/gate',
        '',
      ].join('\n'),
    );
  });

  test('[bach-explain-unknown, bach-explain-usage] 1, and 2 with the usage', async () => {
    expect(await refused(METADATA, 'explain shell/zzzzzz', 1)).toMatch(/^unknown target "shell\/zzzzzz"\n/);
    for (const line of ['explain', 'explain a b']) expect(await refused(METADATA, line, 2)).toContain('usage: bach explain <target>\n');
  });
});

describe('graph', () => {
  const CHART = `
shell "a|\\"b" { lock = "db" }
shell "dep" { remote = true }
pipeline "p" {
  depends_on = [shell.dep]
  steps      = [group.g]
}
group "g" { targets = [shell.dep] }
`;

  test('[bach-graph-mermaid, bach-graph-mermaid-labels, bach-graph-group-members] the default form', async () => {
    expect((await printed(bachProject(CHART), 'graph')).split('\n')).toEqual([
      'flowchart TD',
      '  n0["group/g\\ngroup\\nrisks=remote"]',
      '  n1["pipeline/p\\npipeline\\nrisks=remote"]',
      '  n2["shell/a\\|\\"b\\nshell\\nlock=db"]',
      '  n3["shell/dep\\nshell\\nrisks=remote"]',
      '  n0 -- group_member --> n3',
      '  n1 -- depends_on --> n3',
      '  n1 -- pipeline_step 1 --> n0',
      '',
    ]);
  });

  test('[bach-graph-json, bach-graph-order, bach-graph-risks] nodes by name; edges from the dependent by from, type, order, to', async () => {
    const text = await printed(bachProject(CHART), 'graph --format json');
    expect(text).toMatch(/^\{\n {2}"nodes": \[\n {4}\{\n {6}"name"/);
    expect(JSON.parse(text)).toEqual({
      nodes: [
        { name: 'group/g', kind: 'group', remote: true, risks: ['remote'] },
        { name: 'pipeline/p', kind: 'pipeline', remote: true, risks: ['remote'] },
        { name: 'shell/a|"b', kind: 'shell', lock: 'db' },
        { name: 'shell/dep', kind: 'shell', remote: true, risks: ['remote'] },
      ],
      edges: [
        { from: 'group/g', to: 'shell/dep', type: 'group_member' },
        { from: 'pipeline/p', to: 'shell/dep', type: 'depends_on' },
        { from: 'pipeline/p', to: 'group/g', type: 'pipeline_step', order: 1 },
      ],
    });
    expect(JSON.parse(await printed(bachProject('profile "s" {}'), '--profile s graph --json'))).toEqual({ profiles: ['s'], nodes: [], edges: [] });
  });

  test('[bach-graph-circle, bach-graph-composite-cycle] C26: what needs a circle is left out; through a composite it is refused', async () => {
    const circle = 'shell "a" { depends_on = [shell.b] }\nshell "b" { depends_on = [shell.a] }\nshell "c" { depends_on = [shell.a] }\nshell "d" {}\n';
    expect(await printed(bachProject(circle), 'graph')).toBe('flowchart TD\n  n0["shell/d\\nshell"]\n');
    expect(await refused('group "a" { targets = [group.b] }\ngroup "b" { targets = [group.a] }\n', 'graph', 1)).toContain('composite target cycle includes "group/');
    expect(await refused(circle, 'run shell/a', 1)).toContain('dependency cycle includes "shell/a"');
  });

  test('[bach-graph-attached-policy] agents bring the node of their policy', async () => {
    const project = bachProject(`
provider "p" {
  type    = "agent"
  command = ["agent"]
}
prompt "do" { path = "do.md" }
shell "gate" {}
policy "merge" { required_targets = [shell.gate] }
agent "coder" {
  provider = provider.p
  prompt   = prompt.do
  plan     = "plan.md"
  policy   = policy.merge
}
`);
    project.write('do.md', 'Do it.\n');
    project.write('plan.md', 'Do this.\n');
    const { nodes } = JSON.parse(await printed(project, 'graph --json')) as { nodes: readonly { name: string; kind: string }[] };
    expect(nodes.map(({ name, kind }) => `${kind} ${name}`)).toContain('policy policy/merge@agent.coder');
  });

  test('[bach-graph-relaxed] barrier edges that gave way are listed, and only then', async () => {
    const contrary = 'shell "a" {}\nshell "b" {}\npipeline "p" { steps = [shell.a, shell.b] }\npipeline "q" { steps = [shell.b, shell.a] }\n';
    const { relaxed } = JSON.parse(await printed(bachProject(contrary), 'graph --json')) as { relaxed: unknown };
    expect(relaxed).toEqual([{ from: 'shell/a', to: '@barrier/pipeline/q/0', type: 'barrier' }]);
  });

  test('[bach-graph-format, bach-graph-usage] another form is refused, words as well', async () => {
    expect(await refused(CHART, 'graph --format dot', 2)).toMatch(/^unsupported graph format "dot"\n/);
    expect(await refused(CHART, 'graph shell/dep', 2)).toContain('usage: bach graph');
  });
});

describe('affected', () => {
  test('[bach-affected-line] C08: target, count, inputs', async () => {
    expect(await printed(bachProject('shell "build" { inputs = ["src/app.txt"] }'), 'affected src/app.txt')).toBe('shell/build 1 src/app.txt\n');
  });

  test('[bach-affected-match] equal, under a folder, under the root, by a glob; named inputs and sets of plugins too (C09)', async () => {
    const project = bachProject(`
plugin "ts" {
  command = ["cat", "graph.json"]
  sources = { api = ["x"] }
}
input "file" "api" { srcs = ["packages/api/src"] }
shell "test-api" { inputs = [input.file.api] }
shell "plugged" { inputs = [plugin.ts.api] }
shell "glob" { inputs = ["packages/**/*.ts"] }
shell "root" { inputs = ["."] }
shell "other" { inputs = ["packages/ap"] }
`);
    project.write('graph.json', '{"inputs": {"api": ["packages/api/src/foo.ts"]}}');
    expect((await printed(project, 'affected ./packages/api/src/foo.ts')).split('\n')).toEqual([
      'shell/glob 1 packages/**/*.ts',
      'shell/plugged 1 packages/api/src/foo.ts',
      'shell/root 1 .',
      'shell/test-api 1 packages/api/src',
      '',
    ]);
  });

  test('[bach-affected-three, bach-affected-none] the count is of all, three are shown; nothing matches: no output', async () => {
    const project = bachProject('shell "x" { inputs = ["d", "c", "./b", "a"] }');
    expect(await printed(project, 'affected a b c/x d/y')).toBe('shell/x 4 a, b, c\n');
    expect(await printed(project, 'affected elsewhere')).toBe('');
  });

  test('[bach-affected-git] without paths: staged, unstaged and untracked files, a renamed one by both names', async () => {
    const project = bachProject('shell "s" { inputs = ["s"] }\nshell "u" { inputs = ["u"] }\nshell "n" { inputs = ["n"] }\nshell "old" { inputs = ["old"] }\nshell "new" { inputs = ["new"] }\nshell "idle" { inputs = ["idle"] }\n');
    for (const name of ['s', 'u', 'old', 'idle']) project.write(name, `a text of the file ${name}\n`);
    const git = (...args: readonly string[]): string => runGit(project.folder, args);
    git('init');
    git('add', '.');
    git('commit', '-m', 'all');
    project.write('s', 'staged\n');
    git('mv', 'old', 'new');
    git('add', 's');
    project.write('u', 'unstaged\n');
    project.write('n', 'untracked\n');
    const { stdout } = await project.bach(['affected'], { env: personEnvironment(project.folder) });
    expect(stdout).toBe('shell/n 1 n\nshell/new 1 new\nshell/old 1 old\nshell/s 1 s\nshell/u 1 u\n');
  });

  test('[bach-affected-reads-only] it opens no file that is named, and runs no target', async () => {
    const project = bachProject('shell "x" {\n inputs = ["gone"]\n shell = "touch ran"\n}');
    expect(await printed(project, 'affected gone/too')).toBe('shell/x 1 gone\n');
    expect([existsSync(project.at('ran')), existsSync(project.at('.bach'))]).toEqual([false, false]);
  });
});

describe('provenance', () => {
  const FILE = `
shell "build" {
  inputs  = ["src"]
  outputs = ["dist/app.txt"]
  command = ["cp", "$NAME", "dist/app.txt"]
}
shell "package" {
  inputs = ["dist"]
  outputs = ["."]
}
`;

  test('[bach-provenance-lines, bach-provenance-operation] C10: who makes it, who reads it; variables are blank', async () => {
    expect((await printed(bachProject(FILE), 'provenance dist/app.txt')).split('\n')).toEqual([
      'dist/app.txt',
      'generated: true',
      'source: false',
      'generated_by:',
      '  - shell/build',
      '    operation: cp  dist/app.txt',
      '    regenerate: bach run shell/build',
      'consumed_by:',
      '  - shell/package',
      'status: unknown',
      '',
    ]);
    expect(await printed(bachProject(FILE), 'provenance src/a.txt')).toMatch(/^src\/a\.txt\ngenerated: false\nsource: true\ngenerated_by: \[\]\nconsumed_by:\n {2}- shell\/build\n/);
  });

  test('[bach-provenance-undeclared, bach-provenance-outside] C11: a note, exit 0; C12: no match outside the root', async () => {
    const project = bachProject('shell "all" { inputs = ["."] }');
    const empty = 'generated: false\nsource: false\ngenerated_by: []\nconsumed_by: []\nstatus: unknown\nnote: no declared producers or consumers\n';
    expect(await printed(bachProject(FILE), 'provenance README.md')).toBe(`README.md\n${empty}`);
    expect(await printed(project, 'provenance /elsewhere/x')).toBe(`/elsewhere/x\n${empty}`);
    expect(await printed(project, `provenance ${project.at('x')}`)).toMatch(/^x\ngenerated: false\nsource: true\n/);
  });

  test('[bach-provenance-json] one record for each path, lists never null', async () => {
    const { paths } = JSON.parse(await printed(bachProject(FILE), 'provenance --json dist/app.txt README.md')) as { paths: unknown };
    const build = { target: 'shell/build', operation: 'cp  dist/app.txt', regenerate_command: 'bach run shell/build', outputs: ['dist/app.txt'], inputs: ['src'] };
    const packaged = { target: 'shell/package', operation: '', regenerate_command: 'bach run shell/package', outputs: [], inputs: ['dist'] };
    expect(paths).toEqual([
      { path: 'dist/app.txt', generated: true, source: false, producers: [build], consumers: [packaged], status: 'unknown', reasons: [] },
      { path: 'README.md', generated: false, source: false, producers: [], consumers: [], status: 'unknown', reasons: [] },
    ]);
  });

  test('[bach-provenance-usage] a path is needed', async () => {
    expect(await refused(FILE, 'provenance', 2)).toBe('provenance requires at least one path\nusage: bach provenance <path> [path ...]\n');
  });
});

test('[bach-validate-no-plugins] L24: validate runs no graph plugin', async () => {
  const project = bachProject('plugin "g" { shell = "touch ran; exit 1" }\nshell "x" {}\n');
  expect(await printed(project, 'validate')).toBe('Bachfile valid: 1 targets, 0 aliases, 0 inputs, 0 profiles\n');
  expect(existsSync(project.at('ran'))).toBe(false);
});

test('[bach-validate-idle-glob] a pattern that matches nothing is a warning, a plain path is none; the file stays valid', async () => {
  const project = bachProject('shell "x" { inputs = ["src/**/*.none", "gone.txt"] }\n');
  expect(await printed(project, 'validate')).toBe(
    'Bachfile:2:1: target "shell/x" input "src/**/*.none" matches no file\nBachfile valid: 1 targets, 0 aliases, 0 inputs, 0 profiles\n',
  );
});

test('[bach-look-printed] each line of the reference runs as printed', async () => {
  const project = bachProject(`${POLICY}
shell "test-api" { inputs = ["packages/api/src"] }
shell "docs-generate" { outputs = ["docs/reference.md"] }
shell "gen" { inputs = ["internal"] }
`);
  const lines: readonly (readonly [line: string, prints: RegExp])[] = [
    ['bach list --aliases', /^shell\/test-api$/m],
    ['bach list --generated', /^policy\.merge@agent\.checkout_refactor /m],
    ['bach explain shell/test-api', /^Target: shell\/test-api\n/],
    ['bach explain policy.merge@agent.checkout_refactor', / {2}generated: true\n/],
    ['bach graph', /^flowchart TD\n/],
    ['bach affected packages/api/src/foo.ts', /^shell\/test-api 1 packages\/api\/src\n$/],
    ['bach provenance docs/reference.md', /^ {2}- shell\/docs-generate$/m],
    ['bach provenance --json internal/runner/plan.go', /"target": "shell\/gen"/],
  ];
  for (const [line, prints] of lines) expect(await printed(project, line.replace(/^bach /, ''))).toMatch(prints);
});
