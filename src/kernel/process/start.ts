import type { Child, SpawnRequest } from './contract.ts';
import { malformed } from './check-request.ts';
import { BARE, type Enclosure } from './enclosure.ts';
import { interpreterProblem } from './interpreter.ts';
import { chooseEnclosure } from './known-layers.ts';
import { sharedReaper, type Reaper } from './reaper.ts';
import type { StartFailure } from './start-failure.ts';
import { refuse, startIn, type SuperviseOptions } from './supervise.ts';

export interface StartOptions extends Pick<SuperviseOptions, 'clock'> {
  /**
   * Ends what the child started when we are gone, where its containment does not do that for sure. Default: one of this
   * process, whose shell is started when a child has lived 200 ms, or with the first one in a containment.
   * `none`: the child may outlive us.
   */
  readonly reaper?: Reaper | 'none' | undefined;
}

/**
 * Starts one program as the leader of its own process group, inside the containment that was asked for, and
 * supervises it to the end of everything that belongs to it.
 * A program that cannot be started throws nothing: `exit` resolves to `not-started` with the reason.
 *
 * @example
 * const child = start(
 *   { argv: ['make', 'test'], origin: 'project', cwd, env, marker: runId, log: { path }, graceMs: 5_000 },
 *   { clock },
 * );
 * const end = await child.exit;
 * const passed = end.kind === 'exited' && end.code === 0;
 */
export function start(request: SpawnRequest, options: StartOptions): Child {
  const mistake = malformed(request);
  if (mistake !== undefined) return refuse(mistake, BARE);
  const enclosure = chooseEnclosure(request);
  if ('reason' in enclosure) return refuse(enclosure, BARE);
  const problem = wrappedProblem(enclosure, request);
  if (problem !== undefined) {
    enclosure.discard();
    return refuse(problem, enclosure);
  }
  return startIn(enclosure, request, { ...options, reaper: reaperFor(enclosure, { request, given: options.reaper }) });
}

/** A full containment ends by itself when we are gone. */
function reaperFor({ containment }: Enclosure, { request, given }: { request: SpawnRequest; given: StartOptions['reaper'] }): Reaper | undefined {
  if (containment === 'full' || given === 'none') return undefined;
  return given ?? sharedReaper(request.env);
}

/** A wrapper would start well and fail later, with a message of its own in the log. */
function wrappedProblem({ wrapper }: Enclosure, request: SpawnRequest): StartFailure | undefined {
  return wrapper === undefined ? undefined : interpreterProblem(request);
}
