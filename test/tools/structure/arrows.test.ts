import { describe, expect, test } from 'vitest';
import { check, places } from './support.ts';

/** Two rooms, the first of which imports the door of the second. */
function pair(from: string, to: string): Record<string, string> {
  const up = '../'.repeat(from.split('/').length);
  return {
    [`src/${from}/index.ts`]: `export { a } from '${up}${to}/index.ts';\n`,
    [`src/${to}/index.ts`]: 'export const a = 1;\n',
  };
}

describe('arrows between rooms', () => {
  test.each([
    ['cli', 'desk'],
    ['cli', 'kernel/text'],
    ['desk', 'bach/store'],
    ['desk', 'desk/commands'],
    ['desk/commands', 'bach/store'],
    ['desk/commands', 'desk/doctor'],
    ['desk/doctor', 'desk/settings'],
    ['bach/act', 'workspace'],
    ['bach/act', 'engine'],
    ['bach/commands', 'bach/act'],
    ['bach/store', 'bach/model'],
    ['evidence', 'ledger'],
    ['engine', 'kernel/time'],
    ['kernel/lock', 'kernel/sql'],
    ['kernel/ids', 'kernel/files'],
  ])('%s may import %s', (from, to) => {
    expect(places(pair(from, to))).toEqual([]);
  });

  test.each([
    ['desk', 'cli'],
    ['desk/commands', 'cli'],
    ['desk/settings', 'desk/doctor'],
    ['desk/explain', 'desk/commands'],
    ['bach/store', 'desk'],
    ['bach/store', 'desk/settings'],
    ['workspace', 'bach/model'],
    ['workspace', 'evidence'],
    ['agents', 'workspace'],
    ['engine', 'ledger'],
    ['ledger', 'agents'],
    ['kernel/text', 'engine'],
    ['bach/model', 'bach/store'],
    ['bach/store', 'bach/decide'],
    ['bach/act', 'bach/commands'],
    ['kernel/text', 'kernel/files'],
    ['kernel/sql', 'kernel/lock'],
  ])('%s may not import %s', (from, to) => {
    expect(places(pair(from, to))).toContain(`arrow src/${from}/index.ts:1:1`);
  });

  test('a system may not import another, not even a type', () => {
    const files = {
      'src/bach/act/index.ts': "import type { Loop } from '../../loop/model/index.ts';\nexport type A = Loop;\n",
      'src/loop/model/index.ts': 'export interface Loop {}\n',
    };
    expect(check(files)).toMatchObject([{ rule: 'arrow', line: 1, message: 'systems never import each other' }]);
  });

  test('a dynamic import and an inline type import are arrows too', () => {
    const files = {
      'src/ledger/index.ts': 'export const a = 1;\n',
      'src/engine/index.ts':
        "export const load = () => import('../ledger/index.ts');\nexport type T = import('../ledger/index.ts').T;\n",
    };
    expect(places(files)).toEqual(['arrow src/engine/index.ts:1:27', 'arrow src/engine/index.ts:2:17']);
  });

  test('systems meet in src/cli/wire.ts and nowhere else', () => {
    const text = "export { a } from '../bach/store/index.ts';\nexport { b } from '../loop/store/index.ts';\n";
    const systems = { 'src/bach/store/index.ts': 'export const a = 1;\n', 'src/loop/store/index.ts': 'export const b = 1;\n' };
    expect(places({ ...systems, 'src/cli/wire.ts': text })).toEqual([]);
    expect(places({ ...systems, 'src/cli/other.ts': text })).toEqual(['join src/cli/other.ts:2:1']);
    expect(places({ ...systems, 'src/desk/index.ts': text })).toEqual(['join src/desk/index.ts:2:1']);
  });

  test('an import that resolves to nothing, and one whose name is computed', () => {
    const text = "import './gone.ts';\nimport '../../test/x.ts';\nexport const load = (name: string) => import(name);\n";
    expect(places({ 'src/engine/index.ts': text, 'test/x.ts': '' })).toEqual([
      'arrow src/engine/index.ts:1:1',
      'arrow src/engine/index.ts:2:1',
      'arrow src/engine/index.ts:3:39',
    ]);
  });
});

describe('places of the house', () => {
  test.each(['src/engine/a.ts', 'src/bach/decide/a.ts', 'src/bach/index.ts', 'src/kernel/text/a.ts', 'src/cli/a.ts'])(
    '%s lives in a room',
    (file) => {
      expect(places({ [file]: 'export const a = 1;\n' })).toEqual([]);
    },
  );

  test.each(['src/helpers/a.ts', 'src/a.ts', 'src/kernel/index.ts', 'src/kernel/misc/a.ts', 'src/bach/errors.ts', 'src/bach/util/a.ts'])(
    '%s does not',
    (file) => {
      expect(check({ [file]: 'export const a = 1;\n' }).map(({ rule }) => rule)).toContain('room');
    },
  );
});
