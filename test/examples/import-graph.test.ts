import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bach } from '../../src/cli/bach-program.ts';
import type { BachProject } from '../support/bach-project.ts';
import { runCli } from '../support/cli.ts';
import { personEnvironment, runGit } from '../support/git-repository.ts';
import { affected, affectedNames, EXAMPLES, exampleProject, inputsOf, type Matches } from './support.ts';

type Files = Readonly<Record<string, string>>;

/** A project whose only source is `a.ts`, which holds `text`. */
function importing(text: string, files: Files = {}): BachProject {
  return exampleProject('ts-import-graph', { all: ['a.ts'] }, { 'a.ts': text, ...files });
}

/** Each case in a folder of its own, where `a.ts` holds the text; answers the files of each that its target depends on. */
async function reachedByCase(cases: readonly (readonly [string, Files])[]): Promise<readonly (readonly string[])[]> {
  const names = cases.map((_, index) => `c${index}`);
  const sources = Object.fromEntries(names.map((name) => [name, [`${name}/a.ts`]]));
  const placed = cases.flatMap(([text, files], index) => {
    return Object.entries({ 'a.ts': text, ...files }).map(([path, content]): [string, string] => [`c${index}/${path}`, content]);
  });
  const project = exampleProject('ts-import-graph', sources, {
    'package.json': JSON.stringify({ workspaces: ['*/packages/*'] }),
    ...Object.fromEntries(placed),
  });
  const matches: Matches = await affected(project, placed.map(([path]) => path));
  return names.map((name) => (matches[name] ?? []).filter((path) => path.startsWith(`${name}/`) && path !== `${name}/a.ts`).map((path) => path.slice(name.length + 1)));
}

type Case = readonly [name: string, text: string, files: Files, expected: readonly string[]];
const empty = (...paths: readonly string[]): Files => Object.fromEntries(paths.map((path) => [path, '']));

const RELATIVE: readonly Case[] = [
  ['a name without its extension', "import './b'", empty('b.ts', 'c.ts'), ['b.ts']],
  ['TSX', "import './b'", empty('b.tsx'), ['b.tsx']],
  ['plain scripts', "import './b'; import './c'", empty('b.js', 'c.jsx'), ['b.js', 'c.jsx']],
  ['modules of both kinds', "import './b.mjs'; import './c.cjs'", empty('b.mts', 'c.cts'), ['b.mts', 'c.cts']],
  ['.js that is .ts', "import './b.js'", empty('b.ts', 'b.js'), ['b.ts']],
  ['.js that is .tsx', "import './b.js'", empty('b.tsx'), ['b.tsx']],
  ['.jsx that is .tsx', "import './b.jsx'", empty('b.tsx'), ['b.tsx']],
  ['.js that is .js', "import './b.js'", empty('b.js'), ['b.js']],
  ['.ts as it is', "import './b.ts'", empty('b.ts'), ['b.ts']],
  ['a dot in the name', "import './b.config'", empty('b.config.ts'), ['b.config.ts']],
  ['a script and its declarations', "import './b.js'; import './c'", empty('b.js', 'b.d.ts', 'c.js', 'c.d.ts'), ['b.d.ts', 'b.js', 'c.d.ts', 'c.js']],
  ['declarations alone', "import './b'", empty('b.d.ts'), ['b.d.ts']],
  ['JSON, which is a leaf', "import './b.json'", { ...empty('c.ts'), 'b.json': '"import \'./c\'"' }, ['b.json']],
  ['another leaf', "import './b.css'", { ...empty('c.ts'), 'b.css': "@import './c'" }, ['b.css']],
  ['the folder above', "import '../c8/b.ts'; import '.'", empty('index.ts'), ['index.ts']],
  ['an index', "import './b'", empty('b/index.ts'), ['b/index.ts']],
  ['a file before a folder of its name', "import './b'", empty('b.ts', 'b/index.ts'), ['b.ts']],
  ['a folder that tells its entry', "import './b'", { ...empty('b/index.ts', 'b/main.ts'), 'b/package.json': '{"main":"./main.js"}' }, ['b/main.ts', 'b/package.json']],
  ['what is reached through others', "import './b'", { 'b.ts': "export * from './d/c'", 'd/c.ts': "import '../e.json'", 'e.json': '' }, ['b.ts', 'd/c.ts', 'e.json']],
  ['a circle', "import './b'", { 'b.ts': "import './c'", 'c.ts': "import './b'; import './a'" }, ['b.ts', 'c.ts']],
];

