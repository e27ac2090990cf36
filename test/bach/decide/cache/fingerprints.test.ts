import { describe, expect, test } from 'vitest';
import { Fingerprints } from '../../../../src/bach/decide/index.ts';
import type { Policy, Project, Quality, RegoPolicy, Target } from '../../../../src/bach/model/index.ts';
import { implementer, policy, project, target } from '../look/fixtures.ts';
import { command, ended, entries, fingerprintsOf, learned, NOTHING_SEEN, paths, sha } from './fixtures.ts';

const file = (path: string, content: string) => ({ path, hash: sha(content) });

function quality(regoPolicies: readonly Partial<RegoPolicy>[]): Project['qualities'] {
  const rules = regoPolicies.map((rule) => ({ path: 'p.rego', package: '', allow: '', findings: '', ...rule }));
  const block: Quality = { target: 'shell/a', reports: [], gates: [], regoPolicies: rules };
  return new Map([['shell/a', block]]);
}

describe('the whole', () => {
  test('is made of the parts in the order of their names', () => {
    const { hash, parts } = learned([command('shell/a')]);
    expect(hash).toBe(sha(ended('dependencies', parts.dependencies, 'env', parts.env, 'inputs', parts.inputs, 'operation', parts.operation, 'outputs', parts.outputs)));
  });
});

describe('operation', () => {
  const textOf: readonly (readonly [string, Target, string])[] = [
    ['a command', command('shell/a', { lock: 'db', workdir: 'web' }), ended('shell/a', 'shell', 'db', 'command', 'make\0shell/a', 'shell', '', 'workdir', 'web')],
    ['a script', target('shell/a', { operation: { kind: 'shell', script: 'go $X' } }), ended('shell/a', 'shell', '', 'command', '', 'shell', 'go $X', 'workdir', '')],
    ['a target without one', target('shell/a'), ended('shell/a', 'shell', '', 'command', '', 'shell', '', 'workdir', '')],
    ['a pipeline, in the order of its steps', target('pipeline/a', { children: ['shell/z', 'shell/b'] }), ended('pipeline/a', 'pipeline', '', 'steps', 'shell/z\0shell/b')],
    ['a group, in no order', target('group/a', { children: ['shell/z', 'shell/b'] }), ended('group/a', 'group', '', 'targets', 'shell/b\0shell/z')],
    ['an image that builds nothing', target('image/a'), ended('image/a', 'image', '')],
    [
      'checks, those of a success first',
      target('shell/a', {
        failWhen: [{ kind: 'command', argv: ['test', '-f', 'x'] }],
        successWhen: [{ kind: 'output_contains', text: 'done' }, { kind: 'file_exists', path: 'dist' }],
      }),
      ended('shell/a', 'shell', '', 'command', '', 'shell', '', 'workdir', '')
        + ended('success-when', 'done', 'success-when', '', 'success-when', '', 'success-when', '', 'success-when', 'dist', 'success-when', '')
        + ended('fail-when', '', 'fail-when', '', 'fail-when', 'test\0-f\0x'),
    ],
  ];

  test.each(textOf)('%s', (_, each, text) => {
    expect(learned([each]).parts.operation).toBe(sha(text));
  });

  test('an image, by all that its build is made of', () => {
    const operation = {
      kind: 'image', builder: 'docker', image: 'app', tags: ['v1', 'v2'], fullTags: ['app:v1', 'app:v2'], dockerfile: 'Dockerfile', context: '.',
      platform: 'linux/arm64', push: true, buildArgs: ['A=1', 'B=2'],
    } as const;
    const details = ended('build-args', 'A=1\0B=2', 'builder', 'docker', 'context', '.', 'dockerfile', 'Dockerfile', 'image', 'app');
    const rest = ended('platform', 'linux/arm64', 'push', 'true', 'tags', 'v1\0v2');
    expect(learned([target('image/a', { operation })]).parts.operation).toBe(sha(ended('image/a', 'image', '') + details + rest));
  });

  test('an agent, with its provider and its reviewers', () => {
    const agent = { ...implementer('merge'), provider: 'p', improve: { maxAttempts: 3, until: 'policy.passed' } };
    const providers: Project['providers'] = new Map([['p', { name: 'p', type: 'agent', command: ['run', 'it'] }]]);
    const rule: Policy = policy('merge', [], { reviewers: ['agent/r', 'agent/s'] });
    const world = { providers, policies: new Map([['merge', rule]]) };
    const text = ended('agent/x', 'agent', '', 'git-branch', '', 'git-commit', '', 'max-attempts', '3', 'mode', 'implement', 'plan', '', 'policy', 'merge', 'prompt', '')
      + ended('provider-command', 'run\0it', 'provider-name', 'p', 'provider-type', 'agent', 'reviewers', 'agent/r\0agent/s', 'role', '', 'until', 'policy.passed')
      + ended('workspace-mode', 'worktree', 'workspace-path', '.bach/agents/x');
    expect(learned([target('agent/x', { agent })], NOTHING_SEEN, world).parts.operation).toBe(sha(text));
    const bare = learned([target('agent/x', { agent: implementer('') })]).parts.operation;
    expect(bare).toBe(sha(ended('agent/x', 'agent', '', 'git-branch', '', 'git-commit', '', 'max-attempts', '', 'mode', 'implement', 'plan', '', 'policy', '', 'prompt', '')
      + ended('provider-command', '', 'provider-name', '', 'provider-type', '', 'reviewers', '', 'role', '', 'until', '', 'workspace-mode', 'worktree', 'workspace-path', '.bach/agents/x')));
  });

  test.each([
    ['another package', { package: 'gate' }],
    ['another query', { allow: 'data.x.allow' }],
    ['other findings', { findings: 'data.x.findings' }],
  ])('rules that judge the result take part with their queries: %s', (_, rule) => {
    const before = learned([command('shell/a')], NOTHING_SEEN, { qualities: quality([{}]) });
    const after = learned([command('shell/a')], NOTHING_SEEN, { qualities: quality([rule]) });
    expect(after.parts.operation).not.toBe(before.parts.operation);
    expect(after.parts.inputs).toBe(before.parts.inputs);
  });
});

