import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { openLedger } from '../../../src/ledger/index.ts';
import { droverHome, type DroverHome } from '../../support/drover-home.ts';
import { FakeSignals, type CliOptions } from '../../support/cli.ts';

interface Document {
  readonly checks: readonly { readonly name: string; readonly status: string; readonly detail: string; readonly remedy?: string }[];
  readonly ok: boolean;
}

/** The document by the names of the checks; nothing of what the doctor looked at may have changed. */
async function doctor(home: DroverHome, options: CliOptions = {}, ...argv: readonly string[]) {
  const before = home.contents();
  const { exit, stdout, stderr } = await home.drover(['doctor', '--json', ...argv], options);
  expect({ stderr, contents: home.contents() }).toEqual({ stderr: '', contents: before });
  const document = JSON.parse(stdout) as Document;
  expect(exit).toBe(document.ok ? 0 : 1);
  expect(document.ok).toBe(document.checks.every(({ status }) => status !== 'fail'));
  return Object.fromEntries(document.checks.map(({ name, ...check }) => [name, check]));
}

const NAMES = ['node', 'git', 'tmux', 'sqlite', 'config', 'state', 'disk', 'state-disk', 'locks', 'containment', 'ledger', 'notify'];

test('every check stands in the documentation', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/drover.md'), 'utf8');
  const rows = page.split('## doctor')[1]?.split('\n## ', 1)[0]?.match(/^\|[^|]+\|/gm) ?? [];
  expect(rows.flatMap((row) => [...row.matchAll(/`([\w-]+)`/g)].map(([, name]) => name))).toEqual(NAMES);
});

// Slower than 5 s on a busy machine: every way of containment is tried.
describe('on this machine', () => {
  test('every check answers, in one order', async () => {
    const home = droverHome();
    const checks = await doctor(home);
    expect(Object.keys(checks)).toEqual(NAMES);
    expect(checks['node']).toEqual({ status: 'ok', detail: process.versions.node });
    expect(checks['sqlite']).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^3\.\d+\.\d+/) });
    expect(checks['state']).toEqual({ status: 'ok', detail: `${home.home}/.local/state/drover (made at its first use)` });
    expect(checks['locks']).toMatchObject({ detail: expect.stringContaining(home.home) });
    expect(checks['disk']).toMatchObject({ detail: expect.stringMatching(/^\d+(\.\d)? [MG]iB free/) });
  });

  test('as text, a line for each check and its remedy below', async () => {
    const home = droverHome();
    const { stdout } = await home.drover(['doctor'], { env: { PATH: join(home.folder, 'bin') } });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => /^\S/.test(line)).map((line) => line.slice(6, 17).trimEnd())).toEqual(NAMES);
    expect(lines).toContain('fail  git          not on PATH');
    expect(lines).toContain('                   install git 2.38 or newer');
  });
});

describe('programs', () => {
  test('that are missing', async () => {
    const home = droverHome();
    const checks = await doctor(home, { env: { PATH: join(home.folder, 'bin') } });
    expect(checks['git']).toEqual({ status: 'fail', detail: 'not on PATH', remedy: 'install git 2.38 or newer' });
    expect(checks['tmux']).toMatchObject({ status: 'warn', remedy: 'install tmux to use them' });
  });

  test('that are old', async () => {
    const home = droverHome();
    home.program('git', 'echo git version 2.33.9');
    expect((await doctor(home))['git']).toMatchObject({ status: 'fail', detail: '2.33.9; at least 2.34 is needed' });
    home.program('git', 'echo git version 2.37.1.windows.1');
    expect((await doctor(home))['git']).toMatchObject({ status: 'warn', detail: expect.stringContaining('2.37.1.windows.1') });
  });

  test('that are broken', async () => {
    const home = droverHome();
    home.program('git', 'echo no room >&2; exit 3');
    home.program('tmux', 'echo something else');
    const checks = await doctor(home);
    expect(checks['git']).toMatchObject({ status: 'fail', detail: 'git --version failed: no room' });
    expect(checks['tmux']).toMatchObject({ status: 'warn', detail: 'tmux -V told no version: something else' });
  });

  // Slower than 5 s: that is how long the doctor waits for a program.
  test('that hang', async () => {
    const home = droverHome();
    home.program('git', 'exec sleep 1000');
    home.program('tmux', 'trap "" TERM; exec sleep 1000');
    const checks = await doctor(home);
    expect(checks['git']).toMatchObject({ status: 'fail', remedy: 'run "git --version" by hand and mend what it shows' });
    expect(checks['tmux']).toMatchObject({ status: 'warn', detail: expect.stringMatching(/tmux/) });
  });

  test('that print without end', async () => {
    const home = droverHome();
    home.program('git', 'while :; do echo git version 2.40; done');
    expect((await doctor(home))['git']).toMatchObject({ status: 'fail' });
  });
});

