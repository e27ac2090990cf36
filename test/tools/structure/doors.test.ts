import { describe, expect, test } from 'vitest';
import { places } from './support.ts';

const ROOM = { 'src/kernel/text/index.ts': "export { a } from './a.ts';\n", 'src/kernel/text/a.ts': 'export const a = 1;\n' };

describe('one door per room', () => {
  test('a room is entered by its index.ts', () => {
    expect(places({ ...ROOM, 'src/engine/index.ts': "export { a } from '../kernel/text/index.ts';\n" })).toEqual([]);
  });

  test.each(["export { a } from '../kernel/text/a.ts';", "import type { a } from '../kernel/text/a.ts';"])(
    'any other file is refused: %s',
    (text) => {
      expect(places({ ...ROOM, 'src/engine/index.ts': `${text}\n` })).toEqual(['door src/engine/index.ts:1:1']);
    },
  );

  test('the rooms of a system are rooms to each other', () => {
    const files = {
      'src/bach/model/index.ts': "export { a } from './a.ts';\n",
      'src/bach/model/a.ts': 'export const a = 1;\n',
      'src/bach/decide/index.ts': "export { a } from '../model/a.ts';\n",
    };
    expect(places(files)).toEqual(['door src/bach/decide/index.ts:1:1']);
  });

  test('a folder with an index.ts is a room inside its room', () => {
    const inner = {
      'src/bach/model/README.md': '# A room\n',
      'src/bach/model/hcl/index.ts': "export { a } from './syntax/index.ts';\n",
      'src/bach/model/hcl/syntax/index.ts': "export { a } from './a.ts';\n",
      'src/bach/model/hcl/syntax/a.ts': 'export const a = 1;\n',
    };
    const user = (path: string) => ({ ...inner, 'src/bach/model/use.ts': `export { a } from '${path}';\n` });
    expect(places(user('./hcl/index.ts'))).toEqual([]);
    expect(places(user('./hcl/syntax/index.ts'))).toEqual(['door src/bach/model/use.ts:1:1']);
    const outside = { ...inner, 'src/bach/store/index.ts': "export { a } from '../model/hcl/index.ts';\n" };
    expect(places(outside)).toEqual(['door src/bach/store/index.ts:1:1']);
  });

  test('the command line may load the file of one verb lazily, and know its types', () => {
    const verb = { 'src/bach/commands/run.ts': 'export const run = 1;\nexport type Run = 1;\n' };
    expect(places({ ...verb, 'src/cli/bach.ts': "export type { Run } from '../bach/commands/run.ts';\n" })).toEqual([]);
    const lazy = "export const load = () => import('../bach/commands/run.ts');\n";
    expect(places({ ...verb, 'src/cli/bach.ts': lazy })).toEqual([]);
    const eager = "export { run } from '../bach/commands/run.ts';\n";
    expect(places({ ...verb, 'src/cli/bach.ts': eager })).toEqual(['door src/cli/bach.ts:1:1']);
    expect(places({ ...verb, 'src/desk/index.ts': lazy })).toEqual(['door src/desk/index.ts:1:27']);
  });
});

describe('a README in each room', () => {
  const engine = { 'src/engine/index.ts': 'export const a = 1;\n' };

  test('25 lines are enough', () => {
    expect(places({ ...engine, 'src/engine/README.md': 'line\n'.repeat(25) })).toEqual([]);
    expect(places({ ...engine, 'src/engine/README.md': 'line\n'.repeat(26) })).toEqual(['readme src/engine/README.md:1:1']);
  });

  test('a room without one is named', () => {
    expect(places({ 'src/engine/sub/a.ts': 'export const a = 1;\n' })).toEqual(['readme src/engine/README.md:1:1']);
  });
});
