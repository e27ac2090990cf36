import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../support/bach-project.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { affected, affectedNames, EXAMPLES, exampleProject, inputsOf } from './support.ts';

const MEGABYTE = 1024 * 1024;
const FIVE = 5 * MEGABYTE;

function importing(text: string | Uint8Array, files: Readonly<Record<string, string>> = {}): BachProject {
  const project = exampleProject('ts-import-graph', { all: ['a.ts', 'a.tsx'] }, files);
  project.write('a.ts', text);
  return project;
}

/** Text that is repeated to 5 MB, between two imports where it leaves the second one an import. */
const filled = (text: string): string => `import './first';\n${text.repeat(Math.ceil(FIVE / text.length))}`;

describe('files of 5 MB', () => {
  test('a program on one line is read to its end', async () => {
    const program = filled('const a={b:[1,2],c:"x\\"y",d:`z${1}`,e:/[/]/g};');
    const project = importing(`${program}import('./last')`, { 'first.ts': '', 'last.ts': '' });
    expect(await affected(project, ['first.ts', 'last.ts'])).toEqual({ all: ['first.ts', 'last.ts'] });
  });

  test.each([
    ['quotes that never close', '"\\"'],
    ['slashes', '/ = '],
    ['slashes that are escaped', '/\\'],
    ['classes that never close', '/[ = '],
    ['braces', '{'],
    ['templates in templates', '`${'],
    ['tags', '<a '],
    ['elements', '<a>'],
    ['the word import', 'import '],
    ['lists of names', 'import {a,'],
  ])('%s cost no more than their length', async (_, text) => {
    const project = importing(filled(text), { 'first.ts': '', 'first.tsx': '', 'a.tsx': filled(text) });
    expect(await affectedNames(project, ['first.ts'])).toEqual(['all']);
  });

  test('a name of 5 MB is no path, and a leaf is not read', async () => {
    const project = importing(`import "./${'x'.repeat(FIVE)}"; import './b.json'`, { 'b.json': filled('{') });
    expect(await inputsOf(project, 'a.ts')).toEqual(['a.ts', 'a.tsx', 'b.json']);
  });
});

describe('what is no text', () => {
  test('bytes that are not UTF-8 around an import', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xc3, 0x28, 0]), Buffer.from("\nimport './b';\n"), Buffer.from([0xe2, 0x82]), Buffer.from("import './\0/c'")]);
    expect(await affectedNames(importing(bytes, { 'b.ts': '' }), ['b.ts'])).toEqual(['all']);
  });

  test('UTF-16, as some editors write it', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("import './é'", 'utf16le')]);
    expect(await affectedNames(importing(bytes, { 'é.ts': '' }), ['é.ts'])).toEqual(['all']);
  });

  test('noise', async () => {
    const random = seededRandom(7);
    const pieces = ['import', 'export', 'require', 'from', '{', '}', '(', ')', '<a', '</a>', '/>', '>', '`', '${', '"', "'", '/', '/*', '*/', '//', '\\', '\n', ' ', "'./b'"];
    const noise = Array.from({ length: 200_000 }, () => pieces[random.below(pieces.length)]).join('');
    const project = importing(`import './b';${noise}`, { 'a.tsx': `import './b';${noise}`, 'b.ts': '' });
    expect(await affectedNames(project, ['b.ts'])).toEqual(['all']);
  });
});

test('a folder and a file that nobody may read: the names are inputs, and bach can tell', async () => {
  const project = bachProject('plugin "g" {\n  command = ["node", "plugins/ts-import-graph/ts-import-graph.mjs"]\n  sources = { all = ["src"] }\n}\nshell "all" { inputs = [plugin.g.all] }\n');
  // Who is nobody may not read the checkout.
  cpSync(EXAMPLES, project.at('plugins'), { recursive: true });
  project.write('src/a.ts', "import '../shut/x.js'; import '../sealed'; import '../open'");
  for (const path of ['shut/x.ts', 'sealed.ts', 'open.ts', 'src/shut/y.test.ts']) project.write(path, '');
  expect(await affectedNames(project, ['open.ts'])).toEqual(['all']);
  chmodSync(project.folder, 0o755);
  for (const path of ['shut', 'sealed.ts', 'src/shut']) chmodSync(project.at(path), 0);
  const found = await asOrdinaryUser(() => affected(project, ['shut/x.ts', 'sealed.ts', 'open.ts', 'src/shut/y.test.ts']));
  for (const path of ['shut', 'src/shut']) chmodSync(project.at(path), 0o700);
  expect(found).toEqual({ all: ['open.ts', 'sealed.ts', 'shut/x.ts', 'src'] });
});