test('what a program says of itself is shown without its control characters', async () => {
  const home = droverHome();
  home.program('git', "printf 'git version 2.44\\033[31m\\033]0;title\\a\\n'");
  home.program('tmux', "printf 'no \\033[31mnumber\\n'");
  const checks = await doctor(home);
  expect(checks['git']).toMatchObject({ status: 'ok', detail: '2.44' });
  expect(checks['tmux']?.detail).toBe('tmux -V told no version: no [31mnumber');
});

describe('configuration', () => {
  test('that cannot be used is a failed check, and the others go on', async () => {
    const home = droverHome();
    home.write('home/.config/drover/config.toml', 'state.folder = 1');
    const checks = await doctor(home);
    expect(checks['config']).toMatchObject({ status: 'fail', detail: expect.stringContaining('config.toml:1:7: state.folder: expected') });
    expect(checks['state']).toMatchObject({ status: 'ok', detail: expect.stringContaining('.local/state/drover') });
  });

  test('that names variables which are not there', async () => {
    const home = droverHome();
    home.write('home/.config/drover/config.toml', 'database.url_env = "DB"\nnotify.webhook.secret_env = "HOOK"\n');
    expect((await doctor(home, { env: { HOOK: 'x' } }))['config']).toEqual({
      status: 'warn',
      detail: 'database.url_env names DB, which is not set',
      remedy: 'see all values with: drover config show --origin',
    });
  });

  test('its files are named', async () => {
    const home = droverHome();
    home.write('project/.drover/config.toml', '');
    expect((await doctor(home))['config']).toEqual({ status: 'ok', detail: join(home.project, '.drover/config.toml') });
  });
});

describe('the state folder', () => {
  test('is where the configuration says', async () => {
    const home = droverHome();
    mkdirSync(join(home.folder, 'kept'));
    const checks = await doctor(home, {}, '--set', `state.folder=${home.folder}/kept`);
    expect(checks['state']).toEqual({ status: 'ok', detail: join(home.folder, 'kept') });
    expect(checks['locks']).toMatchObject({ detail: expect.stringContaining(join(home.folder, 'kept')) });
  });

  test('is not known without a home, which fails once', async () => {
    const checks = await doctor(droverHome(), { env: { HOME: '' } });
    expect(checks['state']).toMatchObject({ status: 'fail', remedy: 'set HOME to an absolute path, or XDG_STATE_HOME, or state.folder' });
    expect([checks['state-disk'], checks['locks']].map((check) => check?.status)).toEqual(['warn', 'warn']);
  });

  test('a file or a loop of links in its place', async () => {
    const home = droverHome();
    home.write('file', '');
    symlinkSync('loop', join(home.folder, 'loop'));
    for (const name of ['file', 'loop']) {
      const checks = await doctor(home, {}, '--set', `state.folder=${home.folder}/${name}/x`);
      expect(checks['state']).toMatchObject({ status: 'fail', detail: expect.stringContaining(`${home.folder}/${name}`) });
    }
  });
});

describe('the ledger', () => {
  const at = (home: ReturnType<typeof droverHome>) => join(home.home, '.local/state/drover/ledger.db');

  test('is none before its first use, and then counted', async () => {
    const home = droverHome();
    mkdirSync(join(home.home, '.local/state/drover'), { recursive: true });
    expect((await doctor(home))['ledger']).toEqual({ status: 'ok', detail: 'none yet; it is made at its first use' });
    const ledger = await openLedger(at(home), { clock: systemClock(), mask: (words) => words });
    const place = { system: 'toy', repository: '/repo' };
    await ledger.sessions.begin({ ...place, id: 's', attempt: 1, marker: 'm', logPath: '/log' });
    const { checks } = JSON.parse((await home.drover(['doctor', '--json'])).stdout) as Document;
    ledger.close();
    expect(checks.find(({ name }) => name === 'ledger')).toMatchObject({
      status: 'ok',
      detail: `${at(home)}: 1 sessions that have not ended, 0 open questions`,
    });
  });

  test('that is damaged fails', async () => {
    const home = droverHome();
    home.write('home/.local/state/drover/ledger.db', 'no database\n'.repeat(100));
    expect((await doctor(home))['ledger']).toMatchObject({ status: 'fail', detail: expect.stringContaining(at(home)) });
  });
});

