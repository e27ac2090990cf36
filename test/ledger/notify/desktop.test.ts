import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { desktopChannel } from '../../../src/ledger/notify/index.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { NOON } from '../support.ts';

const NOTICE = { id: 'n', title: '--help', text: '<b>-x</b> & more\nnext line', urgency: 'critical', at: NOON } as const;

/** A folder for PATH in which the program notes its arguments, one after the other, ended by NUL. */
function programs(name: string, script: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  const env = { PATH: `${folder}:/usr/bin:/bin`, OUT: join(folder, 'arguments') };
  return { env, received: () => readFileSync(env.OUT, 'utf8').split('\0').slice(0, -1) };
}

const NOTE = 'printf "%s\\0" "$@" > "$OUT"';
const show = (env: Record<string, string>, platform: NodeJS.Platform = 'linux', signal = new AbortController().signal) =>
  desktopChannel({ clock: systemClock(), env, platform }).send(NOTICE, { signal });

describe('the desktop', () => {
  test('shows a notice; nothing in it is an option or markup', async () => {
    const { env, received } = programs('notify-send', NOTE);
    await show(env);
    expect(received()).toEqual([
      '--app-name=drover',
      '--urgency=critical',
      '--',
      '--help',
      '&lt;b&gt;-x&lt;/b&gt; &amp; more\nnext line',
    ]);
  });

  test('of macOS gets the words as arguments, never as a script', async () => {
    const { env, received } = programs('osascript', NOTE);
    await show(env, 'darwin');
    expect(received().slice(-3)).toEqual(['--', '--help', NOTICE.text]);
    expect(received().join('')).toContain('item 2 of argv');
  });

  test('without the program refuses for good', async () => {
    const folder = temporaryFolder();
    await expect(show({ PATH: folder })).rejects.toMatchObject({ code: 'notice-refused', message: expect.stringContaining('notify-send') as string });
  });

  test('that fails is told with its first line', async () => {
    const { env } = programs('notify-send', 'echo "no bus" >&2; echo more >&2; exit 3');
    await expect(show(env)).rejects.toMatchObject({ code: 'notice-undelivered', message: expect.stringMatching(/no bus$/) as string });
  });

  test('that hangs ends with the signal', async () => {
    const { env } = programs('notify-send', 'exec sleep 600');
    const controller = new AbortController();
    const shown = show(env, 'linux', controller.signal);
    controller.abort();
    await expect(shown).rejects.toMatchObject({ code: 'notice-undelivered' });
  });
});