const CONFIGURED: readonly Case[] = [
  ['paths', "import '@/b'", { 'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}', ...empty('src/b.ts') }, ['src/b.ts', 'tsconfig.json']],
  ['paths from baseUrl', "import '@/b'", { 'tsconfig.json': '{"compilerOptions":{"baseUrl":"src","paths":{"@/*":["x/*"]}}}', ...empty('src/x/b.ts') }, ['src/x/b.ts', 'tsconfig.json']],
  ['baseUrl', "import 'x/b'; import 'react'", { 'tsconfig.json': '{"compilerOptions":{"baseUrl":"./src"}}', ...empty('src/x/b.ts') }, ['src/x/b.ts', 'tsconfig.json']],
  ['the first target that is there', "import '@/b'", { 'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["gen/*","src/*"]}}}', ...empty('src/b.ts') }, ['src/b.ts', 'tsconfig.json']],
  ['the longest pattern', "import '@/x/b'", { 'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["one/*"],"@/x/*":["two/*"]}}}', ...empty('one/x/b.ts', 'two/b.ts') }, ['tsconfig.json', 'two/b.ts']],
  ['a whole name before patterns', "import '@/b'", { 'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["one/*"],"@/b":["c.ts"]}}}', ...empty('one/b.ts', 'c.ts') }, ['c.ts', 'tsconfig.json']],
  [
    'comments and last commas',
    "import '@/b'",
    { 'tsconfig.json': '\uFEFF// one\n{"compilerOptions": { /* "paths" */ "paths": { "@/*": ["./src/*", ], }, }, "x": "// no, }" }', ...empty('src/b.ts') },
    ['src/b.ts', 'tsconfig.json'],
  ],
  [
    'extends',
    "import '@/b'",
    { 'tsconfig.json': '{"extends":"./conf/base"}', 'conf/base.json': '{"compilerOptions":{"paths":{"@/*":["../src/*"]}}}', ...empty('src/b.ts') },
    ['conf/base.json', 'src/b.ts', 'tsconfig.json'],
  ],
  [
    'extends of several, the last one wins',
    "import '@/b'",
    {
      'tsconfig.json': '{"extends":["./one.json","./two.json"]}',
      'one.json': '{"compilerOptions":{"paths":{"@/*":["one/*"]}}}',
      'two.json': '{"compilerOptions":{"paths":{"@/*":["two/*"]}}}',
      ...empty('one/b.ts', 'two/b.ts'),
    },
    ['one.json', 'tsconfig.json', 'two.json', 'two/b.ts'],
  ],
  [
    'extends from a package, meant from the file that extends it',
    "import '@/b'",
    {
      'tsconfig.json': '{"extends":"@conf/node"}',
      'node_modules/@conf/node/tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["${configDir}/src/*"]}}}',
      ...empty('src/b.ts'),
    },
    ['node_modules/@conf/node/tsconfig.json', 'src/b.ts', 'tsconfig.json'],
  ],
  [
    'a circle of extends',
    "import '@/b'",
    { 'tsconfig.json': '{"extends":"./one.json","compilerOptions":{"paths":{"@/*":["src/*"]}}}', 'one.json': '{"extends":"./tsconfig.json"}', ...empty('src/b.ts') },
    ['one.json', 'src/b.ts', 'tsconfig.json'],
  ],
  ['extends of what is not there', "import './b'", { 'tsconfig.json': '{"extends":"@conf/gone"}', ...empty('b.ts') }, ['b.ts', 'tsconfig.json']],
  ['a jsconfig.json', "import '@/b'", { 'jsconfig.json': '{"compilerOptions":{"paths":{"@/*":["src/*"]}}}', ...empty('src/b.js') }, ['jsconfig.json', 'src/b.js']],
  ['the nearest one', "import './x/b'", { 'x/tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["y/*"]}}}', 'x/b.ts': "import '@/c'", ...empty('x/y/c.ts') }, ['x/b.ts', 'x/tsconfig.json', 'x/y/c.ts']],
];

