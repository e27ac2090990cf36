import { describe, expect, test } from 'vitest';
import { rulesBroken } from './support.ts';

const SPEAKING = ['src/cli/bach.ts', 'src/kernel/terminal/index.ts'];

describe('who speaks and who ends the process', () => {
  test.each([
    "console.log('x');",
    "process.stdout.write('x');",
    "process.stderr.write('x');",
    'process.exit(1);',
    'process.exitCode = 1;',
    'process.abort();',
    'const { exit } = process;\nexit(1);',
    "import process from 'node:process';\nprocess.exit(1);",
    "export { log } from 'node:console';",
  ])('%s', (text) => {
    expect(rulesBroken(`${text}\n`)).toEqual(['output']);
    for (const file of SPEAKING) expect(rulesBroken(`${text}\n`, file)).toEqual([]);
  });

  test.each(['process.kill(1, 0);', 'export const cwd = process.cwd();', "process.on('exit', () => {});"])(
    'allowed anywhere: %s',
    (text) => {
      expect(rulesBroken(`${text}\n`)).toEqual([]);
    },
  );
});

describe('errors are declared', () => {
  test.each(["throw new Error('x');", "throw Error('x');", "export const f = () => new TypeError('x');"])('%s', (text) => {
    expect(rulesBroken(`${text}\n`)).toEqual(['bare-error']);
  });

  test.each(['export class DroverError extends Error {}', 'export const is = (a: unknown) => a instanceof Error;'])(
    'allowed: %s',
    (text) => {
      expect(rulesBroken(`${text}\n`)).toEqual([]);
    },
  );
});

describe('modules with one owner', () => {
  test.each([
    ['node:child_process', 'src/kernel/process/index.ts'],
    ['child_process', 'src/kernel/process/index.ts'],
    ['node:sqlite', 'src/kernel/sql/index.ts'],
    ['@photostructure/sqlite', 'src/kernel/sql/index.ts'],
    ['commander', 'src/cli/bach.ts'],
  ])('%s belongs to %s', (module, owner) => {
    const text = `export type * from '${module}';\n`;
    expect(rulesBroken(text, owner)).toEqual([]);
    expect(rulesBroken(text)).toEqual(['owner']);
  });
});
