import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALL_DROVER_KEYS, noticeWishes } from '../../../src/desk/settings/index.ts';
import { loadConfig } from '../../../src/kernel/config/index.ts';
import { noticeWays } from '../../../src/ledger/index.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';
import { NOON, stillClock } from '../../ledger/support.ts';

async function configured(toml: string) {
  const home = temporaryFolder();
  writeFiles(home, { '.config/drover/config.toml': toml });
  const env = { HOME: home, PATH: '/bin' };
  const config = await loadConfig({ environment: env, keys: ALL_DROVER_KEYS });
  return { home, ...noticeWays(noticeWishes(config, env), { env, clock: stillClock(), writer: 'w', platform: 'linux' }) };
}

test('there is no channel and no quiet until they are configured', async () => {
  expect(await configured('')).toMatchObject({ channels: [], quietHours: undefined });
});

test('channels come in one order, the file below the home folder', async () => {
  const { home, channels, quietHours } = await configured(
    'notify.webhook.url = "https://example.com/x"\nnotify.file = "~/notices"\nnotify.desktop = true\nnotify.quiet_hours = "11:00-13:00 UTC"\n',
  );
  expect(channels.map(({ name }) => name)).toEqual(['desktop', 'file', 'webhook']);
  expect(quietHours?.quietUntil(NOON)).toBe(NOON + 3_600_000);
  const notice = { id: 'n', title: 't', text: '', urgency: 'low', at: 0 } as const;
  await channels[1]?.send(notice, { signal: new AbortController().signal });
  await expect(configured(`notify.file = "${join(home, 'notices')}"`)).resolves.toMatchObject({ channels: [{ name: 'file' }] });
});
