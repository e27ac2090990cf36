import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expandHome, loadConfig, projectRoot, stateFolder } from '../../../src/kernel/config/index.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';

describe('the user', () => {
  test.each([
    ['home/.config/drover/config.toml', { HOME: 'home' }, true],
    ['xdg/drover/config.toml', { HOME: 'home', XDG_CONFIG_HOME: 'xdg' }, true],
    ['home/.config/drover/config.toml', { HOME: 'home', XDG_CONFIG_HOME: 'xdg' }, false],
    ['xdg/drover/config.toml', { XDG_CONFIG_HOME: 'xdg' }, true],
    ['home/.config/drover/config.toml', {}, false],
  ])('%s with %j: %s', async (path, names, isRead) => {
    const folder = temporaryFolder();
    writeFiles(folder, { [path]: '' });
    const environment = Object.fromEntries(Object.entries(names).map(([name, at]) => [name, join(folder, at)]));
    const files = isRead ? [{ layer: 'user', file: join(folder, path) }] : [];
    expect((await loadConfig({ keys: [], environment })).files).toEqual(files);
  });

  test('relative folders are ignored, as the standard says', async () => {
    const environment = { HOME: 'home', XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: 'state' };
    const config = await loadConfig({ keys: [], environment });
    expect(config.files).toEqual([]);
    expect(await config.warnings()).toEqual([
      'HOME = "home" has no effect: it is not an absolute path',
      'XDG_CONFIG_HOME = "config" has no effect: it is not an absolute path',
      'XDG_STATE_HOME = "state" has no effect: it is not an absolute path',
    ]);
  });
});

test.each([
  [undefined, { HOME: '/h' }, '/h/.local/state/drover'],
  [undefined, { HOME: '/h', XDG_STATE_HOME: '/s' }, '/s/drover'],
  [undefined, { XDG_STATE_HOME: '/s' }, '/s/drover'],
  ['~/x', { HOME: '/h' }, '/h/x'],
  ['/x', {}, '/x'],
])('the state folder: %s with %j is %s', (configured, environment, place) => {
  expect(stateFolder(configured, environment)).toBe(place);
});

test.each([
  [{}, 'HOME is not set'],
  [{ HOME: '' }, 'HOME is not set'],
  [{ HOME: 'a\nb', XDG_CONFIG_HOME: 'c' }, 'HOME is "a\\nb", not an absolute path'],
  [{ HOME: '.', XDG_STATE_HOME: 's' }, 'HOME is ".", not an absolute path; XDG_STATE_HOME is "s", not an absolute path'],
  [{ XDG_STATE_HOME: 's' }, 'HOME is not set; XDG_STATE_HOME is "s", not an absolute path'],
])('which variable of %j keeps the state folder from being known', (environment, reason) => {
  expect(() => stateFolder(undefined, environment)).toThrow(`cannot tell where the state folder is: ${reason}`);
});

test('without a home a place in it is refused, with what to do', () => {
  const refused = { code: 'home-unknown', remedy: 'set HOME to an absolute path, or write an absolute path instead of "~/"' };
  expect(() => expandHome('~/x', { environment: {}, purpose: 'notify.file' })).toThrow(expect.objectContaining(refused));
  expect(() => stateFolder('~/x', {})).toThrow(expect.objectContaining(refused));
  const unset = { code: 'home-unknown', remedy: 'set HOME to an absolute path, or XDG_STATE_HOME, or state.folder' };
  expect(() => stateFolder(undefined, {})).toThrow(expect.objectContaining(unset));
});

test('a project begins at the nearest mark, and is the folder itself without one', () => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'a/.git': 'gitdir: x', 'a/b/c/d/file': '', 'e/f/file': '' });
  mkdirSync(join(folder, 'a/b/.drover'));
  expect(projectRoot(join(folder, 'a/b/c/d'))).toBe(join(folder, 'a/b'));
  expect(projectRoot(join(folder, 'a'))).toBe(join(folder, 'a'));
  expect(projectRoot(join(folder, 'e/f'))).toBe(join(folder, 'e/f'));
  expect(projectRoot('/')).toBe('/');
});
