import { describe, expect, test } from 'vitest';
import { linesOf } from './support.ts';
import { planned, projectOf, told } from './told.ts';

/** A `shell` target with these lines. */
const shell = (body: string) => `shell "a" {\n${body}\n}\n`;

describe('what every target may say', () => {
  test.each(['shell', 'image', 'group', 'pipeline'])('[bach-risk-flags] of a %s', async (kind) => {
    for (const flag of ['remote', 'destructive', 'requires_confirmation']) {
      const text = (value: string) => `${kind} "a" { ${flag} = ${value} }\n`;
      const risks = { remote: false, destructive: false, requires_confirmation: false, labels: [] };
      expect(await planned(text('true'), `${kind}/a`)).toMatchObject({ risks: { ...risks, [flag]: true, labels: [flag] } });
      expect(await planned(text('false'), `${kind}/a`)).toMatchObject({ risks });
      expect(await told(text('«"perhaps"»'))).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: Incorrect attribute value type; /)]);
    }
  });

  test.each(['workdir = "x"', 'outputs = []', 'command = ["true"]', 'shell = "true"', 'env = []'])(
    '[bach-composite-fields] a group and a pipeline have no %s',
    async (line) => {
      const [name = ''] = line.split(' ');
      for (const kind of ['group', 'pipeline']) {
        expect(await told(`${kind} "a" { ${line.replace(name, `«${name}»`)} }\n`)).toEqual([
          expect.stringContaining(`Unsupported argument; An argument named "${name}" is not expected here`),
        ]);
      }
    },
  );

  test('[bach-composite-fields] but metadata, timeout and lock', async () => {
    const fields = 'description = "d"\nwhen = "w"\ncost = "low"\nremote = true\ntimeout = "1m"\nlock = "l"\n';
    const text = `group "g" {\ntargets = []\n${fields}}\npipeline "p" {\nsteps = []\n${fields}}\n`;
    expect(await told(text)).toEqual([]);
    expect(await planned(text, 'group/g')).toMatchObject({ lock: 'l' });
    expect(await planned(text, 'pipeline/p')).toMatchObject({ lock: 'l' });
  });

  test('[bach-composite-fields] a shell target has no steps and no targets', async () => {
    expect(await told(shell('  «steps» = []'))).toEqual([expect.stringContaining('Unsupported argument')]);
    expect(await told(shell('  «targets» = []'))).toEqual([expect.stringContaining('Unsupported argument')]);
  });

  test.each(['group', 'pipeline'])('[bach-composite-contract] on a %s', async (kind) => {
    const text = `${kind} "c" {
  «retry» { attempts = 2 }
  «success_when» { file_exists = "a" }
  «fail_when» { file_exists = "b" }
}
`;
    expect(await told(text)).toEqual(
      ['retry', 'success_when', 'fail_when'].map(
        (word) => `warning: target "${kind}/c" ${word} has no effect on a ${kind}; it belongs to its targets`,
      ),
    );
  });

  test('[bach-composite-any] images and agents are steps and members too', async () => {
    const text = `provider "p" { type = "opencode" }
agent "worker" {
  provider = provider.p
  plan     = "plan.md"
}
image "app" { tags = ["1"] }
pipeline "p" { steps = [image.app, agent.worker] }
group "g" { targets = [image.app, agent.worker] }
`;
    expect(await told(text)).toEqual([]);
    const { stdout } = await projectOf(text).bach(['explain', 'pipeline/p']);
    expect(stdout).toContain('Steps:\n  - image/app\n  - agent/worker\n');
    expect(await planned('image "app" { tags = ["1"] }\ngroup "g" { targets = [image.app] }\n', 'group/g')).toMatchObject({ targets: ['image/app'] });
  });

  test.each([
    ['shell', 'depends_on'],
    ['group', 'targets'],
    ['pipeline', 'steps'],
  ])('[bach-reference-list] of a %s, %s', async (kind, field) => {
    const fault = async (value: string) => await told(`shell "b" {}\n${kind} "a" { ${field} = ${value} }\n`);
    const subject = `target "${kind}/a" ${field}:`;
    expect(await fault('«shell.b»')).toEqual([`${subject} must be a list of target references`]);
    expect(await fault('[shell.b, «["shell.b"]»]')).toEqual([`${subject} entries must be target references`]);
    expect(await fault('[«"b"», shell.b]')).toEqual([`${subject} invalid target reference "b": use type.name, for example shell.test`]);
    expect(await fault('[]')).toEqual([]);
  });

  test.each([
    ['description = «["x"]»', 'description: a tuple is not a string'],
    ['lock = «["x"]»', 'lock: a tuple is not a string'],
    ['quiet = «"maybe"»', 'quiet: the string "maybe" is not a bool'],
    ['command = «"true"»', 'command: the string "true" is not a list'],
    ['inputs = «"a"»', 'inputs: the string "a" is not a list'],
    ['shell = «{ a = "b" }»', 'shell: an object is not a string'],
  ])('[bach-value-types] %s', async (line, message) => {
    expect(await told(shell(line))).toEqual([expect.stringContaining(`Incorrect attribute value type; target "shell/a" ${message}`)]);
  });

  test('[bach-empty-values] null is as if nothing were said', async () => {
    const text = shell('  description = null\n  timeout = null\n  command = null\n  shell = "echo one"\n  workdir = null');
    expect(linesOf((await projectOf(text).bach(['run', 'shell/a'])).stdout)[1]).toBe('[shell/a] one');
  });
});