/** A package `@app/<name>` in a folder of its name, `more` beside its name. */
const manifest = (name: string, more: object): string => JSON.stringify({ name: `@app/${name}`, ...more });

const PACKAGES: readonly Case[] = [
  ['exports', "import '@app/p0'", { 'packages/p/package.json': manifest('p0', { exports: './src/main.ts' }), ...empty('packages/p/src/main.ts', 'packages/p/other.ts') }, ['packages/p/package.json', 'packages/p/src/main.ts']],
  [
    'exports of a subpath, .js that is .ts',
    "import '@app/p1/x'",
    { 'packages/p/package.json': manifest('p1', { exports: { '.': './m.js', './x': './x.js' } }), ...empty('packages/p/m.ts', 'packages/p/x.ts') },
    ['packages/p/package.json', 'packages/p/x.ts'],
  ],
  [
    'exports of all conditions',
    "import '@app/p2'",
    { 'packages/p/package.json': manifest('p2', { exports: { '.': { types: './t.d.ts', import: { node: './n.js' }, default: ['./d.js'], never: null } } }), ...empty('packages/p/t.d.ts', 'packages/p/n.js', 'packages/p/d.js') },
    ['packages/p/d.js', 'packages/p/n.js', 'packages/p/package.json', 'packages/p/t.d.ts'],
  ],
  [
    'exports by the longest pattern',
    "import '@app/p3/x/y/b'",
    { 'packages/p/package.json': manifest('p3', { exports: { './*': './one/*.ts', './x/*': './two/*.ts' } }), ...empty('packages/p/one/x/y/b.ts', 'packages/p/two/y/b.ts') },
    ['packages/p/package.json', 'packages/p/two/y/b.ts'],
  ],
  [
    'exports that refuse a subpath',
    "import '@app/p4/x/b'",
    { 'packages/p/package.json': manifest('p4', { exports: { './*': './*.ts', './x/*': null } }), ...empty('packages/p/x/b.ts') },
    ['packages/p/package.json'],
  ],
  ['main', "import '@app/p5'", { 'packages/p/package.json': manifest('p5', { main: './lib' }), ...empty('packages/p/lib/index.js') }, ['packages/p/lib/index.js', 'packages/p/package.json']],
  ['an index, a subpath', "import '@app/p6'; import '@app/p6/lib/b'", { 'packages/p/package.json': manifest('p6', {}), ...empty('packages/p/index.ts', 'packages/p/lib/b.ts') }, ['packages/p/index.ts', 'packages/p/lib/b.ts', 'packages/p/package.json']],
  [
    'one that imports another, and itself by its name',
    "import '@app/p7'",
    {
      'packages/p/package.json': manifest('p7', { exports: { '.': './m.ts', './own': './own.ts' } }),
      'packages/p/m.ts': "import '@app/q7'; import '@app/p7/own'",
      'packages/q/package.json': manifest('q7', { exports: './m.ts' }),
      ...empty('packages/p/own.ts', 'packages/q/m.ts'),
    },
    ['packages/p/m.ts', 'packages/p/own.ts', 'packages/p/package.json', 'packages/q/m.ts', 'packages/q/package.json'],
  ],
  [
    'one that is not built: all its scripts, and the entry to come',
    "import '@app/p8'",
    { 'packages/p/package.json': manifest('p8', { exports: './dist/m.js' }), ...empty('packages/p/src/m.ts', 'packages/p/node_modules/x/i.js', 'packages/p/notes.md') },
    ['packages/p/package.json', 'packages/p/src/m.ts'],
  ],
  [
    'one that is built to the outDir of its tsconfig: what it is built from',
    "import '@app/p9'",
    { 'packages/p/package.json': manifest('p9', { exports: './dist/m.js' }), 'packages/p/tsconfig.json': '{"compilerOptions":{"outDir":"dist"}}', ...empty('packages/p/src/m.ts', 'packages/p/dist/m.js') },
    ['packages/p/package.json', 'packages/p/src/m.ts', 'packages/p/tsconfig.json'],
  ],
  [
    'imports of the own package',
    "import './packages/p/m'",
    {
      'packages/p/package.json': manifest('p10', { imports: { '#in/*': './in/*.ts', '#q': '@app/q10', '#fs': 'node:fs' } }),
      'packages/p/m.ts': "import '#in/b'; import '#q'; import '#fs'; import '#none'",
      'packages/q/package.json': manifest('q10', { exports: './m.ts' }),
      ...empty('packages/p/in/b.ts', 'packages/q/m.ts'),
    },
    ['packages/p/in/b.ts', 'packages/p/m.ts', 'packages/p/package.json', 'packages/q/m.ts', 'packages/q/package.json'],
  ],
  ['what comes from outside', "import 'react'; import 'node:fs'; import '@app/none'; import '/b'; import ''", empty('b.ts', 'react.ts', 'node_modules/react/index.js'), []],
];

