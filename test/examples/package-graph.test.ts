import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bach } from '../../src/cli/bach-program.ts';
import type { BachProject } from '../support/bach-project.ts';
import { runCli } from '../support/cli.ts';
import { affected, affectedNames, EXAMPLES, exampleProject, inputsOf, type Sources } from './support.ts';

type Manifest = Readonly<Record<string, unknown>>;

/** A repository whose packages are given by their folders; the root's manifest stands under `.`. */
function repository(sources: Sources, manifests: Readonly<Record<string, Manifest>>, files: Readonly<Record<string, string>> = {}): BachProject {
  const written = Object.entries({ '.': { workspaces: ['packages/*'] }, ...manifests }).map(([folder, manifest]): [string, string] => {
    return [join(folder, 'package.json'), JSON.stringify(manifest)];
  });
  return exampleProject('package-graph', sources, { ...Object.fromEntries(written), ...files });
}

const API = { all: ['packages/api'] };
const needing = (kind: string, wanted: string, name = '@app/money'): Manifest => ({ [kind]: { react: '^19.0.0', [name]: wanted } });

/** The folders that the source `packages/api` stands for. */
const foldersOf = (project: BachProject) => inputsOf(project, 'packages/api/x');

describe('what a package depends on', () => {
  /** One package for each manifest; those whose targets a change of `packages/money` concerns. */
  async function concerned(manifests: Readonly<Record<string, Manifest>>): Promise<readonly string[]> {
    const names = Object.keys(manifests).map((_, index) => `p${index}`);
    const packages = Object.values(manifests).map((manifest, index): [string, Manifest] => [`packages/p${index}`, manifest]);
    const sources = Object.fromEntries(names.map((name) => [name, [`packages/${name}`]]));
    const project = repository(sources, { ...Object.fromEntries(packages), 'packages/money': { name: '@app/money' } });
    const found = await affectedNames(project, ['packages/money/x.ts']);
    return Object.keys(manifests).filter((_, index) => found.includes(`p${index}`));
  }

  test('of every kind, whatever version it wants, by name, by folder, under another name', async () => {
    const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].map((kind) => [kind, needing(kind, '^1.0.0')] as const);
    const versions = ['workspace:*', 'workspace:^', '*'].map((wanted) => [wanted, needing('dependencies', wanted)] as const);
    const others = ['file:../money', 'link:../money/', 'portal:../money', 'workspace:../money', 'workspace:@app/money@*', 'npm:@app/money@^1.0.0'];
    const all = Object.fromEntries([...kinds, ...versions, ...others.map((wanted) => [wanted, needing('dependencies', wanted, 'other-name')] as const)]);
    expect(await concerned(all)).toEqual(Object.keys(all));
  });

  test('but not what only looks like one of the repository', async () => {
    const wanted = ['npm:@other/money@^1.0.0', 'file:../../../outside', 'file:../gone', 'file:../money.tgz'];
    const elsewhere = { scripts: needing('scripts', '*'), name: { name: 'money' }, nothing: { dependencies: null } };
    expect(await concerned({ ...elsewhere, ...Object.fromEntries(wanted.map((each) => [each, needing('dependencies', each)])) })).toEqual([]);
  });

  test('through others, in circles, and not the other way', async () => {
    const project = repository(
      { api: ['packages/api'], money: ['packages/money'], both: ['packages/{api,ui}'], every: ['packages/*'] },
      {
        'packages/api': { name: 'api', dependencies: { money: '*' } },
        'packages/money': { name: 'money', devDependencies: { rounding: '*' } },
        'packages/rounding': { name: 'rounding', peerDependencies: { money: '*', rounding: '*' } },
        'packages/ui': { name: 'ui' },
      },
    );
    expect(await affectedNames(project, ['packages/rounding/src/deep/x.ts'])).toEqual(['api', 'both', 'every', 'money']);
    expect(await affectedNames(project, ['packages/api/src/x.ts'])).toEqual(['api', 'both', 'every']);
    expect(await affectedNames(project, ['packages/ui/package.json'])).toEqual(['both', 'every']);
    expect(await affectedNames(project, ['packages/moneys/x.ts', 'package.json'])).toEqual([]);
    expect(await affected(project, ['packages/money/a', 'packages/rounding/b'])).toMatchObject({ api: ['packages/money', 'packages/rounding'] });
  });

  test('a file that a package exports concerns those that depend on it', async () => {
    const project = repository(API, { 'packages/api': needing('dependencies', '*'), 'packages/money': { name: '@app/money', exports: { './rounding': './src/rounding.ts' } } });
    expect(await affected(project, ['packages/money/src/rounding.ts'])).toEqual({ all: ['packages/money'] });
  });

  test('a folder that no workspace names, and what that depends on', async () => {
    const project = repository(API, { 'packages/api': needing('dependencies', 'file:../../vendor/x', 'x'), 'vendor/x': { name: 'x', dependencies: { '@app/money': '*' } }, 'packages/money': { name: '@app/money' } });
    expect(await foldersOf(project)).toEqual(['packages/api', 'packages/money', 'vendor/x']);
  });

  test('a package behind a link, in the project and out of it', async () => {
    const outside = repository({}, {});
    const project = repository(API, { 'packages/api': needing('dependencies', '*'), elsewhere: { name: '@app/money', dependencies: { out: '*' } } });
    symlinkSync('../elsewhere', project.at('packages/money'));
    symlinkSync(outside.folder, project.at('packages/out'));
    outside.write('package.json', '{"name":"out"}');
    expect(await foldersOf(project)).toEqual(['elsewhere', 'packages/api', 'packages/money', 'packages/out']);
  });
});