describe('retry', () => {
  test('[bach-retry] all it has', async () => {
    const text = shell('  command = ["false"]\n  retry {\n    attempts = 2\n    backoff = "1ms"\n    retry_on_quality_gate_failure = true\n  }');
    expect(await told(text)).toEqual([]);
    expect((await projectOf(text).bach(['run', 'shell/a'])).stdout).toContain('retry attempt 2/2');
    expect(await told(shell('  retry {\n    attempts = 1\n    retry_on_quality_gate_failure = «"no?"»\n  }'))).toEqual([
      expect.stringContaining('Incorrect attribute value type'),
    ]);
  });

  test.each([
    ['retry {\nattempts = «0»\n}', 'retry attempts must be greater than zero'],
    ['retry {\nattempts = «-1»\n}', 'retry attempts must be greater than zero'],
    ['retry {\nattempts = «1.5»\n}', 'retry attempts must be a whole number'],
    ['«retry» {}', 'retry attempts must be greater than zero'],
    ['retry {\nattempts = 1\nbackoff = «"-1s"»\n}', 'retry backoff must not be negative'],
    ['retry {\nattempts = 1\nbackoff = «"soon"»\n}', 'retry backoff "soon" is invalid: want a duration such as 500ms or 2s'],
    ['retry {\nattempts = 1\n}\n«retry» {\nattempts = 1\n}', 'must have at most one retry block'],
  ])('[bach-retry-invalid] %j', async (block, message) => {
    expect(await told(shell(block))).toEqual([`target "shell/a" ${message}`]);
  });
});

describe('tools and preflights', () => {
  test.each([
    ['tools = «"go"»', 'tools must be a list'],
    ['tools = [«"go"»]', 'tools entries must be objects'],
    ['tools = [«{ version = "1" }»]', 'tool requirement must set name'],
    ['tools = [{ name = "go" }, «{ name = "b", command = ["", "x"] }»]', 'tool "b" command must not start with an empty string'],
    ['tools = [«{ name = "b", command = "b -v" }»]', 'tools command must be a list of strings'],
    ['tools = [«{ name = ["b"] }»]', 'tools name must be a string'],
    ['tools = [«{ name = "b", comand = ["b"] }»]', 'tools entries have no "comand"; did you mean "command"?'],
  ])('[bach-tools-shape] %s', async (line, message) => {
    expect(await told(shell(line))).toEqual([`target "shell/a" ${message}`]);
  });

  test.each([
    ['preflights = «{}»', 'preflights must be a list'],
    ['preflights = [«["a"]»]', 'preflights entries must be objects'],
    ['preflights = [«{ command = ["a"] }»]', 'preflight must set name or kind'],
    ['preflights = [«{ name = "login" }»]', 'preflight "login" must set command'],
    ['preflights = [«{ kind = "aws", command = [] }»]', 'preflight "aws" must set command'],
    ['preflights = [«{ kind = "aws", command = [""] }»]', 'preflight "aws" command must not start with an empty string'],
    ['preflights = [«{ name = "a", command = [["b"]] }»]', 'preflights command must be a list of strings'],
    ['preflights = [«{ name = "a", command = ["b"], version = "1" }»]', 'preflights entries have no "version"'],
  ])('[bach-preflights-shape] %s', async (line, message) => {
    expect(await told(shell(line))).toEqual([`target "shell/a" ${message}`]);
  });

  test('[bach-tools-shape, bach-preflights-shape] whole entries', async () => {
    const text = shell('  tools = [{ name = "go" }]\n  preflights = [{ name = "n", command = ["a"], fix = "f" }, { kind = "k", command = ["b"] }]');
    expect(await planned(text, 'shell/a')).toMatchObject({
      tools: [{ name: 'go' }],
      preflights: [{ name: 'n', command: ['a'], fix: 'f' }, { kind: 'k', command: ['b'] }],
    });
  });
});

