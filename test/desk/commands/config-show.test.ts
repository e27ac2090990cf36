import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { ALL_DROVER_KEYS } from '../../../src/desk/settings/index.ts';
import { droverHome } from '../../support/drover-home.ts';

const USER = 'home/.config/drover/config.toml';
const PROJECT = 'project/.drover/config.toml';

describe('what is shown', () => {
  test('without files every key with its default, as TOML', async () => {
    const { exit, stdout, stderr } = await droverHome().drover(['config', 'show']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(ALL_DROVER_KEYS.length);
    expect(lines).toContain('process.containment = "best"');
    expect(lines).toContain('# notify.file is not set');
    expect(parse(stdout)).toMatchObject({ process: { containment: 'best' }, notify: { desktop: false } });
  });

  test('with --origin file and line, variable, option and default', async () => {
    const home = droverHome();
    home.write(USER, '[notify]\ndesktop = true\nfile = "/a"\n\n[redact]\nextra = ["A"]\n');
    home.write(PROJECT, 'redact.extra = ["B"]\n');
    const env = { DROVER_NOTIFY_QUIET_HOURS: '22:00-07:00' };
    const { stdout } = await home.drover(['config', 'show', '--origin', '--set', 'notify.file=/b'], { env });
    const told = stdout.replaceAll(home.folder, '').split('\n').map((line) => line.replace(/ +#/, ' #'));
    expect(told).toEqual([
      `redact.extra = ["A","B"] # /${USER}:6, /${PROJECT}:1`,
      'redact.except = [] # default',
      `notify.desktop = true # /${USER}:2`,
      'notify.file = "/b" # --set notify.file',
      '# notify.webhook.url is not set # default',
      '# notify.webhook.secret_env is not set # default',
      'notify.quiet_hours = "22:00-07:00" # DROVER_NOTIFY_QUIET_HOURS',
      '# database.url_env is not set # default',
      'process.containment = "best" # default',
      '# state.folder is not set # default',
      '',
    ]);
    expect(parse(stdout)).toMatchObject({ notify: { file: '/b' } });
  });

  test('as one document, whatever is set', async () => {
    const home = droverHome();
    home.write(USER, 'notify.desktop = true\n');
    const plain = await home.drover(['config', 'show', '--json']);
    const document = JSON.parse(plain.stdout) as { settings: Record<string, unknown>[]; files: unknown; warnings: unknown };
    expect(document.files).toEqual([{ layer: 'user', file: join(home.folder, USER) }]);
    expect(document.warnings).toEqual([]);
    expect(document.settings.find(({ name }) => name === 'notify.desktop')).toEqual({
      name: 'notify.desktop',
      value: true,
      means: 'Whether notices appear on the desktop.',
    });
    expect(document.settings.find(({ name }) => name === 'notify.file')).toMatchObject({ value: null });
    const { stdout } = await home.drover(['--json', 'config', 'show', '--origin']);
    expect(JSON.parse(stdout)).toMatchObject({
      settings: expect.arrayContaining([
        expect.objectContaining({ name: 'notify.desktop', origins: [{ layer: 'user', file: join(home.folder, USER), line: 1 }] }),
        expect.objectContaining({ name: 'notify.file', origins: [{ layer: 'default' }] }),
      ]),
    });
  });

  test('no secret, in no form', async () => {
    const home = droverHome();
    home.write(USER, 'notify.webhook.url = "https://hooks.example.com/T0/hunter2"\nnotify.webhook.secret_env = "HOOK"\n');
    for (const argv of [[], ['--origin'], ['--json'], ['--origin', '--json']]) {
      const { stdout, stderr } = await home.drover(['config', 'show', ...argv], { env: { HOOK: 'hunter2' } });
      expect(`${stdout}${stderr}`).not.toContain('hunter2');
      expect(stdout).toContain('https://hooks.example.com/***');
    }
  });

  test('what has no effect is told beside it', async () => {
    const home = droverHome();
    home.write(PROJECT, 'process.containment = "partial"\n');
    const { exit, stdout, stderr } = await home.drover(['config', 'show'], { env: { DROVER_STATE_FODLER: '/x' } });
    expect(exit).toBe(0);
    expect(stdout).toContain('process.containment = "best"');
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining(`${PROJECT}:1:9: process.containment = "partial" has no effect`),
      'DROVER_STATE_FODLER has no effect; did you mean "DROVER_STATE_FOLDER"?',
      '',
    ]);
  });

  test('a path with a newline cannot pass for a setting or a fault', async () => {
    const home = droverHome();
    home.write('x\ny = 1/drover/config.toml', 'notify.desktop = true\n');
    const options = { env: { XDG_CONFIG_HOME: join(home.folder, 'x\ny = 1') } };
    const { stdout } = await home.drover(['config', 'show', '--origin'], options);
    expect(stdout).toContain('/x\\ny = 1/drover/config.toml":1\n');
    expect(parse(stdout)).not.toHaveProperty('y');
    home.write('x\ny = 1/drover/config.toml', 'no.key = 1\n');
    expect((await home.drover(['config', 'show'], options)).stderr).toMatch(/^".+\/x\\ny = 1\/drover\/config\.toml":1:1: .+\n.+\n$/);
  });

  test('from the project that the folder belongs to', async () => {
    const home = droverHome();
    home.write(PROJECT, 'redact.extra = ["B"]\n');
    home.write('project/deep/down/file', '');
    const { stdout } = await home.drover(['config', 'show'], { cwd: join(home.project, 'deep/down') });
    expect(stdout).toContain('redact.extra = ["B"]');
  });

  test('without a home, from what is left', async () => {
    const home = droverHome();
    home.write(USER, 'broken');
    home.write('xdg/drover/config.toml', 'notify.desktop = true');
    const none = await home.drover(['config', 'show'], { env: { HOME: '' } });
    expect(none).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('notify.desktop = false') });
    const xdg = await home.drover(['config', 'show'], { env: { HOME: '', XDG_CONFIG_HOME: join(home.folder, 'xdg') } });
    expect(xdg.stdout).toContain('notify.desktop = true');
  });
});

