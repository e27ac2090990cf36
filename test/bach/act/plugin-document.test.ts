import { describe, expect, test } from 'vitest';
import { readPluginDocument } from '../../../src/bach/act/plugin-document.ts';

const read = (value: unknown) => readPluginDocument('p', typeof value === 'string' ? value : JSON.stringify(value));

describe('what a graph plugin printed', () => {
  test('adds inputs under its name, and dependencies and inputs to targets', () => {
    const document = {
      inputs: { tests: ['a.ts', 'b'], none: [] },
      targets: { 'shell.test': { depends_on: ['shell.generated'], inputs: ['generated.ts'] }, 'image.app': {} },
    };
    expect(read(document)).toEqual({
      additions: {
        plugin: 'p',
        inputs: new Map([
          ['plugin/p/tests', ['a.ts', 'b']],
          ['plugin/p/none', []],
        ]),
        targets: new Map([
          ['shell/test', { dependsOn: ['shell/generated'], inputs: ['generated.ts'] }],
          ['image/app', { dependsOn: [], inputs: [] }],
        ]),
      },
    });
  });

  test.each([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['an empty document', {}],
    ['nulls', { inputs: null, targets: null }],
    ['fields of somebody else', { version: 2, notes: ['x'] }],
  ])('%s adds nothing', (_, value) => {
    expect(read(value)).toEqual({ additions: { plugin: 'p', inputs: new Map(), targets: new Map() } });
  });

  test.each<[string, unknown, string | RegExp]>([
    ['no JSON', 'garbage', /^plugin "p" emitted invalid JSON: /],
    ['no JSON that goes over two lines', 'gar\nbage\n\u001b[2J', /^plugin "p" emitted invalid JSON: \P{Cc}*$/u],
    ['two documents', '{}{}', /^plugin "p" emitted invalid JSON: /],
    ['a list', [], 'plugin "p" emitted invalid JSON: the document must be an object'],
    ['a number', '3', 'plugin "p" emitted invalid JSON: the document must be an object'],
    ['inputs that are a list', { inputs: ['a'] }, 'plugin "p" emitted invalid JSON: inputs must be an object'],
    ['an input that is no list', { inputs: { a: 'x' } }, 'plugin "p" emitted invalid JSON: inputs "a" must be a list of strings that are not empty'],
    ['an empty path', { inputs: { a: [''] } }, 'plugin "p" emitted invalid JSON: inputs "a" must be a list of strings that are not empty'],
    ['a NUL in a path', { inputs: { a: ['x\0y'] } }, 'plugin "p" emitted invalid JSON: inputs "a" must be a list of strings that are not empty'],
    ['a path outside', { inputs: { a: ['../x'] } }, 'plugin "p" inputs "a": "../x" must stay under the project root'],
    ['a target that is no object', { targets: { 'shell.a': 1 } }, 'plugin "p" emitted invalid JSON: target "shell.a" must be an object'],
    ['a target that is no reference', { targets: { a: {} } }, 'plugin "p" target "a": invalid target reference "a": use type.name, for example shell.test'],
    ['the obsolete form', { targets: { 'shell/a': {} } }, 'plugin "p" target "shell/a": obsolete target reference "shell/a": use type.name, for example shell.a'],
    [
      'a dependency that is no reference',
      { targets: { 'shell.a': { depends_on: ['tool.x'] } } },
      'plugin "p" target "shell.a" depends_on: invalid target reference "tool.x": unknown target type "tool"',
    ],
    ['inputs of a target outside', { targets: { 'shell.a': { inputs: ['a/../../x'] } } }, 'plugin "p" target "shell.a" inputs: "a/../../x" must stay under the project root'],
  ])('%s is refused', (_, value, fault) => {
    expect(read(value)).toEqual({ fault: typeof fault === 'string' ? fault : expect.stringMatching(fault) });
  });
});
