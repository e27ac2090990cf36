import { describe, expect, test } from 'vitest';
import { expandOperation, sharedEnvironment, targetEnvironment } from '../../../src/bach/act/operation.ts';

const entry = (name: string, value: string) => ({ name, value });

describe('the environment of an operation', () => {
  test('later layers win, the run directory above all', () => {
    const shared = sharedEnvironment({
      parent: { A: 'parent', B: 'parent', C: 'parent', D: 'parent', GONE: undefined },
      files: [entry('B', '.env'), entry('C', '.env'), entry('C', 'env-file')],
      project: [entry('D', 'project'), entry('E', 'project'), entry('P', 'project'), entry('BACH_GIT_COMMIT', 'project')],
      profiles: [entry('P', 'profile'), entry('F', 'profile')],
    });
    const facts = { id: 'r1', directory: '/run', git: [entry('BACH_GIT_COMMIT', 'c0ffee'), entry('BACH_GIT_DIRTY', '0')] };
    const own = [entry('E', 'target'), entry('F', 'target'), entry('RUN_DIRECTORY', 'mine'), entry('BACH_GIT_DIRTY', 'target')];
    const environment = targetEnvironment(shared, own, facts);
    expect({ ...environment }).toEqual({
      A: 'parent',
      B: '.env',
      C: 'env-file',
      D: 'project',
      E: 'target',
      P: 'profile',
      F: 'target',
      BACH_GIT_COMMIT: 'c0ffee',
      BACH_GIT_DIRTY: 'target',
      BACH_RUN_DIRECTORY: '/run',
      RUN_DIRECTORY: '/run',
      DROVER_RUN: 'r1',
    });
    expect(shared).not.toHaveProperty('BACH_RUN_DIRECTORY');
  });

  test('a variable named like a member of every object is a variable like any other', () => {
    const shared = sharedEnvironment({ parent: {}, files: [entry('__proto__', 'x')], project: [], profiles: [] });
    expect(Object.keys(shared)).toEqual(['__proto__']);
  });
});

describe('the words of an operation', () => {
  const environment = { NAME: 'value', RUN_DIRECTORY: '/run' };

  test('a command is shown by its words, after expansion', () => {
    const operation = { kind: 'command', argv: ['echo', '$NAME', '${NAME}x', '$(RUN_DIRECTORY)/r', '$GONE', '$1$$'] } as const;
    expect(expandOperation(operation, environment, '/run')).toEqual({
      commands: [['echo', 'value', 'valuex', '/run/r', '', '']],
      text: 'echo value valuex /run/r  ',
      tags: [],
    });
  });

  test('a shell text goes to /bin/sh, where command substitution survives', () => {
    const operation = { kind: 'shell', script: 'cat $(ls) > $(RUN_DIRECTORY)/$NAME' } as const;
    const script = 'cat $(ls) > /run/value';
    expect(expandOperation(operation, environment, '/run')).toEqual({ commands: [['/bin/sh', '-c', script]], text: `sh -c ${script}`, tags: [] });
  });

  test('a run directory with a dollar in its path is taken as it is where it is replaced', () => {
    const operation = { kind: 'command', argv: ['$(RUN_DIRECTORY)'] } as const;
    expect(expandOperation(operation, {}, '/a$b').commands).toEqual([['/a$b']]);
  });
});

describe('the commands of an image', () => {
  const IMAGE = {
    kind: 'image',
    builder: 'docker',
    image: 'example/app',
    tags: ['latest'],
    fullTags: ['example/app:latest'],
    dockerfile: 'Dockerfile',
    context: '.',
    platform: '',
    push: false,
    buildArgs: [],
  } as const;

  const texts = (more: object): string => expandOperation({ ...IMAGE, ...more }, { REV: 'c0ffee' }, '/run').text;

  test.each([
    ['a build', {}, 'docker build --file Dockerfile --tag example/app:latest .'],
    ['for a platform', { platform: 'linux/amd64' }, 'docker build --platform linux/amd64 --file Dockerfile --tag example/app:latest .'],
    ['with several tags', { fullTags: ['a:1', 'b:2'] }, 'docker build --file Dockerfile --tag a:1 --tag b:2 .'],
    [
      'with arguments, after expansion',
      { buildArgs: ['A=1', 'REV=$REV'], context: 'sub' },
      'docker build --file Dockerfile --tag example/app:latest --build-arg A=1 --build-arg REV=c0ffee sub',
    ],
    [
      'with a push of each tag',
      { push: true, fullTags: ['a:1', 'b:2'] },
      'docker build --file Dockerfile --tag a:1 --tag b:2 . && docker push a:1 && docker push b:2',
    ],
    [
      'with the push of a builder whose pushes are about images',
      { push: true, builder: 'container' },
      'container build --file Dockerfile --tag example/app:latest . && container image push example/app:latest',
    ],
    [
      'the same by its path',
      { push: true, builder: '/opt/bin/container' },
      '/opt/bin/container build --file Dockerfile --tag example/app:latest . && /opt/bin/container image push example/app:latest',
    ],
  ])('%s', (_, more, text) => {
    expect(texts(more)).toBe(text);
  });

  test('each is a command of its own, and the tags are known', () => {
    const { commands, tags } = expandOperation({ ...IMAGE, push: true, fullTags: ['a:$REV'] }, { REV: '1' }, '/run');
    expect(commands.map(([, verb]) => verb)).toEqual(['build', 'push']);
    expect(tags).toEqual(['a:1']);
  });
});
