import { expandHome, type Config, type Environment } from '../../kernel/config/index.ts';
import type { NoticeWishes } from '../../ledger/index.ts';
import { DROVER_KEYS } from './keys.ts';

/** How the user has configured notices. Throws `home-unknown`. */
export function noticeWishes(config: Pick<Config, 'get'>, env: Environment): NoticeWishes {
  const file = config.get(DROVER_KEYS.notifyFile);
  const url = config.get(DROVER_KEYS.notifyWebhookUrl);
  const secret = config.get(DROVER_KEYS.notifyWebhookSecretEnv);
  return {
    desktop: config.get(DROVER_KEYS.notifyDesktop),
    file: file === undefined ? undefined : expandHome(file, { environment: env, purpose: DROVER_KEYS.notifyFile.name }),
    webhook: url === undefined ? undefined : { url, secret: secret === undefined ? undefined : env[secret] },
    quietHours: config.get(DROVER_KEYS.notifyQuietHours),
  };
}
