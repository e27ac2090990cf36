import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { given, refusal } from './support.ts';

describe('what a file says wrongly is told with its place', () => {
  test.each([
    ['notify.dekstop = true', 'USER:1:8: unknown key notify.dekstop; did you mean "notify.desktop"?'],
    ['\n[notify]\n  desktop = "yes"', 'USER:3:3: notify.desktop: expected true or false, got "yes"'],
    ['[notifi]\ndesktop = true', 'USER:1:2: unknown key notifi; did you mean "notify"?'],
    ['notify = 3', 'USER:1:1: notify is a table of keys, not a value'],
    ['[notify.desktop]\nx = 1', 'USER:1:9: notify.desktop: expected true or false, got a table'],
    ['"notify.desktop" = true', 'USER:1:1: unknown key "notify.desktop"; did you mean "notify.desktop"?'],
    ['__proto__ = 1', 'USER:1:1: unknown key __proto__'],
    ['[__proto__]\nredact = 1', 'USER:1:2: unknown key __proto__'],
    ['[constructor.prototype]\nredact = 1', 'USER:1:2: unknown key constructor'],
    ['[redact.__proto__]\nextra = ["A"]', 'USER:1:9: unknown key redact.__proto__'],
    ['redact.extra = "A"', 'USER:1:8: redact.extra: expected a list of names of environment variables, got "A"'],
    ['redact.extra = ["A", 2]', 'USER:1:8: redact.extra: expected a list of names of environment variables, got ["A",2]'],
    ['redact.extra = 2026-01-01', 'USER:1:8: redact.extra: expected a list of names of environment variables, got a date or a time'],
    ['process.containment = "fully"', 'USER:1:9: process.containment: expected "partial", "best" or "full", got "fully"'],
    ['state.folder = "here"', 'USER:1:7: state.folder: expected an absolute path, or one that starts with "~/", got "here"'],
    ['state = { folder = "a" } # é', 'USER:1:11: state.folder: expected an absolute path, or one that starts with "~/", got "a"'],
    ['"é́" = 1\n"👩‍👩‍👧" = { "x" = 1 }', 'USER:1:1: unknown key "é́"\nUSER:2:1: unknown key "👩‍👩‍👧"'],
    ['a = 1\nb = ', 'USER:2:5: not TOML: invalid value'],
    ['a = "👩‍👩‍👧" x', 'USER:1:9: not TOML: each key-value declaration must be followed by an end-of-line'],
    ['[notify]\n[notify]', 'USER:2:2: not TOML: trying to redefine an already defined table or value'],
  ])('%j', async (user, told) => {
    expect(await refusal(given({ user }))).toBe(`config-invalid ${told}`);
  });

  test('a value that may be a secret is not repeated', async () => {
    for (const value of ['"https://user:hunter2@example.com"', '"http://example.com/hunter2"', '"hunter2"', '["hunter2"]']) {
      expect(await refusal(given({ user: `notify.webhook.url = ${value}` }))).toBe(
        'config-invalid USER:1:16: notify.webhook.url: expected an https address, or an http one of this machine, without user name and password',
      );
    }
  });

  test('all layers at once, and not more lines than one can read', async () => {
    const situation = given({
      user: 'a = 1\nnotify.desktop = 2\n',
      project: 'b = 1\n',
      environment: { DROVER_NOTIFY_DESKTOP: 'perhaps' },
      flags: [{ name: 'notify.flie', text: 'x', flag: '--set' }, { name: 'notify.file', text: 'x', flag: '--set' }],
    });
    expect((await refusal(situation)).split('\n')).toEqual([
      'config-invalid USER:1:1: unknown key a',
      'USER:2:8: notify.desktop: expected true or false, got 2',
      'PROJECT:1:1: unknown key b',
      'DROVER_NOTIFY_DESKTOP: notify.desktop: expected true or false, got "perhaps"',
      '--set: unknown key "notify.flie"; did you mean "notify.file"?',
      '--set: notify.file: expected an absolute path, or one that starts with "~/", got "x"',
    ]);
    const many = given({ user: Array.from({ length: 30 }, (_, index) => `k${index} = 1`).join('\n') });
    expect((await refusal(many)).split('\n').slice(19)).toEqual(['USER:20:1: unknown key k19', 'and 10 more']);
  });

  test('bytes that are no text, and an array that goes too deep', async () => {
    const situation = given({ user: '' });
    writeFileSync(situation.userFile, Buffer.from([0x61, 0xff, 0xfe]));
    expect(await refusal(situation)).toBe('config-invalid USER: not TOML: the file is not UTF-8');
    const deep = given({ user: `a = ${'['.repeat(5000)}${']'.repeat(5000)}` });
    expect(await refusal(deep)).toMatch(/^config-invalid USER:1:\d+: not TOML: .*nested/);
  });

  test('keys of objects stay what they are', async () => {
    await refusal(given({ user: '[__proto__]\npolluted = "yes"\n[constructor]\nprototype = { polluted = "yes" }\n' }));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a project is not trusted with', () => {
  test.each([
    ['notify.file = "/tmp/x"', 8],
    ['notify.webhook.url = "https://example.com"', 16],
    ['notify.webhook.secret_env = "HOME"', 16],
    ['notify.quiet_hours = "00:00-23:59"', 8],
    ['database.url_env = "HOME"', 10],
    ['redact.except = ["MY_TOKEN"]', 8],
    ['state.folder = "/tmp/x"', 7],
  ])('%s', async (project, column) => {
    const [name] = project.split(' ');
    expect(await refusal(given({ project }))).toBe(
      `config-not-trusted PROJECT:1:${column}: ${name} is not taken from a project's file`,
    );
    expect(await refusal(given({ user: project }))).toBe('loaded');
  });

  test('all of them are named at once', async () => {
    const project = 'state.folder = "/x"\nredact.extra = []\nnotify.file = "/y"\n';
    expect((await refusal(given({ project }))).split('\n')).toHaveLength(2);
  });
});

describe('a file that cannot be read is an error, never an empty one', () => {
  test('a folder in its place', async () => {
    const situation = given();
    mkdirSync(situation.userFile, { recursive: true });
    expect(await refusal(situation)).toBe('not-a-file cannot read USER: it is a directory');
  });

  test('a pipe, which nobody waits for', async () => {
    const situation = given({ project: '' });
    rmSync(situation.projectFile);
    execFileSync('mkfifo', [situation.projectFile]);
    expect(await refusal(situation)).toBe('not-a-regular-file PROJECT is a pipe, a socket or a device');
  });

  test('a device behind a link of the user', async () => {
    const situation = given({ user: '' });
    rmSync(situation.userFile);
    symlinkSync('/dev/zero', situation.userFile);
    expect(await refusal(situation)).toBe('not-a-regular-file USER is a pipe, a socket or a device');
  });

  test.each([
    ['bare', Array.from({ length: 3000 }, () => 'a').join('.')],
    ['quoted', Array.from({ length: 3000 }, () => '"a b"').join(' . ')],
  ])('a %s key of three thousand parts, before any reader sees it', async (_, key) => {
    expect(await refusal(given({ user: `# é\n[x]\n${key} = 1` }))).toMatch(/^config-invalid USER:3:1: not a setting: a key has more than 16 parts/);
    expect(await refusal(given({ user: `x = { ${key} = 1 }` }))).toContain('USER:1:7: not a setting');
  });

  test('thousands of unknown keys: the first twenty are told, and how many there are', async () => {
    const user = Array.from({ length: 4000 }, (_, index) => `k${index} = 1`).join('\n');
    const told = await refusal(given({ user }));
    expect(told).toContain('USER:20:1: unknown key k19');
    expect(told).not.toContain('unknown key k20');
    expect(told).toContain('and 3980 more');
  });

  test('more than a configuration can be', async () => {
    const situation = given({ user: `# ${'x'.repeat(64 * 1024)}` });
    expect(await refusal(situation)).toMatch(/^file-too-large USER has \d+ bytes/);
  });

  test('a file above which there is no folder', async () => {
    const situation = given();
    mkdirSync(dirname(dirname(situation.userFile)), { recursive: true });
    writeFileSync(dirname(situation.userFile), '');
    expect(await refusal(situation)).toMatch(/^not-a-directory .*USER/);
  });

  test('a file in the place of the folder of a project', async () => {
    const situation = given();
    writeFileSync(dirname(situation.projectFile), '');
    expect(await refusal(situation)).toMatch(/^not-a-directory .*PROJECT/);
  });

  test('a link that leads nowhere', async () => {
    const situation = given({ user: '' });
    rmSync(situation.userFile);
    symlinkSync('gone.toml', situation.userFile);
    expect(await refusal(situation)).toBe('not-found cannot follow the link USER: no such file or directory');
  });

  test('a link of a project that leads out of it', async () => {
    const elsewhere = temporaryFolder();
    writeFileSync(`${elsewhere}/config.toml`, 'redact.extra = ["A"]');
    const situation = given();
    symlinkSync(elsewhere, dirname(situation.projectFile));
    expect(await refusal(situation)).toMatch(/^path-outside path "PROJECT" leads outside /);
  });

  test('a link of the user is followed', async () => {
    const situation = given({ user: '' });
    const real = `${temporaryFolder()}/real.toml`;
    writeFileSync(real, 'notify.desktop = true');
    rmSync(situation.userFile);
    symlinkSync(real, situation.userFile);
    expect((await situation.load()).files).toEqual([{ layer: 'user', file: situation.userFile }]);
  });

  test('a file that nobody may read', async () => {
    const situation = given({ user: '' });
    chmodSync(situation.userFile, 0);
    await asOrdinaryUser(async () => {
      expect(await refusal(situation)).toBe('permission-denied cannot read USER: permission denied');
    });
  });
});