describe('what is refused, with nothing on standard output and no file changed', () => {
  test.each([
    ['broken TOML', USER, 'a = ', [], 1, `${USER}:1:5: not TOML: invalid value`, 'correct these places'],
    ['an unknown key', USER, '\nnotifi.x = 1', [], 1, `${USER}:2:1: unknown key notifi; did you mean "notify"?`, 'docs/drover.md'],
    ['a wrong value', PROJECT, 'notify.desktop = "on"', [], 1, `${PROJECT}:1:8: notify.desktop: expected true or false, got "on"`, 'correct'],
    ['what a project must not say', PROJECT, 'notify.file = "/x"', [], 1, `${PROJECT}:1:8: notify.file is not taken from`, 'take the key out'],
    ['an unknown key in --set', USER, '', ['--set', 'notify.fiel=/x'], 2, '--set notify.fiel: unknown key "notify.fiel"; did you mean "notify.file"?', 'correct'],
    ['a wrong value in --set', USER, '', ['--set', 'notify.file=x'], 2, '--set notify.file: notify.file: expected an absolute path', 'correct'],
    ['a --set without a value', USER, '', ['--set', 'notify.file'], 2, 'invalid --set "notify.file": expected name=value', 'correct the value'],
    ['a --set with nothing', USER, '', ['--set'], 2, 'option --set <name=value> needs a value', 'see drover config show --help'],
  ])('%s', async (_, file, content, argv, exit, told, remedy) => {
    const home = droverHome();
    home.write(file, content);
    const before = home.contents();
    for (const form of [[], ['--json']]) {
      const result = await home.drover(['config', 'show', ...form, ...argv]);
      expect(result).toMatchObject({ exit, stdout: '' });
      expect(result.stderr).toContain(told);
      expect(result.stderr).toContain(remedy);
    }
    expect(home.contents()).toBe(before);
  });

  test('a folder in the place of the file, and a current folder that is gone', async () => {
    const home = droverHome();
    mkdirSync(join(home.folder, USER), { recursive: true });
    expect(await home.drover(['config', 'show'])).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining(USER) });
    rmSync(join(home.folder, USER), { recursive: true });
    expect((await home.drover(['config', 'show'], { cwd: join(home.folder, 'gone') })).exit).toBe(0);
  });
});