describe('what an import leads to', () => {
  test.each([
    ['relative', RELATIVE],
    ['configured', CONFIGURED],
    ['packages', PACKAGES],
  ])('%s', async (_, cases) => {
    const found = await reachedByCase(cases.map(([, text, files]) => [text, files]));
    expect(cases.map(([name], index) => [name, found[index]])).toEqual(cases.map(([name, , , expected]) => [name, expected]));
  });

  test('files that are not there count with the names they could have', async () => {
    const project = importing("import './gone.js'; import './b.json'; import '../../outside'");
    expect(await affectedNames(project, ['gone.ts'])).toEqual(['all']);
    expect(await inputsOf(project, 'a.ts')).toEqual(['a.ts', 'b.json', 'gone.js', 'gone.ts', 'gone.tsx']);
  });

  test('names that bach would take for patterns', async () => {
    const project = importing("import './app/[id]/page'; import './b*c'; import './plain'", empty('app/[id]/page.ts', 'b*c.ts', 'plain.ts', 'app/i/page.ts', 'bXc.ts'));
    const matches = async (path: string) => affectedNames(project, [path]);
    expect([await matches('app/[id]/page.ts'), await matches('b*c.ts')]).toEqual([['all'], ['all']]);
    expect([await matches('app/i/page.ts'), await matches('bXc.ts')]).toEqual([[], []]);
  });

  test('links: the file itself, from where it really lies', async () => {
    const project = importing("import './link'; import './folder/d'", { 'real/b.ts': "import './c'", 'real/c.ts': '', 'real/d.ts': '', 'c.ts': '' });
    symlinkSync('real/b.ts', project.at('link.ts'));
    symlinkSync('real', project.at('folder'));
    symlinkSync('folder', project.at('real/round'));
    expect(await inputsOf(project, 'a.ts')).toEqual(['a.ts', 'folder/d.ts', 'link.ts', 'real/b.ts', 'real/c.ts', 'real/d.ts']);
  });

  test('a link that leads out of the project, or nowhere, or to itself', async () => {
    const other = exampleProject('ts-import-graph', {}, { 'x.ts': "import './y'", 'y.ts': '' });
    const project = importing("import './out'; import './gone.json'; import './self.json'");
    symlinkSync(other.at('x.ts'), project.at('out.ts'));
    symlinkSync('nowhere', project.at('gone.json'));
    symlinkSync('self.json', project.at('self.json'));
    expect(await inputsOf(project, 'a.ts')).toEqual(['a.ts', 'gone.json', 'out.ts', 'self.json']);
  });
});

