import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject, type LoadedProject, type ProjectWorld } from '../../../../src/bach/commands/load-project.ts';
import { projectWorld } from '../../../../src/bach/commands/project-world.ts';
import type { ProjectInput } from '../../../../src/bach/commands/inputs.ts';
import { neverStops, type VerbContext } from '../../../../src/kernel/terminal/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';
import { personEnvironment } from '../../../support/git-repository.ts';
import { temporaryFolder, writeFiles } from '../../../support/temp.ts';

/** How a project is asked for; everything has a value of its own when it is left out. */
export interface Ask {
  readonly cwd?: string;
  readonly file?: string;
  readonly vars?: ProjectInput['vars'];
  readonly profiles?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly world?: Partial<ProjectWorld>;
}

export interface KeepingProject {
  readonly folder: string;
  /** Names in `.bach/cache`. */
  entries(): readonly string[];
  entryPath(): string;
  write(files: Readonly<Record<string, string>>): void;
  /** As `bach run` loads it. */
  run(ask?: Ask): Promise<Seen>;
  /** As `bach list` loads it. */
  look(ask?: Ask): Promise<Seen>;
  /** From now on what is kept differs from the files: who uses it shows it. */
  mark(): void;
}

export interface Seen extends LoadedProject {
  /** Of the target `mark`. */
  readonly source: 'files' | 'kept';
  /** Description of the target `seen`. */
  readonly seen: string | undefined;
  readonly notices: readonly string[];
}

const MARK = 'shell "mark" { description = "from the files" }';

/** Targets `mark` and, from `text`, `seen`. */
export function keepingProject(text: string, files: Readonly<Record<string, string>> = {}): KeepingProject {
  const folder = temporaryFolder();
  const write: KeepingProject['write'] = (changed) => {
    const { Bachfile, ...others } = changed;
    writeFiles(folder, Bachfile === undefined ? others : { ...others, Bachfile: withMark(Bachfile) });
  };
  write({ Bachfile: text, ...files });
  const cache = join(folder, '.bach/cache');
  const entries = () => namesIn(cache);
  const entryPath = () => join(cache, entries()[0] ?? 'none');
  return {
    folder,
    entries,
    entryPath,
    write,
    run: async (ask) => {
      const loaded = await load(folder, ask);
      loaded.keep();
      return loaded;
    },
    look: (ask) => load(folder, ask),
    mark: () => changeEntry(entryPath(), (rest) => rest.replaceAll('from the files', 'from the cache')),
  };
}

function withMark(text: string): string {
  return `${/^project\b/m.test(text) ? '' : 'project "p" {}\n'}${text}\n${MARK}\n`;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    // Nothing was kept yet.
    return [];
  }
}

async function load(folder: string, ask: Ask = {}): Promise<Seen> {
  const { cwd = folder, file = 'Bachfile', vars = [], profiles = [], env = {}, world = {} } = ask;
  const notices: string[] = [];
  const context = contextIn(cwd, { ...personEnvironment(folder), ...env }, notices);
  const loaded = await loadProject({ file, vars, profiles, json: false, verbose: false }, context, { ...projectWorld(context), ...world });
  const { targets } = loaded.project;
  const source = targets.get('shell/mark')?.description === 'from the cache' ? 'kept' : 'files';
  return { ...loaded, source, seen: targets.get('shell/seen')?.description, notices };
}

export function contextIn(cwd: string, env: Readonly<Record<string, string>>, notices: string[] = []): VerbContext {
  const out = {
    line: () => undefined,
    record: () => undefined,
    progress: () => undefined,
    raw: () => undefined,
    notice: (text: string) => void notices.push(text),
    drained: async () => undefined,
  };
  return { cwd, env, out, clock: systemClock(), secretNames: { extra: [], except: [] }, stop: neverStops() };
}

/** Changes what is behind the first line of an entry, and makes it whole again. */
export function changeEntry(path: string, change: (rest: string) => string): void {
  const text = readFileSync(path, 'utf8');
  const [format = ''] = text.split(' ');
  const rest = change(text.slice(text.indexOf('\n') + 1));
  writeFileSync(path, `${format} ${createHash('sha256').update(rest).digest('hex')}\n${rest}`);
}

export function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}
