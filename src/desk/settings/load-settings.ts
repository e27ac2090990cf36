import { loadConfig, projectRoot, stateFolder, type Config, type FlagValue } from '../../kernel/config/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { ALL_DROVER_KEYS, DROVER_KEYS } from './keys.ts';

/** The configuration as it holds where the command was started. */
export interface Settings {
  readonly config: Config;
  /** Absolute. */
  readonly projectRoot: string;
  /** Absolute; it need not exist. Throws `home-unknown`. */
  readonly stateFolder: () => string;
}

/** Throws `config-invalid`, `config-not-trusted`, and what keeps a file from being read. */
export async function loadSettings({ env, cwd }: Pick<VerbContext, 'env' | 'cwd'>, flags: readonly FlagValue[] = []): Promise<Settings> {
  const root = projectRoot(cwd);
  const config = await loadConfig({ environment: env, projectRoot: root, flags, keys: ALL_DROVER_KEYS });
  return { config, projectRoot: root, stateFolder: () => stateFolder(config.get(DROVER_KEYS.stateFolder), env) };
}
