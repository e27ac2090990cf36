import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { runToEnd, type CapturedEnd, type Reaper } from '../../kernel/process/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { formatDuration } from '../../kernel/text/index.ts';
import type { Preflight, ToolRequirement } from '../model/index.ts';
import type { Need, Needs } from './needs.ts';

/** A probe that takes longer hangs. */
const LIMIT_MS = 60_000;
const GRACE_MS = 2_000;
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Of what a failed probe printed. */
const MOST_REASON = 4_000;

export interface ProbeHost {
  /** The project's folder, absolute. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Of the run. */
  readonly id: string;
  readonly jobs: number;
  readonly verb: Pick<VerbContext, 'clock' | 'stop'>;
  readonly reaper: Reaper;
}

/** Something that the host lacks. */
export interface Unmet {
  /** The tool, or the label of the preflight. */
  readonly name: string;
  readonly targets: readonly string[];
  readonly reason: string;
  /** What the Bachfile says about it: the version, the fix. */
  readonly advice: string;
}

/** Why nothing may start. */
export interface UnmetRequirements {
  readonly status: 'failed' | 'preflight-failed';
  /** What stands in the records of the targets in place of their operation. */
  readonly operation: string;
  /** The first line of what is told. */
  readonly title: string;
  readonly unmet: readonly Unmet[];
}

/** Checks tools, and when all are there the preflights, several at once. Nothing when the host has everything. */
export async function unmetRequirements({ tools, preflights }: Needs, host: ProbeHost): Promise<UnmetRequirements | undefined> {
  const missing = await unmetAmong(tools, host, unmetTool);
  if (missing.length > 0) {
    return { status: 'failed', operation: 'required tool check', title: 'required tool checks failed:', unmet: missing };
  }
  const refused = await unmetAmong(preflights, host, unmetPreflight);
  if (refused.length === 0) return undefined;
  const operation = 'credential/session preflight';
  return { status: 'preflight-failed', operation, title: 'credential/session preflights failed:', unmet: refused };
}

/** `- go for shell/a, shell/b: missing from PATH (version: 1.24+); install go` */
export function unmetLine({ name, targets, reason, advice }: Unmet): string {
  return `- ${name} for ${targets.join(', ')}: ${reason}${advice}`;
}

type Check<Requirement> = (requirement: Requirement, host: ProbeHost) => Promise<Omit<Unmet, 'targets'> | undefined>;

/** In declared order, however long each takes. */
async function unmetAmong<Requirement>(needs: readonly Need<Requirement>[], host: ProbeHost, check: Check<Requirement>): Promise<readonly Unmet[]> {
  const found = needs.map((): Unmet | undefined => undefined);
  const waiting = needs.entries();
  const work = async (): Promise<void> => {
    for (const [index, { requirement, targets }] of waiting) {
      const unmet = await check(requirement, host);
      found[index] = unmet && { ...unmet, targets };
    }
  };
  await Promise.all(Array.from({ length: Math.min(host.jobs, needs.length) }, work));
  return found.filter((unmet) => unmet !== undefined);
}

async function unmetTool({ name, command, version, fix }: ToolRequirement, host: ProbeHost): Promise<Omit<Unmet, 'targets'> | undefined> {
  const reason = command.length === 0 ? reasonOfName(name, host) : await reasonOfProbe(command as Argv, host, { shown: true });
  if (reason === undefined) return undefined;
  return { name, reason, advice: `${version === '' ? '' : ` (version: ${version})`}${adviceOf(fix)}` };
}

async function unmetPreflight({ label, command, fix }: Preflight, host: ProbeHost): Promise<Omit<Unmet, 'targets'> | undefined> {
  const reason = await reasonOfProbe(command, host, { shown: false });
  return reason === undefined ? undefined : { name: label, reason, advice: adviceOf(fix) };
}

function adviceOf(fix: string): string {
  return fix === '' ? '' : `; ${fix}`;
}

function reasonOfName(name: string, { environment, root }: ProbeHost): string | undefined {
  const folders = name.includes('/') ? [''] : (environment['PATH'] ?? '').split(':');
  return folders.some((folder) => isExecutable(resolve(root, folder, name))) ? undefined : 'missing from PATH';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // What cannot be looked at cannot be run either.
    return false;
  }
}

type Argv = readonly [string, ...string[]];

/** What a probe of a session prints may be a secret: only how it ended is told. */
async function reasonOfProbe(argv: Argv, host: ProbeHost, { shown }: { readonly shown: boolean }): Promise<string | undefined> {
  const ended = await probe(argv, host);
  const { end, cut } = ended;
  if (cut?.reason === 'timeout') return `probe timed out after ${formatDuration(BigInt(LIMIT_MS) * 1_000_000n)}`;
  if (cut?.reason === 'too-much-output') return `probe failed: it printed more than ${MOST_OUTPUT} bytes`;
  if (cut !== undefined) return 'probe was stopped';
  if (end.kind === 'exited' && end.code === 0) return undefined;
  if (end.kind === 'not-started' && end.reason === 'command-not-found') return `probe command ${JSON.stringify(argv[0])} missing from PATH`;
  return `probe failed: ${(shown ? saidBy(ended) : '') || howItEnded(end)}`;
}

function probe(argv: Argv, { root, environment, id, verb, reaper }: ProbeHost): Promise<CapturedEnd> {
  const request = {
    argv,
    origin: 'project',
    cwd: root,
    env: environment,
    marker: id,
    graceMs: GRACE_MS,
    timeoutMs: LIMIT_MS,
    maxOutputBytes: MOST_OUTPUT,
    signal: verb.stop.graceful,
    reaper,
  } as const;
  return runToEnd(request, verb);
}

function saidBy({ stdout, stderr }: CapturedEnd): string {
  const said = `${stdout.toString()}${stderr.toString()}`.trim();
  return said.length <= MOST_REASON ? said : `${said.slice(0, MOST_REASON)}…`;
}

function howItEnded(end: CapturedEnd['end']): string {
  if (end.kind === 'exited') return `exit status ${end.code}`;
  return end.kind === 'signalled' ? `ended by ${end.signal}` : end.error.message;
}
