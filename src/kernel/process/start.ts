import type { Child, SpawnRequest } from './contract.ts';
import { BARE, type Enclosure } from './enclosure.ts';
import { interpreterProblem } from './interpreter.ts';
import { chooseEnclosure } from './known-layers.ts';
import { sharedReaper, type Reaper } from './reaper.ts';
import type { StartFailure } from './start-failure.ts';
import { refuse, startIn, type StartOptions } from './supervise.ts';

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
function reaperFor({ layer, containment }: Enclosure, { request, given }: { request: SpawnRequest; given: Reaper | undefined }): Reaper | undefined {
  if (containment === 'full') return undefined;
  return given ?? (layer === 'group' ? sharedReaper(request.env) : undefined);
}

/** A wrapper would start well and fail later, with a message of its own in the log. */
function wrappedProblem({ wrapper }: Enclosure, request: SpawnRequest): StartFailure | undefined {
  return wrapper === undefined ? undefined : interpreterProblem(request);
}
