import { describe, expect, test } from 'vitest';
import { expandOperation, sharedEnvironment, targetEnvironment } from '../../../src/bach/act/operation.ts';

const entry = (name: string, value: string) => ({ name, value });

describe('the environment of an operation', () => {
  test('later layers win, the run directory above all', () => {
    const shared = sharedEnvironment({
      parent: { A: 'parent', B: 'parent', C: 'parent', D: 'parent', GONE: undefined },
      files: [entry('B', '.env'), entry('C', '.env'), entry('C', 'env-file')],
      project: [entry('D', 'project'), entry('E', 'project')],
    });
    const environment = targetEnvironment(shared, [entry('E', 'target'), entry('RUN_DIRECTORY', 'mine')], { id: 'r1', directory: '/run' });
    expect({ ...environment }).toEqual({
      A: 'parent',
      B: '.env',
      C: 'env-file',
      D: 'project',
      E: 'target',
      BACH_RUN_DIRECTORY: '/run',
      RUN_DIRECTORY: '/run',
      DROVER_RUN: 'r1',
    });
    expect(shared).not.toHaveProperty('BACH_RUN_DIRECTORY');
  });

  test('a variable named like a member of every object is a variable like any other', () => {
    const shared = sharedEnvironment({ parent: {}, files: [entry('__proto__', 'x')], project: [] });
    expect(Object.keys(shared)).toEqual(['__proto__']);
  });
});

describe('the words of an operation', () => {
  const environment = { NAME: 'value', RUN_DIRECTORY: '/run' };

  test('a command is shown by its words, after expansion', () => {
    const operation = { kind: 'command', argv: ['echo', '$NAME', '${NAME}x', '$(RUN_DIRECTORY)/r', '$GONE', '$1$$'] } as const;
    expect(expandOperation(operation, environment, '/run')).toEqual({
      argv: ['echo', 'value', 'valuex', '/run/r', '', ''],
      text: 'echo value valuex /run/r  ',
    });
  });

  test('a shell text goes to /bin/sh, where command substitution survives', () => {
    const operation = { kind: 'shell', script: 'cat $(ls) > $(RUN_DIRECTORY)/$NAME' } as const;
    const script = 'cat $(ls) > /run/value';
    expect(expandOperation(operation, environment, '/run')).toEqual({ argv: ['/bin/sh', '-c', script], text: `sh -c ${script}` });
  });

  test('a run directory with a dollar in its path is taken as it is where it is replaced', () => {
    const operation = { kind: 'command', argv: ['$(RUN_DIRECTORY)'] } as const;
    expect(expandOperation(operation, {}, '/a$b').argv).toEqual(['/a$b']);
  });
});
