import { dirname, join, relative, resolve } from 'node:path';
import { definedVariables, start, type ChildExit } from '../../kernel/process/index.ts';
import { createRedaction, secretsFrom } from '../../kernel/redact/index.ts';
import { SIGNAL_EXITS, type VerbContext, type VerbResult } from '../../kernel/terminal/index.ts';
import { installStarterFiles, refuseExisting, STAGED, STARTER_INSTRUCTIONS, starterBachfile, Staging, type StagedFiles } from '../store/index.ts';
import { initProviderFailed, initProviderNotStarted, initTakesNoWords, unknownInitProvider } from './errors.ts';

export interface InitInput {
  /** Where the Bachfile is to be, as the user gave it; AGENTS.md comes beside it. */
  readonly file: string;
  readonly dryRun: boolean;
  /** Who writes the files in our place. */
  readonly provider?: string | undefined;
  /** What stands behind the command; there should be nothing. */
  readonly words: readonly string[];
}

const PROVIDER = 'opencode';
/** Between TERM and KILL of a provider that has to stop. */
const GRACE_MS = 5_000;

interface Place {
  /** The folder of the new Bachfile, absolute. */
  readonly root: string;
  readonly bachfile: string;
  readonly instructions: string;
}

/** `bach init`: the files with which a repository begins to use bach. It never overwrites one. */
export async function initVerb(input: InitInput, context: VerbContext): Promise<VerbResult> {
  const { provider, dryRun, words } = input;
  if (words.length > 0) throw initTakesNoWords({ words });
  if (provider !== undefined && provider !== PROVIDER) throw unknownInitProvider({ provider });
  const place = placeOf(input, context);
  refuseExisting(filesOf(place));
  if (dryRun) return provider === undefined ? plannedFiles(place) : plannedProvider(place);
  if (provider !== undefined) return writtenByProvider(place, context);
  return install(place, { bachfile: starterBachfile(place.root), instructions: STARTER_INSTRUCTIONS });
}

function placeOf({ file }: InitInput, { cwd }: VerbContext): Place {
  const bachfile = resolve(cwd, file);
  const root = dirname(bachfile);
  return { root, bachfile, instructions: join(root, 'AGENTS.md') };
}

function filesOf({ bachfile, instructions }: Place): readonly string[] {
  return [bachfile, instructions];
}

function plannedFiles(place: Place): VerbResult {
  const files = filesOf(place);
  return { exit: 0, json: { dry_run: true, files }, text: files.map((path) => `would create ${path}`).join('\n') };
}

function plannedProvider(place: Place): VerbResult {
  const { root } = place;
  const outputs = Object.values(STAGED);
  const provider = { name: PROVIDER, command: commandFor(promptFor(place)), root, outputs };
  const lines = [`would run ${PROVIDER} run <prompt> in ${root}`, `expected outputs: ${outputs.join(', ')}`];
  return { exit: 0, json: { dry_run: true, files: filesOf(place), provider }, text: lines.join('\n') };
}

async function install(place: Place, { bachfile, instructions }: StagedFiles): Promise<VerbResult> {
  const contents = [
    { path: place.bachfile, content: bachfile },
    { path: place.instructions, content: instructions },
  ];
  await installStarterFiles(contents);
  const files = filesOf(place);
  return { exit: 0, json: { dry_run: false, files }, text: files.map((path) => `created ${path}`).join('\n') };
}

/** Nothing is installed before the provider has ended well and both of its files were read whole. */
async function writtenByProvider(place: Place, context: VerbContext): Promise<VerbResult> {
  const { root } = place;
  const prompt = promptFor(place);
  const staging = await Staging.prepare({ root, provider: PROVIDER, prompt, clock: context.clock });
  try {
    const exit = await runProvider({ prompt, root, log: staging.log }, context);
    const signal = context.stop.signal();
    if (signal !== undefined) return { exit: SIGNAL_EXITS[signal], errors: [`stopped by ${signal}; nothing was installed`] };
    if (exit.kind === 'not-started') throw notStarted(exit);
    const how = failureOf(exit);
    if (how !== undefined) throw initProviderFailed({ provider: PROVIDER, how, log: staging.log });
    const result = await install(place, await staging.read());
    context.out.notice('read what was written, then check it with: bach validate');
    return result;
  } finally {
    await staging.close();
  }
}

interface ProviderRun {
  readonly prompt: string;
  readonly root: string;
  readonly log: string;
}

/** Its output goes to standard error, since the answer of the command is what was created. */
async function runProvider({ prompt, root, log }: ProviderRun, { env, clock, out, stop, secretNames }: VerbContext): Promise<ChildExit> {
  const redaction = createRedaction(secretsFrom({ env, ...secretNames }));
  const request = {
    argv: commandFor(prompt),
    origin: 'agent',
    cwd: root,
    env: definedVariables(env),
    marker: `bach-init-${clock.wall()}`,
    graceMs: GRACE_MS,
    log: { path: log },
    scrub: redaction.createScrubber(),
    onOutput: (chunk: Buffer) => {
      out.raw('stderr', Buffer.from(chunk));
      return stop.graceful.aborted ? undefined : out.drained();
    },
  } as const;
  const child = start(request, { clock });
  const ending = new AbortController();
  whenAborted(stop.graceful, () => child.stop(), ending.signal);
  whenAborted(stop.immediate, () => child.kill(), ending.signal);
  try {
    return await child.exit;
  } finally {
    ending.abort();
  }
}

function whenAborted(request: AbortSignal, act: () => void, until: AbortSignal): void {
  if (request.aborted) return act();
  request.addEventListener('abort', act, { once: true, signal: until });
}

function commandFor(prompt: string): readonly [string, ...string[]] {
  return [PROVIDER, 'run', prompt];
}

type NotStarted = Extract<ChildExit, { readonly kind: 'not-started' }>;

/** Nothing was printed then, so that no log can tell more. */
function notStarted({ reason, error }: NotStarted): Error {
  const advice = reason === 'command-not-found' ? `install ${PROVIDER} into a folder of the PATH` : error.remedy;
  return initProviderNotStarted({ provider: PROVIDER, reason: error.message, advice });
}

/** Nothing when it ended well. */
function failureOf(exit: Exclude<ChildExit, NotStarted>): string | undefined {
  if (exit.kind === 'exited') return exit.code === 0 ? undefined : `exit status ${exit.code}`;
  return exit.kind === 'signalled' ? `ended by ${exit.signal}` : exit.error.message;
}

function promptFor({ root, bachfile }: Place): string {
  return `Prepare this repository for bach, a task runner whose targets stand in a Bachfile (HCL2).

Look through the repository first: its languages, its package files, its scripts, its CI and its documents tell which
commands build, test, check and release it.

Then write exactly these two files, and change or create nothing else:

1. ${STAGED.bachfile}
   It will be installed as ${relative(root, bachfile)}. Begin with a project block whose root is ".". Add a shell target
   with a description for each command that people here really use, and a group named "ci" for those that a change has
   to pass. Give inputs and outputs where you are sure of them. Mark what reaches other machines with remote = true,
   what can destroy something with destructive = true, and what a person should agree to with requires_confirmation = true.
   Invent no command that the repository does not support.
2. ${STAGED.instructions}
   It will be installed as AGENTS.md. In a short list, tell an agent to work through bach: bach list, bach explain,
   bach run --dry-run, bach run, bach affected, bach logs; and name the targets that matter here.

bach reference explains the language (bach reference shell-targets, for example).
bach validate --file ${STAGED.bachfile} checks your file; it has to pass.
`;
}
