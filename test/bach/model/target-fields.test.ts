import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../src/kernel/text/index.ts';
import { faults, projectOf, read, shell, targets } from './reading.ts';

describe('common fields', () => {
  const common = `when = "now"
remote = true
destructive = false
requires_confirmation = "true"
quiet = true
timeout = "20ms"
tools = [
  { name = "go", command = ["go", "version"], version = "1.24+", fix = "install go" },
  { name = "make" },
]
preflights = [
  { name = "session", kind = "k", command = ["who"], fix = "log in" },
  { kind = "registry", command = ["pm", "whoami"] },
]`;
  const decoded = {
    when: 'now',
    risks: { remote: true, destructive: false, requiresConfirmation: true },
    quiet: true,
    timeoutMs: 20,
    tools: [
      { name: 'go', command: ['go', 'version'], version: '1.24+', fix: 'install go' },
      { name: 'make', command: [], version: '', fix: '' },
    ],
    preflights: [
      { label: 'session', name: 'session', kind: 'k', command: ['who'], fix: 'log in' },
      { label: 'registry', name: '', kind: 'registry', command: ['pm', 'whoami'], fix: '' },
    ],
  };

  test.each(['shell', 'image', 'group', 'pipeline'])('a %s has them', (kind) => {
    expect(targets(`${kind} "x" {\n${common}\n}`).get(`${kind}/x`)).toMatchObject(decoded);
  });

  test('those of an agent, its lock by its mode, its files as inputs', () => {
    const agent = (name: string, body: string): string => `agent "${name}" {\n  provider = provider.cli\n${body}\n}\n`;
    const text = `provider "cli" {
  type    = "agent"
  command = ["cli"]
}
prompt "p" { path = "prompts/p.md" }
policy "gate" { required_targets = [shell.x] }
shell "x" {}
${agent('work', `${common}\nplan = "plans/a.md"\nprompt = prompt.p\ninputs = ["docs"]\noutputs = { report = "r.json" }\npolicy = policy.gate`)}
${agent('land', 'mode = "merge"\nsubject = agent.work')}
shell "after" { description = agent.work.outputs.report }`;
    const found = targets(text);
    expect(found.get('agent/work')).toMatchObject({ ...decoded, kind: 'agent', lock: '', runnable: true, operation: undefined });
    expect(found.get('agent/work')?.inputs).toEqual(['docs', 'prompts/p.md', 'plans/a.md']);
    expect(found.get('agent/work')?.agent).toMatchObject({ mode: 'implement', provider: 'cli', policy: 'gate' });
    expect(found.get('agent/land')).toMatchObject({ lock: 'merge-lane' });
    expect(found.get('shell/after')?.description).toBe('r.json');
  });

  test('what is not set has its default', () => {
    expect(shell('')).toMatchObject({
      when: '',
      risks: { remote: false, destructive: false, requiresConfirmation: false },
      quiet: false,
      retry: undefined,
      tools: [],
      preflights: [],
      inputs: [],
      produces: [],
      successWhen: [],
      failWhen: [],
      agent: undefined,
    });
  });

  test.each([
    ['tools = { name = "go" }', '3:9: target "shell/x" tools must be a list'],
    ['tools = ["go"]', '3:10: target "shell/x" tools entries must be objects'],
    ['tools = [{ name = "go" }, { fix = "x" }]', '3:27: target "shell/x" tool requirement must set name'],
    ['tools = [{ name = "" }]', '3:10: target "shell/x" tool requirement must set name'],
    ['tools = [{ name = "go", command = ["", "x"] }]', '3:10: target "shell/x" tool "go" command must not start with an empty string'],
    ['tools = [{ name = 5 }]', '3:10: target "shell/x" tools name must be a string'],
    ['tools = [{ name = "go", command = "go" }]', '3:10: target "shell/x" tools command must be a list of strings'],
    ['tools = [{ name = "go", comand = [] }]', '3:10: target "shell/x" tools entries have no "comand"; did you mean "command"?'],
    ['preflights = "x"', '3:14: target "shell/x" preflights must be a list'],
    ['preflights = [5]', '3:15: target "shell/x" preflights entries must be objects'],
    ['preflights = [{ command = ["x"] }]', '3:15: target "shell/x" preflight must set name or kind'],
    ['preflights = [{ name = "n", fix = "f" }]', '3:15: target "shell/x" preflight "n" must set command'],
    ['preflights = [{ kind = "k", command = [""] }]', '3:15: target "shell/x" preflight "k" command must not start with an empty string'],
    ['remote = "maybe"', expect.stringContaining('Incorrect attribute value type; target "shell/x" remote: ')],
    ['quiet = [true]', expect.stringContaining('Incorrect attribute value type; target "shell/x" quiet: ')],
  ])('%s', (attributes, message) => {
    expect(faults(`shell "x" {\n${attributes}\n}`)).toEqual([message]);
  });
});

