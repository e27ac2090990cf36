import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterSuccess, evidencePaths, Fingerprints, isCacheable, staleReasons, type Fingerprint, type Look } from '../../../../src/bach/decide/index.ts';
import type { EnvironmentEntry, Project, Target } from '../../../../src/bach/model/index.ts';
import { project, target } from '../look/fixtures.ts';
import { command, entries, paths, sha } from './fixtures.ts';

const NAMES = ['t0', 't1', 't2', 't3', 't4', 't5', 't6'];
const FILES = ['f0', 'f1', 'f2', 'f3'];

/** Everything that a result can depend on, as plain data. */
interface Scene {
  readonly targets: readonly Target[];
  readonly files: Readonly<Record<string, string>>;
  /** Outputs that somebody took away. */
  readonly gone: readonly string[];
  readonly environment: readonly EnvironmentEntry[];
  readonly profile: { readonly selected: readonly string[]; readonly environment: readonly EnvironmentEntry[] };
  readonly environmentFiles: readonly EnvironmentEntry[];
}

/** Earlier targets only are needed, so that the order of the list is one to run in. */
const anyTargets: fc.Arbitrary<readonly Target[]> = fc.tuple(...NAMES.map((name, index) => anyTarget(name, NAMES.slice(0, index))));

function anyTarget(name: string, earlier: readonly string[]): fc.Arbitrary<Target> {
  const needs = fc.subarray([...earlier], { maxLength: Math.min(3, earlier.length) });
  const group = needs.map((children) => target(name, { kind: 'group', children }));
  const aggregate = needs.map((dependsOn) => target(name, { kind: 'shell', dependsOn }));
  const fields = fc.record({ dependsOn: needs, inputs: fc.subarray(FILES), outputs: fc.constantFrom(paths(), paths(`${name}.out`)) });
  const runnable = fields.map((each) => command(name, { kind: 'shell', ...each, environment: entries({ OWN: name }) }));
  return fc.oneof({ weight: 5, arbitrary: runnable }, { weight: 1, arbitrary: group }, { weight: 1, arbitrary: aggregate });
}

const anyScene: fc.Arbitrary<Scene> = anyTargets.map((targets) => ({
  targets,
  files: { f0: 'a', f1: 'b', f2: 'c' },
  gone: [],
  environment: entries({ A: '1' }),
  profile: { selected: ['p'], environment: entries({ B: '2' }) },
  environmentFiles: entries({ C: '3' }),
}));

/** What one change does: the scene after it, and whose own ground it moves (all, some, or nobody's). */
interface Change {
  readonly label: string;
  readonly apply: (scene: Scene, at: number) => Scene;
  readonly moved: (scene: Scene, at: number) => readonly string[];
}

const own = (scene: Scene, at: number): readonly string[] => [scene.targets[at]!.name];
const everyone = ({ targets }: Scene): readonly string[] => targets.map(({ name }) => name);
const nobody = (): readonly string[] => [];
const readers = ({ targets }: Scene, at: number): readonly string[] =>
  targets.filter(({ inputs }) => inputs.includes(FILES[at % 3]!)).map(({ name }) => name);

function edited(label: string, edit: (each: Target) => Partial<Target>, moved: Change['moved'] = own): Change {
  const apply = (scene: Scene, at: number): Scene => ({ ...scene, targets: scene.targets.map((each, index) => (index === at ? { ...each, ...edit(each) } : each)) });
  return { label, apply, moved };
}