describe('env', () => {
  const envOf = (own: Readonly<Record<string, string>>, world: Parameters<typeof learned>[2] = {}): string =>
    learned([command('shell/a', { environment: entries(own) })], NOTHING_SEEN, world).parts.env;

  test('project, selected profiles with their entries, target, and the files', () => {
    const profiles = { selected: ['ci', 'fast'], environment: entries({ P: '2' }), declared: [] };
    const world = { environment: entries({ A: '1', B: '' }), profiles, environmentFiles: entries({ Z: '9', F: '0' }) };
    const text = `${ended('A=1\0B=', 'ci\0fast', 'P=2', 'T=3')}dotenv\0${ended('F=0', 'Z=9')}`;
    expect(envOf({ T: '3' }, world)).toBe(sha(text));
    expect(envOf({})).toBe(sha(ended('', '', '', '')));
  });

  test('targets with the same entries share it', () => {
    const fingerprints = fingerprintsOf([]);
    const [first, second] = ['shell/a', 'shell/b'].map((name) => fingerprints.learn(command(name, { environment: entries({ T: '1' }) }), NOTHING_SEEN));
    expect(second!.parts.env).toBe(first!.parts.env);
    expect(second!.hash).not.toBe(first!.hash);
  });

  test('a later file stands above an earlier one, and only what counts in the end does', () => {
    const twice = [...entries({ X: '1', Y: '5' }), ...entries({ X: '2' })];
    expect(envOf({}, { environmentFiles: twice })).toBe(envOf({}, { environmentFiles: entries({ Y: '5', X: '2' }) }));
    expect(envOf({}, { environmentFiles: twice })).not.toBe(envOf({}, { environmentFiles: twice.toReversed() }));
  });

  test('an entry that moves from a file to the target is seen: the project may stand between them', () => {
    const environment = entries({ X: '0' });
    expect(envOf({ X: '1' }, { environment })).not.toBe(envOf({}, { environment, environmentFiles: entries({ X: '1' }) }));
  });
});

describe('inputs', () => {
  const files = [file('src/a', 'one'), file('src/b', 'two')];

  test('the references as written, then each file with the hash of its bytes', () => {
    const { parts } = learned([command('shell/a', { inputs: ['file/src', 'go.mod'] })], { inputs: files, missing: [] });
    expect(parts.inputs).toBe(sha(ended('file/src\0go.mod', 'src/a', sha('one'), 'src/b', sha('two'))));
    expect(learned([command('shell/a')]).parts.inputs).toBe(sha(ended('')));
  });

  test('the files of rules that judge the result are among them', () => {
    const { parts } = learned([command('shell/a', { inputs: ['x'] })], { inputs: [file('p.rego', 'r')], missing: [] }, { qualities: quality([{}]) });
    expect(parts.inputs).toBe(sha(ended('x\0p.rego', 'p.rego', sha('r'))));
  });

  test('a long list is hashed once for all that share it, and by its references', () => {
    const long = Array.from({ length: 20 }, (_, i) => file(`src/${String(i).padStart(2, '0')}`, 'x'));
    let digested = 0;
    const digest = (text: string): string => {
      if (text.includes('src/19')) digested++;
      return sha(text);
    };
    const counting = new Fingerprints({ project: project({ targets: [] }), environmentFiles: [], digest });
    const hashOf = (name: string, inputs: readonly string[], seen = long): string => counting.learn(command(name, { inputs }), { inputs: seen, missing: [] }).parts.inputs;
    expect(hashOf('shell/b', ['src'])).toBe(hashOf('shell/a', ['src']));
    expect(digested).toBe(1);
    expect(hashOf('shell/c', ['src/**'])).not.toBe(hashOf('shell/a', ['src']));
    expect(hashOf('shell/d', ['src'], [...long])).toBe(hashOf('shell/a', ['src']));
  });

  test.each([1, 20])('a file that is being written to makes it not firm, among %i', (count) => {
    const seen = [...Array.from({ length: count - 1 }, (_, i) => file(`a${String(i).padStart(2, '0')}`, 'x')), { path: 'z', hash: undefined }];
    const { hash, parts } = learned([command('shell/a', { inputs: ['.'] })], { inputs: seen, missing: [] });
    expect([hash, parts.inputs]).toEqual(['', '']);
    expect(parts.operation).not.toBe('');
  });
});

