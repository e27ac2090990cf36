import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commitTree,
  findGit,
  moveRef,
  openRepository,
  writeTree,
  type GitHost,
  type Repository,
} from '../../kernel/git/index.ts';
import { systemIds } from '../../kernel/ids/index.ts';
import { systemClock } from '../../kernel/time/index.ts';
import type { Ending } from '../contract.ts';
import { folderPorts } from '../folder-ports.ts';
import { endingLeftovers } from '../leftovers.ts';
import { runSystem } from '../loop.ts';
import type { ToyScenario } from './scenarios.ts';
import { toySystem } from './system.ts';
import { BRANCH, historyOf, openToyWorld, pathsOf, tipOf, type ToyWorld } from './world.ts';

const PERSON = { name: 'Person', email: 'person@localhost', date: { seconds: 1_600_000_000, offsetMinutes: 0 } };
const GRACE_MS = 200;
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';

export interface Workplace {
  readonly folder: string;
  /** Of everything that is started for this folder, by whichever holder. */
  readonly marker: string;
}

/** Makes an empty folder ready: the work file, and a repository with one commit. */
export async function prepareToy({ folder, marker }: Workplace, { units }: ToyScenario): Promise<void> {
  const repository = join(folder, 'repository.git');
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(repository, name), { recursive: true });
  writeFileSync(join(repository, 'HEAD'), `ref: ${BRANCH}\n`);
  writeFileSync(join(repository, 'config'), CONFIG);
  writeFileSync(pathsOf(folder).work, `${JSON.stringify(units, null, 2)}\n`);
  const opened = await openRepository(await findGit(hostOf(marker)), repository);
  await personCommits(opened, undefined);
}

export function openWorkplace({ folder, marker }: Workplace): Promise<ToyWorld> {
  return openToyWorld(folder, hostOf(marker));
}

/** Works until the toy is done. */
export async function runToy(world: ToyWorld, scenario: ToyScenario): Promise<Ending> {
  const { folder, host, redaction } = world;
  const paths = pathsOf(folder);
  const ports = folderPorts(paths.run, {
    clock: host.clock,
    ids: systemIds(host.clock),
    settleLeftovers: endingLeftovers({ sessions: paths.sessions, marker: host.marker, graceMs: GRACE_MS }),
    mask: redaction.redactValue,
  });
  // Whoever wants it stopped ends its process: that is what it is for.
  const { signal } = new AbortController();
  return runSystem(toySystem(scenario), {
    path: paths.run,
    world: scenario.person ? withPerson(world) : world,
    stop: { graceful: signal, immediate: signal },
    ports,
  });
}

function hostOf(marker: string): GitHost {
  return { clock: systemClock(), env: process.env, marker };
}

/** The person commits once, before anything of ours is there, and cannot do it twice. */
function withPerson(world: ToyWorld): ToyWorld {
  return {
    ...world,
    person: async () => {
      const { length } = await historyOf(world.repository);
      if (length === 1) await personCommits(world.repository, await tipOf(world.repository));
    },
  };
}

async function personCommits(repository: Repository, parent: string | undefined): Promise<void> {
  const tree = await writeTree(repository, []);
  const parents = parent === undefined ? [] : [parent];
  const message = parent === undefined ? 'Begin\n' : 'Go on\n';
  const commit = await commitTree(repository, { tree, parents, author: PERSON, committer: PERSON, message });
  await moveRef(repository, { ref: BRANCH, from: parent, to: commit, who: PERSON, reason: 'person' });
}