describe('completion contracts', () => {
  const wanted = 'must set exactly one of output_contains, file_exists, or command';

  test.each(['success_when', 'fail_when'])('[bach-completion-one] %s', async (type) => {
    for (const body of ['', 'output_contains = "a"\nfile_exists = "b"', 'file_exists = "a"\ncommand = ["b"]', 'output_contains = ""']) {
      expect(await told(shell(`«${type}» {\n${body}\n}`))).toEqual([`target "shell/a" ${type} ${wanted}`]);
    }
    expect(await told(shell(`${type} {\noutput_contains = "a"\n}\n${type} {\nfile_exists = "b"\n}\n${type} {\ncommand = ["c"]\n}`))).toEqual([]);
  });

  test('[bach-run-directory-contracts] $(RUN_DIRECTORY) stands in their paths and commands', async () => {
    const text = (file: string) =>
      shell(`  command = ["touch", "$(RUN_DIRECTORY)/made"]
  success_when { command = ["test", "-e", "$(RUN_DIRECTORY)/${file}"] }
  success_when { file_exists = "$(RUN_DIRECTORY)/${file}" }`);
    expect((await projectOf(text('made')).bach(['run', 'shell/a'])).exit).toBe(0);
    expect((await projectOf(text('other')).bach(['run', 'shell/a'])).exit).toBe(1);
  });
});

describe('images', () => {
  const operation = async (body: string, env: Readonly<Record<string, string>> = {}) => {
    const entry = (await planned(`image "app" {\n${body}\n}\n`, 'image/app', { env: { PATH: process.env['PATH'] ?? '', ...env } })) as object;
    return 'operation' in entry ? entry.operation : undefined;
  };

  test('[bach-image-fields] their defaults', async () => {
    expect(await operation('  image = "example/app"')).toBe('docker build --file Dockerfile --tag example/app .');
    expect(await operation('  dockerfile = "Dockerfile"')).toBe('docker build --file Dockerfile --tag app .');
  });

  test('[bach-image-fields] all of them', async () => {
    const body = `  builder         = "podman"
  image           = "example/app"
  tags            = ["1"]
  dockerfile      = "Dockerfile.app"
  context         = "src"
  platform        = "linux/amd64"
  push            = true
  build_args_list = ["Z=1"]
  build_args      = { B = "2", A = 1 }`;
    expect(await operation(body)).toBe(
      'podman build --platform linux/amd64 --file Dockerfile.app --tag example/app:1 --build-arg Z=1 --build-arg A=1 --build-arg B=2 src && podman push example/app:1',
    );
  });

  test('[bach-image-fields] metadata, inputs, dependencies and a lock, as of shell targets', async () => {
    const text = 'resource "r" {}\nshell "b" {}\nimage "app" {\n  tags = ["1"]\n  lock = "builder"\n  inputs = ["Bachfile"]\n  depends_on = [shell.b]\n  produces = [resource.r]\n  cost = "high"\n}\n';
    expect(await planned(text, 'image/app')).toMatchObject({ lock: 'builder', inputs: ['Bachfile'], depends_on: ['shell/b'] });
    expect((await projectOf(text).bach(['explain', 'image/app'])).stdout).toMatch(/^Cost: high\n[^]*^Produces:\n {2}- resource\/r$/m);
  });

  test.each([
    ['  builder = "podman"', { OCI_BUILDER: 'container' }, 'podman'],
    ['  tags = ["1"]', { OCI_BUILDER: 'container' }, 'container'],
    ['  tags = ["1"]', { OCI_BUILDER: '' }, 'docker'],
    ['  tags = ["1"]', {}, 'docker'],
  ])('[bach-image-builder] %s with %j: %s', async (body, env, builder) => {
    expect(await operation(body, env)).toMatch(new RegExp(`^${builder} build `));
  });

  test('[bach-image-tags] with a colon, with a slash, with neither', async () => {
    expect(await operation('  image = "example/app"\n  tags = ["1", "other:2", "host/other"]')).toBe(
      'docker build --file Dockerfile --tag example/app:1 --tag other:2 --tag host/other .',
    );
  });

  test('[bach-image-push-container] pushed by another command of Apple container', async () => {
    expect(await operation('  builder = "container"\n  tags = ["1"]\n  push = true')).toMatch(/ && container image push app:1$/);
  });

  test('[bach-image-idle] without a word about an image', async () => {
    expect(await operation('  description = "nothing"')).toBeUndefined();
    const text = 'shell "b" {}\nimage "app" { depends_on = [shell.b] }\n';
    expect(linesOf((await projectOf(text).bach(['run', 'image/app'])).stdout).slice(0, 2)).toEqual(['[shell/b] noop', '[image/app] aggregate']);
  });

  test('[bach-image-fields] a faulty build_args', async () => {
    expect(await told('image "app" { build_args = «["A=1"]» }\n')).toEqual([
      expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: Incorrect attribute value type; target "image\/app" build_args: /),
    ]);
  });
});