test.each([
  ['tsconfig.json', '{ "compilerOptions": ', "import './b'", /^plugin "g" failed: exit status 1\ntsconfig\.json is not JSON: .*\n/],
  ['tsconfig.json', '[]', "import './b'", /^plugin "g" failed: exit status 1\ntsconfig\.json must hold a JSON object\n/],
  ['package.json', '{', '', /^plugin "g" failed: exit status 1\npackage\.json is not JSON: .*\n/],
])('a %s that is "%s" is told by its name', async (path, content, text, told) => {
  const { exit, stdout, stderr } = await importing(text, { [path]: content }).bach(['affected', '--json', 'a.ts']);
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
  expect(stderr).toMatch(told);
});

test.each(['{ "compilerOptions": null }', '{ "extends": null, "compilerOptions": { "paths": null, "baseUrl": 3 } }', '{ "extends": [7], "compilerOptions": { "paths": { "b": "./b.ts" } } }', ''])(
  'a tsconfig.json that says little: %s',
  async (content) => {
    const project = importing("import './b'", { 'b.ts': '', ...(content !== '' && { 'tsconfig.json': content }) });
    expect(await affectedNames(project, ['b.ts'])).toEqual(['all']);
  },
);

describe('20,000 imports of files that are not there', () => {
  const imports = (specifierOf: (index: number) => string): string => Array.from({ length: 20_000 }, (_, index) => `import '${specifierOf(index)}';`).join('\n');

  // Slow: bach gets the 420,000 names that would be looked for.
  test('by a path: each name is an input', async () => {
    const project = importing(imports((index) => `./m${index}`));
    expect(await affected(project, ['m0.ts', 'm19999/index.cjs'])).toEqual({ all: ['m0.ts', 'm19999', 'm19999/index.cjs'] });
  });

  // Where each missing file is looked for among all scripts again, the time that a plugin has is over long before.
  test.each([
    ['by the name of a package', (index: number) => `@x/p/m${index}`],
    ['by a name of the own package', (index: number) => `#m${index}`],
    ['by names that many files have', undefined],
  ])('%s of 10,000 scripts: any script of it is an input', async (_how, specifierOf) => {
    const manifest = { name: '@x/p', workspaces: ['.'], exports: { './*': './src/*.js' }, imports: { '#*': './src/*.js' } };
    const text = specifierOf === undefined ? "import './s/f0.ts';" : imports(specifierOf);
    const project = importing(text, { 'package.json': JSON.stringify(manifest) });
    mkdirSync(project.at('s'));
    for (let index = 0; index < 10_000; index += 1) writeFileSync(project.at(`s/f${index}.ts`), `import './f${index + 1}.ts'; import '#gone${index}';`);
    expect(await affected(project, ['src/m7.js', 'src/gone7.js', 's/f9999.ts', 's/other.ts'])).toEqual({
      all: specifierOf === undefined ? ['s/f9999.ts', 'src/gone7.js'] : ['s/f9999.ts', 'src/gone7.js', 'src/m7.js'],
    });
  });
});

// Slow: it writes 5,000 files.
test('5,000 files that import each other', async () => {
  const count = 5_000;
  const pathOf = (index: number): string => `m${index % 50}/f${index % count}`;
  const body = 'const text = "a text"; // a note\nexport function work(n: number): unknown {\n  return n > 1 ? `v${n}` : /a\\/b/.test(String(n));\n}\n'.repeat(15);
  const project = exampleProject('ts-import-graph', { all: ['t/**/*.test.ts'] }, { 't/a.test.ts': `import '../${pathOf(0)}.js'` });
  for (let folder = 0; folder < 50; folder += 1) mkdirSync(project.at(`m${folder}`));
  for (let index = 0; index < count; index += 1) {
    const imports = [1, 7, 50].map((step) => `import { work as w${step} } from '../${pathOf(index + step)}.js';\n`);
    writeFileSync(project.at(`${pathOf(index)}.ts`), `${imports.join('')}${body}`);
  }
  const begun = performance.now();
  const found = await affected(project, [`${pathOf(count - 1)}.ts`]);
  console.info(`bach affected over ${count} imported files: ${Math.round(performance.now() - begun)} ms`);
  expect(found).toEqual({ all: [`${pathOf(count - 1)}.ts`] });
});