describe('where packages are', () => {
  const PACKAGES = { 'packages/api': needing('dependencies', '*'), 'packages/money': { name: '@app/money' }, 'libs/deep/er': { name: '@app/er' } };
  const viaEr = { ...PACKAGES, 'packages/api': { name: '@app/api', dependencies: { '@app/er': '*', '@app/money': '*' } } };

  test.each<[string, unknown, readonly string[]]>([
    ['a list', ['packages/*', 'libs/**'], ['libs/deep/er', 'packages/api', 'packages/money']],
    ['an object', { packages: ['./packages/*/', 'libs/deep/er'], nohoist: ['**'] }, ['libs/deep/er', 'packages/api', 'packages/money']],
    ['choices', ['{packages,libs/deep}/*'], ['libs/deep/er', 'packages/api', 'packages/money']],
    ['one left out', ['packages/*', 'libs/**', '!libs/**'], ['packages/api', 'packages/money']],
    ['none', undefined, ['packages/api']],
  ])('workspaces: %s', async (_, workspaces, expected) => {
    expect(await foldersOf(repository(API, { ...viaEr, '.': { workspaces } }))).toEqual(expected);
  });

  test.each<[string, string, readonly string[]]>([
    ['lines', "# all\npackages:\n  - 'packages/*' # these\n\n  - \"libs/**\"\ncatalog:\n  - other\n", ['libs/deep/er', 'packages/api', 'packages/money']],
    ['lines without indent', 'packages:\r\n- packages/*\r\n- libs/deep/*\r\n', ['libs/deep/er', 'packages/api', 'packages/money']],
    ['brackets', 'onlyBuiltDependencies: [x]\npackages: ["packages/*", \'libs/*/*\']\n', ['libs/deep/er', 'packages/api', 'packages/money']],
    ['brackets of several lines', 'packages: [\n  packages/*,\n  libs/deep/er,\n]\n', ['libs/deep/er', 'packages/api', 'packages/money']],
    ['one left out', "packages:\n  - '**'\n  - '!libs/**'\n", ['packages/api', 'packages/money']],
    ['none', 'packages:\n', ['packages/api']],
  ])('pnpm-workspace.yaml: %s', async (_, yaml, expected) => {
    const project = repository(API, { ...viaEr, '.': { workspaces: ['ignored'] } }, { 'pnpm-workspace.yaml': yaml });
    expect(await foldersOf(project)).toEqual(expected);
  });

  test('the root is a package as well, and a folder in node_modules is none', async () => {
    const project = repository(
      { root: ['.'], every: ['**'] },
      { '.': { name: 'root', workspaces: ['**'] }, 'packages/api': { name: 'api', dependencies: { deep: '*' } }, 'packages/api/node_modules/deep': { name: 'deep' } },
    );
    expect(await affected(project, ['x', 'packages/api/y'])).toEqual({ every: ['.', 'packages/api'], root: ['.'] });
  });

  test('the order of everything is fixed', async () => {
    const project = repository({ all: ['packages/money', 'packages/api', './packages/api/'] }, PACKAGES);
    expect(await foldersOf(project)).toEqual(['packages/api', 'packages/money']);
  });
});

test.each<[string, Readonly<Record<string, Manifest>>, Readonly<Record<string, string>>, string]>([
  ['a source that is no package', { 'packages/ui': {}, 'packages/money': {} }, { 'packages/api/x': '' }, 'source "all": "packages/api" is no folder with a package.json; packages are: packages/money, packages/ui\n'],
  ['two of one name', { 'packages/api': { name: 'a' }, 'packages/b': { name: 'a' } }, {}, 'the packages in "packages/api" and "packages/b" have one name, "a": rename one of them\n'],
  ['a package.json that is none', { 'packages/api': {} }, { 'packages/b/package.json': '{"name"' }, 'packages/b/package.json is not JSON: '],
  ['a package.json that is a list', { 'packages/api': {} }, { 'packages/b/package.json': '[]' }, 'packages/b/package.json must hold a JSON object\n'],
  ['workspaces that are none', { '.': { workspaces: 'packages' }, 'packages/api': {} }, {}, 'package.json: workspaces must be a list of texts\n'],
])('%s: told by its name, and nothing is answered', async (_, manifests, files, told) => {
  const { exit, stdout, stderr } = await repository(API, manifests, files).bach(['affected', '--json', 'x']);
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
  expect(stderr).toContain(`plugin "g" failed: exit status 1\n${told}`);
  expect(stderr).toContain('run the command of the plugin by hand');
});

test('the example works as its Bachfile stands', async () => {
  const bachIn = (argv: readonly string[]) => runCli(bach, argv, { cwd: join(EXAMPLES, 'package-graph') });
  expect(await bachIn(['affected', 'packages/money/rounding.js'])).toEqual({ exit: 0, stdout: 'shell/test-api 1 packages/money\n', stderr: '' });
  expect(await bachIn(['affected', 'package-lock.json'])).toEqual({ exit: 0, stdout: 'shell/test-api 1 package-lock.json\n', stderr: '' });
  expect(await bachIn(['list'])).toMatchObject({ exit: 0, stdout: expect.stringContaining('shell/test-api'), stderr: '' });
});
