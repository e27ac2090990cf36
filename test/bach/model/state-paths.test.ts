import { describe, expect, test } from 'vitest';
import { isOwnState, stateRule } from '../../../src/bach/model/index.ts';

describe('state, which no walk enters', () => {
  test.each(['.git', '.git/HEAD', 'sub/.jj/x', '.bach', '.bach/runs/1', '.bmad-loop/a', '.bacchus', '.ratchet/batches/b/run/x', 'a/.ratchet/changes/c/.run'])(
    '%s',
    (path) => {
      expect(stateRule('.bach/state.db')(path)).toBe(true);
    },
  );

  test.each(['.gitignore', 'bach', 'a.git', '.ratchet/batches/b/plan', '.ratchet', 'state.db', 'runs/1'])('not %s', (path) => {
    expect(stateRule('.bach/state.db')(path)).toBe(false);
  });

  test.each([
    ['kept/state.db', true],
    ['kept/state.db-wal', true],
    ['kept/state.db.old', true],
    ['kept/runs/1/x.log', true],
    ['kept/state', false],
    ['kept/runs.txt', false],
    ['runs/1', false],
  ])('beside the state database: %s %s', (path, is) => {
    expect(stateRule('./kept/state.db')(path)).toBe(is);
  });
});

describe('what runs leave', () => {
  test.each([
    ['.bach/state.db', '.bach/', true],
    ['.bach/state.db', '.bach/agents/x/a.ts', true],
    ['.bach/state.db', '.bachelor', false],
    ['./kept/deep/state.db', 'kept/deep/state.db-shm', true],
    ['./kept/deep/state.db', 'kept/a.ts', false],
    ['state.db', 'state.db-wal', true],
    ['state.db', 'runs/1/x.log', true],
    ['state.db', 'state.dbs', false],
    ['state.db', 'src/a.ts', false],
  ])('with the state in %s: %s %s', (statePath, path, is) => {
    expect(isOwnState(path, statePath)).toBe(is);
  });
});