const CHANGES: readonly Change[] = [
  { label: 'a file has another content', apply: (scene, at) => ({ ...scene, files: { ...scene.files, [FILES[at % 3]!]: 'other' } }), moved: readers },
  {
    label: 'a file is gone',
    apply: (scene, at) => ({ ...scene, files: Object.fromEntries(Object.entries(scene.files).filter(([path]) => path !== FILES[at % 3])) }),
    moved: readers,
  },
  {
    label: 'a file is new',
    apply: (scene) => ({ ...scene, files: { ...scene.files, f3: 'new' } }),
    moved: ({ targets }) => targets.filter(({ inputs }) => inputs.includes('f3')).map(({ name }) => name),
  },
  { label: 'the environment of the project', apply: (scene) => ({ ...scene, environment: entries({ A: '9' }) }), moved: everyone },
  { label: 'the selection of profiles', apply: (scene) => ({ ...scene, profile: { ...scene.profile, selected: ['q'] } }), moved: everyone },
  { label: 'the entries of a profile', apply: (scene) => ({ ...scene, profile: { ...scene.profile, environment: entries({ B: '9' }) } }), moved: everyone },
  { label: 'a file of the environment', apply: (scene) => ({ ...scene, environmentFiles: entries({ C: '9' }) }), moved: everyone },
  { label: 'an entry goes to a file', apply: (scene) => ({ ...scene, environment: [], environmentFiles: entries({ A: '1', C: '3' }) }), moved: everyone },
  edited('a lock', () => ({ lock: 'db' })),
  edited('a contract', ({ successWhen }) => ({ successWhen: [...successWhen, { kind: 'file_exists', path: 'x' }] })),
  edited('another contract', ({ failWhen }) => ({ failWhen: [...failWhen, { kind: 'output_contains', text: 'x' }] })),
  edited('an own entry', () => ({ environment: entries({ OWN: 'else' }) })),
  edited('a reference that leads to no file', ({ inputs }) => ({ inputs: [...inputs, 'none'] })),
  edited('one more output', ({ outputs }) => ({ outputs: [...outputs, ...paths('more')] })),
  edited('the word of the operation', ({ operation }) => ({ operation: operation && { kind: 'command', argv: ['else'] } }), (scene, at) => (scene.targets[at]!.operation ? own(scene, at) : [])),
  edited('what says nothing', () => ({ description: 'x', when: 'y', cost: 'high', quiet: true, timeoutMs: 5, retry: { attempts: 2, backoffMs: 0, onQualityGateFailure: false } }), nobody),
  edited('what says nothing about the result', () => ({ tools: [{ name: 'go', command: [], version: '', fix: '' }], risks: { remote: true, destructive: false, requiresConfirmation: false } }), nobody),
  edited('the order of what is needed', ({ dependsOn }) => ({ dependsOn: dependsOn.toReversed() }), nobody),
  edited('the order of members', ({ children }) => ({ children: children.toReversed() }), nobody),
  edited('the order of its keys alone', (each) => Object.fromEntries(Object.entries(each).toReversed()), nobody),
];

function projectOf({ targets, environment, profile }: Scene): Project {
  return { ...project({ targets }), environment, profiles: { ...profile, declared: [] } };
}

function lookAt({ files, gone }: Scene, each: Target): Look {
  const inputs = Object.entries(files).filter(([path]) => each.inputs.includes(path)).map(([path, content]) => ({ path, hash: sha(content) }));
  return { inputs: inputs.toSorted((a, b) => (a.path < b.path ? -1 : 1)), missing: evidencePaths(each).filter((path) => gone.includes(path)) };
}

type Stored = ReadonlyMap<string, Fingerprint>;

function fingerprintsFor(scene: Scene): Fingerprints {
  return new Fingerprints({ project: projectOf(scene), environmentFiles: scene.environmentFiles, digest: sha });
}

/** Everything succeeds. */
function runAll(scene: Scene): Stored {
  const fingerprints = fingerprintsFor(scene);
  const stored = new Map<string, Fingerprint>();
  for (const each of scene.targets) {
    const look = lookAt(scene, each);
    const { kept } = afterSuccess(fingerprints, each, { before: look.inputs, now: look });
    if (isCacheable(each)) stored.set(each.name, kept!);
  }
  return stored;
}

/** As a dry run does it. */
function staleIn(scene: Scene, stored: Stored): readonly string[] {
  const fingerprints = fingerprintsFor(scene);
  return scene.targets.filter((each) => {
    const look = lookAt(scene, each);
    const before = stored.get(each.name);
    const evidence = {
      isForced: false,
      fingerprint: fingerprints.learn(each, look),
      stored: before && { fingerprint: before.hash, parts: () => before.parts },
      outputs: evidencePaths(each).map((path) => ({ state: look.missing.includes(path) ? 'missing' : 'same' }) as const),
    };
    const reasons = staleReasons(evidence);
    fingerprints.learn(each, { ...look, missing: [] });
    return isCacheable(each) && reasons.length > 0;
  }).map(({ name }) => name);
}