describe('outputs', () => {
  test('the paths, then those that are missing', () => {
    const { parts } = learned([command('shell/a', { outputs: paths('b', 'a') })], { inputs: [], missing: ['a'] });
    expect(parts.outputs).toBe(sha(ended('b\0a', 'missing', 'a')));
  });

  test('named ones in the order of their names, however they are written', () => {
    const outputs = [{ name: 'z', path: 'one' }, { name: 'b', path: 'two' }, { name: 'c', path: 'three' }, { name: 'b', path: 'four' }];
    const other = [outputs[2]!, outputs[1]!, outputs[3]!, outputs[0]!];
    expect(learned([command('shell/a', { outputs })]).parts.outputs).toBe(sha(ended('two\0four\0three\0one')));
    expect(learned([command('shell/a', { outputs: other })]).hash).toBe(learned([command('shell/a', { outputs })]).hash);
  });
});

describe('dependencies', () => {
  const dep = command('shell/dep');
  const other = command('shell/also');

  test('each once, by name, with its fingerprint of this run', () => {
    const both = [dep, other, command('shell/a', { dependsOn: ['shell/dep', 'shell/also', 'shell/dep'] })];
    expect(learned(both).parts.dependencies).toBe(sha(ended('shell/also', learned([other]).hash, 'shell/dep', learned([dep]).hash)));
    expect(learned([dep, command('shell/a', { dependsOn: ['shell/dep'] })]).parts.dependencies).toBe(sha(ended('shell/dep', learned([dep]).hash)));
    expect(learned([dep]).parts.dependencies).toBe(sha(''));
  });

  test.each([
    ['a group', target('group/g', { children: ['shell/dep'] })],
    ['a pipeline', target('pipeline/g', { children: ['shell/dep'], dependsOn: ['shell/also'] })],
    ['an aggregate', target('shell/g', { dependsOn: ['shell/dep'] })],
  ])('%s passes on what its members are', (_, composite) => {
    const top = command('shell/top', { dependsOn: [composite.name] });
    const moved = command('shell/dep', { workdir: 'else' });
    const [before, after] = [dep, moved].map((each) => learned([each, other, composite, top]));
    expect(after!.parts.dependencies).not.toBe(before!.parts.dependencies);
    expect(after!.parts.operation).toBe(before!.parts.operation);
  });

  test('what nobody learned, or was spoilt, makes not firm all that rests on it', () => {
    const fingerprints = fingerprintsOf([dep]);
    const chain = [command('shell/b', { dependsOn: ['shell/dep'] }), command('shell/c', { dependsOn: ['shell/b'] })];
    const hashes = (): readonly string[] => chain.map((each) => fingerprints.learn(each, NOTHING_SEEN).hash);
    expect(hashes()).toEqual(['', '']);
    fingerprints.learn(dep, NOTHING_SEEN);
    expect(hashes()).not.toContain('');
    fingerprints.spoil(dep);
    expect(hashes()).toEqual(['', '']);
    expect(fingerprints.learn(chain[0]!, NOTHING_SEEN).parts.dependencies).toBe('');
  });
});

describe('what has to be learned before', () => {
  const namesBefore = (targets: readonly Target[], known: readonly string[] = []): readonly string[] => {
    const fingerprints = fingerprintsOf(targets);
    for (const each of targets.filter(({ name }) => known.includes(name))) fingerprints.learn(each, NOTHING_SEEN);
    return fingerprints.unknownBefore(targets.at(-1)!).map(({ name }) => name);
  };
  const targets = [
    command('shell/x'),
    command('shell/y', { dependsOn: ['shell/x'] }),
    target('group/g', { children: ['shell/y', 'shell/x', 'shell/gone'] }),
    target('shell/all', { dependsOn: ['group/g'] }),
    command('shell/top', { dependsOn: ['shell/all', 'group/g'] }),
  ];

  test.each([
    ['everything, each after what it needs', [], ['shell/x', 'shell/y', 'group/g', 'shell/all']],
    ['only what is not known', ['shell/x', 'shell/y'], ['group/g', 'shell/all']],
    ['nothing below what is known', ['group/g'], ['shell/all']],
    ['nothing', ['shell/all', 'group/g'], []],
  ])('%s', (_, known, expected) => {
    expect(namesBefore(targets, known)).toEqual(expected);
  });

  test('a circle ends', () => {
    const circle = [target('group/a', { children: ['group/b'] }), target('group/b', { children: ['group/a'] })];
    expect(namesBefore(circle)).toEqual(['group/a']);
  });

  test('groups in groups, 10,000 deep', () => {
    const deep = Array.from({ length: 10_000 }, (_, i) => target(`group/g${i}`, { children: i === 0 ? [] : [`group/g${i - 1}`] }));
    expect(namesBefore(deep)).toHaveLength(9_999);
  });
});
