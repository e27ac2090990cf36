import type { Config, ConfigKey } from '../../kernel/config/index.ts';
import { DROVER_KEYS } from '../settings/index.ts';
import { ok, warn, type Check } from './check.ts';

/** Keys that name a variable, which then has to be there. */
const VARIABLE_KEYS: readonly ConfigKey<string | undefined>[] = [DROVER_KEYS.databaseUrlEnv, DROVER_KEYS.notifyWebhookSecretEnv];

export const configuration: Check = {
  name: 'config',
  run: async ({ config, env }) => {
    const found = await config();
    const missing = VARIABLE_KEYS.flatMap((key) => missingVariable(key, found, env));
    const warnings = [...(await found.warnings()), ...missing];
    if (warnings.length > 0) return warn(warnings.join('\n'), 'see all values with: drover config show --origin');
    return ok(found.files.length === 0 ? 'no files; every key has its default' : found.files.map(({ file }) => file).join(', '));
  },
};

function missingVariable(key: ConfigKey<string | undefined>, config: Config, env: Readonly<Record<string, string | undefined>>) {
  const variable = config.get(key);
  const isThere = variable === undefined || (env[variable] ?? '') !== '';
  return isThere ? [] : [`${key.name} names ${variable}, which is not set`];
}
