import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SecretNames } from '../kernel/redact/index.ts';
import type { Host } from './host.ts';

export const NO_SECRET_NAMES: SecretNames = { extra: [], except: [] };

const FILE = 'config.toml';

/**
 * What the configuration says about secrets. It is loaded only where there may be one, since most starts have none.
 * Throws what is wrong with it.
 */
export async function configuredSecretNames(host: Pick<Host, 'env' | 'cwd'>): Promise<SecretNames> {
  const folder = currentFolder(host);
  if (!mayBeConfigured(host.env, folder)) return NO_SECRET_NAMES;
  const [{ ALL_DROVER_KEYS, DROVER_KEYS }, { loadConfig, projectRoot }] = await Promise.all([import('../desk/settings/index.ts'), import('../kernel/config/index.ts')]);
  const root = folder === undefined ? undefined : projectRoot(folder);
  const config = await loadConfig({ environment: host.env, projectRoot: root, keys: ALL_DROVER_KEYS });
  return { extra: config.get(DROVER_KEYS.redactExtra), except: config.get(DROVER_KEYS.redactExcept) };
}

/** Wider than what is read in the end, which the configuration decides. */
function mayBeConfigured(env: Host['env'], folder: string | undefined): boolean {
  const { HOME: home, XDG_CONFIG_HOME: base } = env;
  const places = [base && join(base, 'drover', FILE), home && join(home, '.config/drover', FILE), ...projectPlaces(folder)];
  return places.some((place) => place && isThere(place)) || Object.keys(env).some((name) => name.startsWith('DROVER_REDACT_'));
}

/** A link that leads nowhere is there, and so is what nobody may look at: the reading says what is wrong with it. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Such as a folder that cannot be searched.
    return true;
  }
}

function projectPlaces(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  const above = dirname(folder) === folder ? [] : projectPlaces(dirname(folder));
  return [join(folder, '.drover', FILE), ...above];
}

/** A folder that is gone has no project; a verb that needs it says so. */
function currentFolder({ cwd }: Pick<Host, 'cwd'>): string | undefined {
  try {
    return cwd();
  } catch {
    return undefined;
  }
}
