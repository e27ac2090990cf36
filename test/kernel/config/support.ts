import { join } from 'node:path';
import { ALL_DROVER_KEYS } from '../../../src/desk/settings/index.ts';
import { loadConfig, type Config, type ConfigSources } from '../../../src/kernel/config/index.ts';
import { isDroverError } from '../../../src/kernel/errors/index.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';

interface Given extends Omit<ConfigSources, 'environment' | 'keys'> {
  /** By default all that the product has, which are as good as any. */
  readonly keys?: ConfigSources['keys'];
  readonly user?: string;
  readonly project?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A home and a project with these files, and what is loaded from them. */
export function given({ user, project, environment, keys = ALL_DROVER_KEYS, ...rest }: Given = {}) {
  const folder = temporaryFolder();
  const userFile = join(folder, 'home/.config/drover/config.toml');
  const root = join(folder, 'project');
  const projectFile = join(root, '.drover/config.toml');
  writeFiles(folder, { 'project/README': '', 'home/.profile': '' });
  if (user !== undefined) writeFiles(folder, { 'home/.config/drover/config.toml': user });
  if (project !== undefined) writeFiles(folder, { 'project/.drover/config.toml': project });
  const load = (): Promise<Config> =>
    loadConfig({ environment: { HOME: join(folder, 'home'), ...environment }, projectRoot: root, keys, ...rest });
  return { folder, userFile, projectFile, root, load };
}

export type Situation = ReturnType<typeof given>;

/** Code and lines of the refusal, with the two files as `USER` and `PROJECT`. */
export async function refusal({ load, userFile, projectFile }: Situation): Promise<string> {
  try {
    await load();
  } catch (error) {
    if (!isDroverError(error)) throw error;
    return `${error.code} ${error.message}`.replaceAll(userFile, 'USER').replaceAll(projectFile, 'PROJECT');
  }
  return 'loaded';
}