/** The naive model: a target is stale when its own ground moved, or that of anything it reaches. */
function reaching(scene: Scene, moved: readonly string[]): readonly string[] {
  const reached = new Set(moved);
  for (const { name, dependsOn, children } of scene.targets) if ([...dependsOn, ...children].some((need) => reached.has(need))) reached.add(name);
  return scene.targets.filter((each) => isCacheable(each) && reached.has(each.name)).map(({ name }) => name);
}

const anyIndex = fc.nat({ max: NAMES.length - 1 });

describe('a target is stale exactly when something that it depends on changed', () => {
  test('never when nothing did', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        expect(staleIn(scene, runAll(scene))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test.each(CHANGES)('$label', ({ apply, moved }) => {
    fc.assert(
      fc.property(anyScene, anyIndex, (scene, at) => {
        const after = apply(scene, at);
        expect(staleIn(after, runAll(scene))).toEqual(reaching(after, moved(scene, at)));
      }),
      { numRuns: 60 },
    );
  });

  test('a dependency more or less', () => {
    fc.assert(
      fc.property(anyScene, anyIndex, anyIndex, (scene, at, need) => {
        fc.pre(need < at);
        const [each, name] = [scene.targets[at]!, scene.targets[need]!.name];
        const isThere = each.dependsOn.includes(name) || each.children.includes(name);
        const dependsOn = each.dependsOn.includes(name) ? each.dependsOn.filter((one) => one !== name) : [...each.dependsOn, name];
        const after = { ...scene, targets: scene.targets.with(at, { ...each, dependsOn }) };
        const isOther = !isThere || each.dependsOn.includes(name);
        expect(staleIn(after, runAll(scene))).toEqual(reaching(after, isOther ? [each.name] : []));
      }),
      { numRuns: 100 },
    );
  });

  test('an output that is gone concerns its target alone: made anew, it is what it was', () => {
    fc.assert(
      fc.property(anyScene, anyIndex, (scene, at) => {
        const lost = scene.targets[at]!;
        const after = { ...scene, gone: evidencePaths(lost) };
        expect(staleIn(after, runAll(scene))).toEqual(lost.outputs.length > 0 ? [lost.name] : []);
      }),
      { numRuns: 100 },
    );
  });

  test('two changes that undo each other are none', () => {
    fc.assert(
      fc.property(anyScene, anyIndex, (scene, at) => {
        const there = { ...scene, files: { ...scene.files, [FILES[at % 3]!]: 'other' } };
        const back = { ...there, files: { ...scene.files } };
        expect(staleIn(back, runAll(scene))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

test('a fingerprint does not depend on the order in which a project is written', () => {
  fc.assert(
    fc.property(anyScene, fc.integer(), (scene, seed) => {
      const shuffled = { ...scene, targets: scene.targets.toSorted((a, b) => sha(`${seed}${a.name}`).localeCompare(sha(`${seed}${b.name}`))) };
      const fingerprints = fingerprintsFor(shuffled);
      const stored = runAll(scene);
      const hashes = scene.targets.map((each) => [each.name, fingerprints.learn(each, lookAt(scene, each)).hash]);
      expect(hashes.filter(([name]) => stored.has(name!))).toEqual([...stored].map(([name, { hash }]) => [name, hash]));
    }),
    { numRuns: 50 },
  );
});

test('no two targets and no two scenes share a fingerprint unless they are the same', () => {
  fc.assert(
    fc.property(anyScene, fc.constantFrom(...CHANGES), anyIndex, (scene, change, at) => {
      const hashes = [...runAll(scene).values()].map(({ hash }) => hash);
      expect(new Set(hashes).size).toBe(hashes.length);
      const after = change.apply(scene, at);
      const moved = new Set(reaching(after, change.moved(scene, at)));
      const now = runAll(after);
      for (const [name, { hash }] of runAll(scene)) if (now.has(name)) expect(now.get(name)!.hash === hash).toBe(!moved.has(name));
    }),
    { numRuns: 100 },
  );
});