describe('retry', () => {
  test('what one says', () => {
    expect(shell('retry {\n  attempts = 3\n  backoff = "2s"\n  retry_on_quality_gate_failure = true\n}')?.retry).toEqual({
      attempts: 3,
      backoffMs: 2000,
      onQualityGateFailure: true,
    });
    expect(shell('retry { attempts = "2" }')?.retry).toEqual({ attempts: 2, backoffMs: 0, onQualityGateFailure: false });
  });

  test.each([
    ['retry { attempts = 0 }', '3:20: target "shell/x" retry attempts must be greater than zero'],
    ['retry { attempts = -1 }', '3:20: target "shell/x" retry attempts must be greater than zero'],
    ['retry { attempts = 1.5 }', '3:20: target "shell/x" retry attempts must be a whole number'],
    ['retry {}', '3:1: target "shell/x" retry attempts must be greater than zero'],
    ['retry { attempts = "x" }', expect.stringContaining('target "shell/x" retry attempts: ')],
    ['retry {\nattempts = 1\nbackoff = "-1s"\n}', '5:11: target "shell/x" retry backoff must not be negative'],
    ['retry {\nattempts = 1\nbackoff = "soon"\n}', expect.stringContaining('5:11: target "shell/x" retry backoff "soon" is invalid: ')],
    ['retry {\nattempts = 1\ndelay = 1\n}', expect.stringContaining('Unsupported argument')],
    ['retry "x" { attempts = 1 }', expect.stringContaining('Extraneous label for retry')],
    ['retry { attempts = 1 }\nretry { attempts = 1 }', '4:1: target "shell/x" must have at most one retry block'],
  ])('%s', (block, message) => {
    expect(faults(`shell "x" {\n${block}\n}`)).toEqual([message]);
  });
});

describe('completion checks', () => {
  test('each of its kinds, in order', () => {
    const target = shell(`
  success_when { output_contains = "done" }
  fail_when { output_contains = "ROLLBACK" }
  success_when { file_exists = "$(RUN_DIRECTORY)/x" }
  success_when { command = ["./smoke.sh"] }`);
    expect(target?.successWhen).toEqual([
      { kind: 'output_contains', text: 'done' },
      { kind: 'file_exists', path: '$(RUN_DIRECTORY)/x' },
      { kind: 'command', argv: ['./smoke.sh'] },
    ]);
    expect(target?.failWhen).toEqual([{ kind: 'output_contains', text: 'ROLLBACK' }]);
  });

  const exactlyOne = 'must set exactly one of output_contains, file_exists, or command';
  test.each([
    ['success_when {}', `3:1: target "shell/x" success_when ${exactlyOne}`],
    ['fail_when {\noutput_contains = "a"\nfile_exists = "b"\n}', `3:1: target "shell/x" fail_when ${exactlyOne}`],
    ['success_when { output_contains = "" }', `3:1: target "shell/x" success_when ${exactlyOne}`],
    ['success_when { command = [] }', `3:1: target "shell/x" success_when ${exactlyOne}`],
    ['success_when { command = [""] }', '3:26: target "shell/x" success_when command must not start with an empty string'],
    ['success_when { file_exists = "../x" }', '3:30: target "shell/x" success_when file_exists "../x" must stay under the project root'],
    ['success_when {\noutput_contains = "a"\nexit_code = 0\n}', expect.stringContaining('Unsupported argument')],
  ])('%s', (block, message) => {
    expect(faults(`shell "x" {\n${block}\n}`)).toEqual([message]);
  });

  test('on a group they do nothing, which is said', () => {
    const { project, diagnostics } = read('project "p" {}\ngroup "g" {\n  retry { attempts = 2 }\n}\npipeline "p" {\n  fail_when { output_contains = "x" }\n}');
    expect(project?.targets.get('group/g')?.retry?.attempts).toBe(2);
    expect(diagnostics.map((each) => `${each.severity} ${formatDiagnostic(each)}`)).toEqual([
      'warning Bachfile:3:3: target "group/g" retry has no effect on a group; it belongs to its targets',
      'warning Bachfile:6:3: target "pipeline/p" fail_when has no effect on a pipeline; it belongs to its targets',
    ]);
  });
});