describe('entries of sources', () => {
  const NAMED = empty('t/notes.md', 't/.hidden/c.test.ts', 't/node_modules/x/d.test.ts', 't/a.used.ts', 't/deep/b.used.ts');
  const IMPORTING = { 't/a.test.ts': "import './a.used'", 't/deep/b.test.tsx': "import './b.used'", 't/.hidden/c.test.ts': "import '../a.used'" };

  test('files, folders, patterns', async () => {
    const entries: readonly (readonly [string, readonly string[]])[] = [
      ['t/**/*.test.ts', ['t/**/*.test.ts', 't/a.used.ts']],
      ['t/**/*.test.{ts,tsx}', ['t/**/*.test.ts', 't/**/*.test.tsx', 't/a.used.ts', 't/deep/b.used.ts']],
      ['t/?.test.[s-u]s', ['t/?.test.[s-u]s', 't/a.used.ts']],
      ['t/[^b].test.ts', ['t/[^b].test.ts', 't/a.used.ts']],
      ['./t/', ['t']],
      ['t/deep', ['t/deep']],
      ['t/a.test.ts', ['t/a.test.ts', 't/a.used.ts']],
      ['t/.hidden/*', ['t/.hidden/*', 't/a.used.ts']],
      ['t/none/**', []],
      ['*/\\[x]', []],
    ];
    const sources = Object.fromEntries(entries.map(([entry], index) => [`s${index}`, [entry]]));
    const files = { ...NAMED, ...IMPORTING };
    const found = await affected(exampleProject('ts-import-graph', sources, files), Object.keys(files));
    expect(entries.map(([entry], index) => [entry, found[`s${index}`] ?? []])).toEqual(entries);
  });

  test('a source that was removed is seen, and one that comes', async () => {
    const project = exampleProject('ts-import-graph', { all: ['t/*.test.ts'] }, empty('t/a.test.ts'));
    rmSync(project.at('t/a.test.ts'));
    expect(await affectedNames(project, ['t/a.test.ts'])).toEqual(['all']);
    expect(await affectedNames(project, ['t/new.test.ts'])).toEqual(['all']);
  });

  test('one that leaves the project is refused', async () => {
    const { exit, stdout, stderr } = await exampleProject('ts-import-graph', { all: ['../x'] }, {}).bach(['affected', '--json', 'a']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^plugin "g" failed: exit status 1\nsource "all": "\.\.\/x" must stay under the project root\n/);
  });

  test('several sources share files, and have only their own', async () => {
    const project = exampleProject('ts-import-graph', { one: ['a.ts'], two: ['b.ts'] }, { 'a.ts': "import './c'", 'b.ts': "import './c'; import './d'", ...empty('c.ts', 'd.ts') });
    expect(await affected(project, ['c.ts', 'd.ts'])).toEqual({ one: ['c.ts'], two: ['c.ts', 'd.ts'] });
  });
});

test('git tells what changed: an imported file that was renamed concerns who still imports it', async () => {
  const project = importing("import './lib/b.js'", empty('lib/b.ts'));
  const env = personEnvironment(project.folder);
  runGit(project.folder, ['init']);
  runGit(project.folder, ['add', '.']);
  runGit(project.folder, ['commit', '-m', 'all']);
  expect(await affected(project, [], { env })).toEqual({});
  renameSync(project.at('lib/b.ts'), project.at('lib/c.ts'));
  expect(await affected(project, [], { env })).toEqual({ all: ['lib/b.ts'] });
});

test('the document has no order of its own: two runs print the same, and nothing is written', async () => {
  const project = importing("import './b'; import './c'", { 'b.ts': "import './c'", 'c.ts': "import './b'" });
  const before = readdirSync(project.folder);
  const first = await project.bach(['graph', '--format', 'json']);
  expect(await project.bach(['graph', '--format', 'json'])).toEqual(first);
  expect(first.exit).toBe(0);
  expect(readdirSync(project.folder)).toEqual(before);
  expect(await affected(project, ['b.ts', 'c.ts'])).toEqual({ all: ['b.ts', 'c.ts'] });
});

test('the example works as its Bachfile stands', async () => {
  const bachIn = (argv: readonly string[]) => runCli(bach, argv, { cwd: join(EXAMPLES, 'ts-import-graph') });
  expect(await bachIn(['affected', 'money/rounding.ts'])).toEqual({ exit: 0, stdout: 'shell/test-shop 1 money/rounding.ts\n', stderr: '' });
  expect(await bachIn(['affected', 'shop/basket.test.ts'])).toEqual({ exit: 0, stdout: 'shell/test-shop 1 shop/**/*.test.ts\n', stderr: '' });
  expect(await bachIn(['affected', 'money/unused.ts'])).toEqual({ exit: 0, stdout: '', stderr: '' });
  expect(await bachIn(['list'])).toMatchObject({ exit: 0, stdout: expect.stringContaining('shell/test-shop'), stderr: '' });
});
