import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { lateRequires } from '../../tools/setup/late-requires.mjs';

/** What comes of a chunk, and what it has loaded once it ran. */
function made(code: string, name = 'a'): { readonly code: string; readonly exports: Record<string, unknown>; readonly loaded: readonly string[] } {
  const late = lateRequires.renderChunk.call({ parse: parseAst }, code, { isEntry: name !== 'a', name }).code;
  const loaded: string[] = [];
  const exports: Record<string, unknown> = {};
  const modules: Readonly<Record<string, unknown>> = {
    './a.cjs': { Class: class { readonly of = 'a'; }, say: () => 'said', value: 1 },
    'node:crypto': { hash: () => 'digest' },
    'node:fs': { name: 'fs' },
  };
  const take = (id: string): unknown => (loaded.push(id), modules[id]);
  new Function('require', 'exports', late)(take, exports);
  return { code: late, exports, loaded };
}

describe('a chunk that takes from others', () => {
  test('loads none of them until it uses them, and each once', () => {
    const { exports, loaded } = made("const require_a = require('./a.cjs');\nexports.say = () => require_a.say() + require_a.value;\n");
    expect(loaded).toEqual([]);
    const say = exports['say'] as () => string;
    expect([say(), say()]).toEqual(['said1', 'said1']);
    expect(loaded).toEqual(['./a.cjs']);
  });

  test('makes their classes', () => {
    const { exports } = made("const require_a = require('./a.cjs');\nexports.one = new require_a.Class();\nexports.Two = class extends require_a.Class {};\n");
    expect(exports['one']).toEqual({ of: 'a' });
    expect(new (exports['Two'] as new () => unknown)()).toEqual({ of: 'a' });
  });

  test('keeps its own names, texts and comments', () => {
    const code = "const require_a = require('./a.cjs');\n// require_a.say\nconst own = { require_a: 'require_a.say()' };\nexports.own = own.require_a;\n";
    expect(made(code).exports['own']).toBe('require_a.say()');
    expect(made(code).loaded).toEqual([]);
  });

  test('loads what is slow of Node late, wherever it asks for it, and the rest at once', () => {
    const { exports, loaded } = made("let node_fs = require('node:fs');\nexports.make = () => {\n\tconst crypto = require('node:crypto');\n\treturn (use) => use ? crypto.hash() : node_fs.name;\n};\n");
    expect(loaded).toEqual(['node:fs']);
    const use = (exports['make'] as () => (use: boolean) => string)();
    expect(use(false)).toBe('fs');
    expect(loaded).toEqual(['node:fs']);
    expect(use(true)).toBe('digest');
  });

  test('lists what it has not loaded, and what is started beside the programs loads it', () => {
    const code = "const require_a = require('./a.cjs');\nconst crypto = require('node:crypto');\nexports.say = () => require_a.say() + crypto.hash();\n";
    const { exports, loaded } = made(code);
    const late = (exports as Record<symbol, readonly (() => unknown)[]>)[Symbol.for('late')] ?? [];
    expect([late.length, loaded]).toEqual([1, []]);
    expect(late[0]?.()).toMatchObject({ value: 1 });
    expect(made(code, 'lease-worker').loaded).toEqual(['./a.cjs']);
  });

  test('is refused when one name would stand for two modules', () => {
    const code = "const one = () => { const x = require('node:crypto'); return x; };\nconst two = () => { const x = require('./a.cjs'); return x; };\n";
    expect(() => made(code)).toThrow('x stands for two modules in one chunk');
  });
});