describe('notices', () => {
  const CONFIG = 'home/.config/drover/config.toml';

  test('have no channel until one is configured; nothing is sent unasked', async () => {
    const home = droverHome();
    expect((await doctor(home))['notify']).toEqual({ status: 'ok', detail: 'no channel is configured' });
    home.write(CONFIG, 'notify.desktop = true\nnotify.file = "~/notices.jsonl"\nnotify.webhook.url = "http://127.0.0.1:9/"\n');
    expect((await doctor(home))['notify']).toEqual({ status: 'ok', detail: 'desktop, file, webhook' });
  });

  test('are sent on each channel when they are asked for', async () => {
    const home = droverHome();
    home.program('notify-send', `echo "$@" > "${home.folder}/shown"`);
    home.write(CONFIG, 'notify.desktop = true\nnotify.file = "~/notices.jsonl"\nnotify.quiet_hours = "00:00-23:59"\n');
    const { exit, stdout } = await home.drover(['doctor', '--notify']);
    expect(stdout).toMatch(/notify +desktop: sent\n +file: sent\n/);
    expect([0, 1]).toContain(exit);
    expect(readFileSync(join(home.folder, 'shown'), 'utf8')).toContain('A test notice of drover doctor.');
    expect(JSON.parse(readFileSync(join(home.home, 'notices.jsonl'), 'utf8'))).toMatchObject({ kind: 'notice', title: 'drover' });
  });

  test('that do not arrive fail, with the channel that did not take one', async () => {
    const home = droverHome();
    home.write(CONFIG, 'notify.file = "~/notices.jsonl"\nnotify.webhook.url = "http://127.0.0.1:9/secret-token"\n');
    const { exit, stdout } = await home.drover(['doctor', '--notify', '--json']);
    const { checks } = JSON.parse(stdout) as Document;
    expect(exit).toBe(1);
    expect(checks.find(({ name }) => name === 'notify')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/^file: sent\na notice was not delivered by webhook: http:\/\/127.0.0.1:9: /),
    });
    expect(stdout).not.toContain('secret-token');
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends it and what it waits for', async (signal, exit) => {
  const home = droverHome();
  home.program('git', `echo $$ > "${home.folder}/git.pid"; exec sleep 1000`);
  const signals = new FakeSignals();
  const ended = home.drover(['doctor', '--json'], { signals });
  const pid = await untilWritten(join(home.folder, 'git.pid'));
  signals.send(signal);
  expect(await ended).toEqual({ exit, stdout: '', stderr: `stopped by ${signal}; nothing was changed\n` });
  expect(pid).toBeGreaterThan(1);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

async function untilWritten(path: string): Promise<number> {
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text.endsWith('\n')) return Number(text);
    await sleep(10);
  }
}

test('the folder that it was started in may be gone', async () => {
  const home = droverHome();
  const checks = await doctor(home, { cwd: join(home.folder, 'gone') });
  expect(checks['disk']).toMatchObject({ status: 'fail', detail: expect.stringContaining('gone') });
  expect(checks['state']).toMatchObject({ status: 'ok' });
});

test.each([
  [['doctor', 'x'], 'drover doctor: expected no arguments, got "x"'],
  [['doctor', '--jsno'], 'unknown option "--jsno"; did you mean "--json"?'],
  [['doctor', '--set', 'process.containmnet=full'], '--set process.containmnet: unknown key "process.containmnet"; did you mean'],
  [['doctor', '--set', 'notify.desktop=maybe'], '--set notify.desktop: '],
  [['doctor', '--set', 'a\nb\u001b=x'], '--set "a\\nb\\u001b": unknown key'],
  [['doctor', '--set', 'x'], 'invalid --set "x": expected name=value'],
])('%j is wrong usage', async (argv, told) => {
  const { exit, stdout, stderr } = await droverHome().drover([...argv, '--json']);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toMatch(/^.+\n.+\n$/);
  expect(stderr).toContain(told);
});