describe('images', () => {
  const image = (body: string, environment = {}) => targets(`image "app" {\n${body}\n}`, { environment }).get('image/app');

  test('everything', () => {
    const text = `builder = "container"
image = "example/app"
tags = ["latest", "reg/app", "x:1"]
dockerfile = "Dockerfile.app"
context = "app"
platform = "linux/amd64"
push = true
build_args = { B = "2", A = 1 }
build_args_list = ["Z=z"]
inputs = ["Dockerfile.app"]
lock = "builder"`;
    expect(image(text)).toMatchObject({
      kind: 'image',
      runnable: true,
      lock: 'builder',
      inputs: ['Dockerfile.app'],
      operation: {
        kind: 'image',
        builder: 'container',
        image: 'example/app',
        tags: ['latest', 'reg/app', 'x:1'],
        fullTags: ['example/app:latest', 'reg/app', 'x:1'],
        dockerfile: 'Dockerfile.app',
        context: 'app',
        platform: 'linux/amd64',
        push: true,
        buildArgs: ['Z=z', 'A=1', 'B=2'],
      },
    });
  });

  test('defaults', () => {
    expect(image('push = false')?.operation).toEqual({
      kind: 'image',
      builder: 'docker',
      image: 'app',
      tags: [],
      fullTags: ['app'],
      dockerfile: 'Dockerfile',
      context: '.',
      platform: '',
      push: false,
      buildArgs: [],
    });
  });

  test('the builder: its own, then OCI_BUILDER of the process, then docker', () => {
    const builder = (body: string, environment?: Record<string, string>) => {
      const operation = image(body, environment)?.operation;
      return operation?.kind === 'image' ? operation.builder : undefined;
    };
    expect(builder('builder = "own"', { OCI_BUILDER: 'podman' })).toBe('own');
    expect(builder('push = true', { OCI_BUILDER: 'podman' })).toBe('podman');
    expect(builder('push = true', { OCI_BUILDER: '' })).toBe('docker');
  });

  test('without a word about an image it only stands for what it depends on', () => {
    expect(image('description = "all"')).toMatchObject({ runnable: false, operation: undefined });
  });

  test.each([
    ['command = ["x"]', expect.stringContaining('Unsupported argument')],
    ['tags = "latest"', expect.stringContaining('Incorrect attribute value type; target "image/app" tags: ')],
    ['build_args = { A = ["x"] }', expect.stringContaining('Incorrect attribute value type; target "image/app" build_args: ')],
    ['push = "yes"', expect.stringContaining('Incorrect attribute value type; target "image/app" push: ')],
  ])('%s', (body, message) => {
    expect(faults(`image "app" {\n${body}\n}`)).toEqual([message]);
  });

  test('tags may be used as build arguments of others', () => {
    const { targets: found } = projectOf('image "base" {\n  image = "ex/base"\n  tags = ["local"]\n}\nimage "app" { build_args = { BASE = image.base.tag } }');
    expect(found.get('image/app')?.operation).toMatchObject({ buildArgs: ['BASE=ex/base:local'] });
  });
});

describe('references to targets', () => {
  test('all kinds can be named', () => {
    const text = 'image "i" {}\ngroup "g" { targets = [image.i, "pipeline.p"] }\npipeline "p" { steps = [image.i, shell.x] }\nshell "x" { depends_on = [image.i] }';
    expect(targets(text).get('group/g')?.children).toEqual(['image/i', 'pipeline/p']);
  });

  test('a policy is no target', () => {
    expect(faults('policy "p" { required_targets = [shell.x] }\nshell "x" { depends_on = [policy.p] }')).toEqual([
      '3:27: target "shell/x" depends_on: invalid target reference "policy.p": unknown target type "policy"',
    ]);
  });
});
