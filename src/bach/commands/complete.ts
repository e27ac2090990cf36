import { isDroverError } from '../../kernel/errors/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { RunStore } from '../store/index.ts';
import type { AskedKind } from './completion-words.ts';
import type { ProjectInput } from './inputs.ts';
import { peekProject, type PeekedProject } from './load-project.ts';
import { RECORDS_WORLD } from './project-world.ts';

export interface CompleteInput extends ProjectInput {
  readonly kind: AskedKind;
}

/** More than a person looks through. */
const OFFERED_RUNS = 50;

type Offer = (peeked: PeekedProject) => readonly string[] | Promise<readonly string[]>;

const OFFERS: Readonly<Record<AskedKind, Offer>> = {
  targets: ({ project }) => [...project.targets.keys()].toSorted(),
  'targets-and-aliases': ({ project }) => [...project.targets.keys(), ...project.aliases.keys()].toSorted(),
  profiles: ({ project }) => [...project.profiles.declared].toSorted(),
  runs: recordedRuns,
};

/**
 * `bach complete <kind>`: what the script of a shell offers where only the project knows it, one name on each line (none has a line break).
 * Runs no plugin, writes nothing, and where nothing can be told it tells nothing.
 */
export async function completeVerb({ kind, ...input }: CompleteInput, context: VerbContext): Promise<VerbResult> {
  const names = await offered(kind, input, context);
  return { exit: 0, json: { [kind]: names }, text: names.join('\n') };
}

async function offered(kind: AskedKind, input: ProjectInput, context: VerbContext): Promise<readonly string[]> {
  try {
    const peeked = await peekProject(input, context, RECORDS_WORLD);
    return peeked === undefined ? [] : await OFFERS[kind](peeked);
  } catch (error) {
    // Who types a command line has not asked for the faults of a Bachfile; the command that is typed tells them.
    if (isDroverError(error)) return [];
    throw error;
  }
}

async function recordedRuns({ place }: PeekedProject): Promise<readonly string[]> {
  const store = await RunStore.openExisting(place);
  if (store === undefined) return [];
  try {
    return store.listRuns({ limit: OFFERED_RUNS }).map(({ id }) => id);
  } finally {
    store.close();
  }
}
