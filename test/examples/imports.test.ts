import { expect, test } from 'vitest';
import { affected, exampleProject } from './support.ts';

/** Each text imports `./used.js`, which is used.ts, and nothing else. */
const IMPORTS = [
  ["import './used.js'"],
  ["import a from './used.js'"],
  ['import a from "./used.js";'],
  ["import a, { b as c, type D } from './used.js'"],
  ["import * as a from './used.js'"],
  ["import { 'a name' as b } from './used.js'"],
  ["import {\n  a,\n  // from './other.js'\n  b,\n} from './used.js'"],
  ["import type { A } from './used.js'"],
  ["import type A from './used.js'"],
  ["import { from } from './used.js'"],
  ["import data from './used.js' with { type: 'json' }"],
  ["import a = require('./used.js')"],
  ["export * from './used.js'"],
  ["export * as a from './used.js'"],
  ["export { a, b as default } from './used.js'"],
  ["export type { A } from './used.js'"],
  ["export type * from './used.js'"],
  ["const a = await import('./used.js')"],
  ['const a = import(`./used.js`)'],
  ["const a = import(/* webpackChunkName: 'x' */ './used.js', { with: {} })"],
  ["type A = import('./used.js').B"],
  ["const a: typeof import('./used.js') = x"],
  ["const { a } = require('./used.js')"],
  ["const a = [...require('./used.js')]"],
  ["const path = require.resolve('./used.js')"],
  ["export { a }\nrequire('./used.js')"],
  ["export const a = 1; import './used.js'"],
  ["#!/usr/bin/env -S node import './other.js'\nimport './used.js'"],
  ["\uFEFFimport './used.js'"],
  ["const text = 'it\\'s'; import('./used.js')"],
  ["const text = 'not closed\nimport './used.js'"],
  ["const a = `${`deep ${require('./used.js')}`} '`"],
  ["const a = b / c; import('./used.js'); d / e"],
  ["const a = i++ / 2; import('./used.js'); j / 2"],
  ["if (a) /['\"`]/.test(b); import('./used.js')"],
  ["for (const a of b) /['\"`]/.test(a); import('./used.js')"],
  ["return /[/'\"`]/.test(a) || import('./used.js')"],
  ["{ a() }\n/['`]/.test(b); import('./used.js')"],
  ["const a = <Type>value; import('./used.js')"],
];

/** None of these texts imports `./used.js`. */
const NO_IMPORTS = [
  ["// import './used.js'"],
  ["/* import './used.js' */"],
  ["/**\n * @example\n * import a from './used.js'\n */"],
  ["const a = \"import './used.js'\""],
  ["const a = 'require(\"./used.js\")'"],
  ["const a = `import './used.js'`"],
  ["const a = `${b} import './used.js'`"],
  ["const a = /import '.\\/used.js'/"],
  ["object.import('./used.js')"],
  ["object?.require('./used.js')"],
  ["const a = { import: './used.js', from: './used.js' }"],
  ["import('./used.js' + name)"],
  ["import(`./used.js${name}`)"],
  ['import(name)'],
  ["import.meta.resolve('./used.js')"],
  ["const from = './used.js'"],
  ["export const a = './used.js'"],
  ["export default './used.js'"],
  ["require.cache['./used.js']"],
  ["load('./used.js')"],
];

/** JSX, where a quote in a text opens nothing. */
const MARKUP = [
  ["const a = <p>don't</p>; import('./used.js')"],
  ["const a = <p title='it\"s'>it's {require('./used.js')}</p>"],
  ["const a = <p title={require('./used.js')}>`</p>"],
  ["const a = <><b/>it's</>; import('./used.js')"],
  ["const a = <List<string> items={b}>it's</List>; import('./used.js')"],
  ["return a ? <p>'</p> : require('./used.js')"],
  ["const a = <T,>(b: T) => b; const c = 'x'; import('./used.js')"],
  ["const a = <T extends object>(b: T) => b; import('./used.js')"],
  ["type A = <T>(b: T) => T; import('./used.js')"],
  ["const a = <p>{/* it's */}</p>; import('./used.js')"],
  ["const a = <p // it's\n  b />; import('./used.js')"],
  ["const a = b < c; import('./used.js'); d > e"],
];
const NO_MARKUP = [
  ["const a = <p>import './used.js'</p>"],
  ["const a = <p>don't import('./used.js')</p>"],
  ["const a = <p title=\"import('./used.js')\" />"],
];

/** Each text in a file of its own that is a source of its own; the indexes of those that have used.ts as an input. */
async function importing(texts: readonly (readonly string[])[], extension: string): Promise<readonly string[]> {
  const names = texts.map((_, index) => `t${index}`);
  const sources = Object.fromEntries(names.map((name) => [name, [`${name}${extension}`]]));
  const files = Object.fromEntries(names.map((name, index) => [`${name}${extension}`, texts[index]?.[0] ?? '']));
  const matches = await affected(exampleProject('ts-import-graph', sources, { ...files, 'used.ts': '' }), ['used.ts']);
  return texts.flatMap(([text = ''], index) => (`t${index}` in matches ? [text] : []));
}

const textsOf = (table: readonly (readonly string[])[]) => table.map(([text]) => text);

test.each(['.ts', '.mts', '.cts'])('every form of an import counts, and what only looks like one does not (%s)', async (extension) => {
  expect(await importing([...IMPORTS, ...NO_IMPORTS], extension)).toEqual(textsOf(IMPORTS));
});

test.each(['.tsx', '.jsx', '.js', '.mjs', '.cjs'])('JSX is told from the rest of a program (%s)', async (extension) => {
  const withoutCasts = IMPORTS.filter(([text]) => !text?.includes('<Type>'));
  expect(await importing([...withoutCasts, ...MARKUP, ...NO_IMPORTS, ...NO_MARKUP], extension)).toEqual(textsOf([...withoutCasts, ...MARKUP]));
});
