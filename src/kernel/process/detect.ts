import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import type { Clock } from '../time/index.ts';
import { candidates, type Candidate } from './candidates.ts';
import type { ChildExit, Containment, ContainmentLayer, SpawnRequest } from './contract.ts';
import { PROMISES } from './enclosure.ts';
import { nextToken, rememberLayers, type EnclosureMaker, type KnownLayer } from './known-layers.ts';
import { startIn } from './supervise.ts';

/** What one layer can do here. */
export interface LayerReport {
  readonly layer: ContainmentLayer;
  readonly containment: Containment;
  readonly available: boolean;
  /** Why it is not available; otherwise what is to be known about it, if anything. */
  readonly reason: string | undefined;
}

/** Best layer first. */
export interface ContainmentReport {
  readonly best: ContainmentLayer;
  readonly layers: readonly LayerReport[];
}

export interface DetectOptions {
  /** Its PATH decides which `unshare`, `bwrap` and `perl` are tried. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** A small program ends within milliseconds; what hangs does not work. */
const PROBE_MS = 5_000;
const GRACE_MS = 100;

let detected: Promise<ContainmentReport> | undefined;

/**
 * Tries once per process which containments work here, by running a program in each; afterwards `start` takes `best`
 * and the names of layers. Rejects only with the reason of `signal`, and is then tried anew.
 *
 * @example
 * const { best, layers } = await detectContainment({ env, clock });
 */
export function detectContainment(options: DetectOptions): Promise<ContainmentReport> {
  detected ??= detect(options).catch((error: unknown) => {
    detected = undefined;
    throw error;
  });
  return detected;
}

async function detect(options: DetectOptions): Promise<ContainmentReport> {
  const folder = mkdtempSync(join(tmpdir(), 'drover-containment-'));
  try {
    const looks = candidates(options.env).map(([layer, tries]) => firstThatWorks(layer, tries, { ...options, folder }));
    const known = await Promise.all(looks);
    options.signal?.throwIfAborted();
    rememberLayers(known);
    return reportOf(known);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function reportOf(known: readonly KnownLayer[]): ContainmentReport {
  const layers = known.map((one): LayerReport => {
    const { containment } = PROMISES[one.layer];
    if (one.make === undefined) return { layer: one.layer, containment, available: false, reason: one.reason };
    return { layer: one.layer, containment, available: true, reason: one.note };
  });
  return { best: layers.find(({ available }) => available)?.layer ?? 'group', layers };
}

interface Probe extends DetectOptions {
  readonly folder: string;
}

async function firstThatWorks(layer: ContainmentLayer, tries: readonly Candidate[], probe: Probe): Promise<KnownLayer> {
  const reasons: string[] = [];
  for (const candidate of tries) {
    probe.signal?.throwIfAborted();
    const reason = candidate.make === undefined ? candidate.reason : await problemOf(candidate.make, probe);
    if (reason === undefined && candidate.make !== undefined) return { layer, make: candidate.make, note: candidate.note };
    if (reason !== undefined && !reasons.includes(reason)) reasons.push(reason);
  }
  return { layer, make: undefined, reason: reasons.join('; ') };
}

/** A program inside has to get TERM and its wrapper not, and its end has to come out as it was. */
async function problemOf(make: EnclosureMaker, probe: Probe): Promise<string | undefined> {
  const asked = await endOf('trap "exit 38" TERM; kill -TERM 0; sleep 5', make, probe);
  if (typeof asked === 'string') return asked;
  if (asked.kind !== 'exited' || asked.code !== 38) return `a program that was to end with exit status 38 did so with ${toldOf(asked)}`;
  const killed = await endOf('kill -KILL $$', make, probe);
  if (typeof killed === 'string') return killed;
  return killed.kind === 'signalled' && killed.signal === 'SIGKILL' ? undefined : `a program that was killed is told as ${toldOf(killed)}`;
}

async function endOf(script: string, make: EnclosureMaker, { env, clock, folder, signal }: Probe): Promise<ChildExit | string> {
  const token = nextToken();
  const log = { path: join(folder, token) };
  const request: SpawnRequest = { argv: ['sh', '-c', script], origin: 'drover', cwd: folder, env: { PATH: env['PATH'] ?? '' }, marker: 'containment', log, graceMs: GRACE_MS };
  try {
    const enclosure = make(request, token);
    if (enclosure === undefined) return 'it cannot carry the environment';
    const child = startIn(enclosure, request, { clock });
    const end = (): void => child.stop();
    const timer = setTimeout(end, PROBE_MS);
    signal?.addEventListener('abort', end, { once: true });
    const exit = await child.exit;
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    return exit;
  } catch (error) {
    return describeSystemError(error, { action: 'set up a containment in', path: folder }).message;
  }
}

function toldOf(exit: ChildExit): string {
  if (exit.kind === 'exited') return `exit status ${exit.code}`;
  return exit.kind === 'signalled' ? exit.signal : exit.error.message;
}
