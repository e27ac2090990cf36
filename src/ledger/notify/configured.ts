import { DROVER_KEYS, expandHome, type Config, type Environment } from '../../kernel/config/index.ts';
import { definedVariables } from '../../kernel/process/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { desktopChannel } from './desktop.ts';
import { fileChannel } from './file.ts';
import type { Channel } from './notice.ts';
import { parseQuietHours, type QuietHours } from './quiet-hours.ts';
import { webhookChannel } from './webhook.ts';

export interface ConfiguredOptions {
  readonly config: Pick<Config, 'get'>;
  readonly env: Environment;
  readonly clock: Clock;
  /** A name that no other process uses. */
  readonly writer: string;
  readonly platform: NodeJS.Platform;
}

export interface ConfiguredNotices {
  /** In the order in which they are told. */
  readonly channels: readonly Channel[];
  readonly quietHours: QuietHours | undefined;
}

/** The ways to a person, as the user has configured them. */
export function configuredNotices(options: ConfiguredOptions): ConfiguredNotices {
  const hours = options.config.get(DROVER_KEYS.notifyQuietHours);
  return { channels: channelsOf(options), quietHours: hours === undefined ? undefined : parseQuietHours(hours) };
}

function channelsOf({ config, env, clock, writer, platform }: ConfiguredOptions): readonly Channel[] {
  const path = config.get(DROVER_KEYS.notifyFile);
  const url = config.get(DROVER_KEYS.notifyWebhookUrl);
  const secretVariable = config.get(DROVER_KEYS.notifyWebhookSecretEnv);
  const secret = secretVariable === undefined ? undefined : env[secretVariable];
  return [
    ...(config.get(DROVER_KEYS.notifyDesktop) ? [desktopChannel({ clock, platform, env: definedVariables(env) })] : []),
    ...(path === undefined ? [] : [fileChannel({ path: expandHome(path, { environment: env, purpose: DROVER_KEYS.notifyFile.name }), clock, writer })]),
    ...(url === undefined ? [] : [webhookChannel({ url, secret, clock })]),
  ];
}
