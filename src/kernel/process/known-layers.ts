import type { ContainmentLayer, SpawnRequest } from './contract.ts';
import { BARE, type Enclosure } from './enclosure.ts';
import { startFailure, type StartFailure } from './start-failure.ts';
import { processIdentity } from './identity.ts';

/** Makes the enclosure of one child; `undefined` when this layer cannot carry its environment unchanged. */
export type EnclosureMaker = (request: SpawnRequest, token: string) => Enclosure | undefined;

/** What a layer was found to be when it was tried. */
export type KnownLayer =
  | { readonly layer: ContainmentLayer; readonly make: EnclosureMaker; readonly note: string | undefined }
  | { readonly layer: ContainmentLayer; readonly make: undefined; readonly reason: string };

let known: readonly KnownLayer[] | undefined;
let children = 0;

/** Remembered for the life of this process, best layer first. */
export function rememberLayers(layers: readonly KnownLayer[]): void {
  known = layers;
}

/** The enclosure that a request asks for. */
export function chooseEnclosure(request: SpawnRequest): Enclosure | StartFailure {
  const wanted = request.containment ?? 'none';
  if (wanted === 'none') return BARE;
  if (known === undefined) return unavailable(wanted, 'it was not looked yet what works here');
  const candidates = known.filter(({ layer }) => wanted === 'best' || layer === wanted);
  for (const candidate of candidates) {
    const enclosure = tryToMake(candidate, request);
    if (enclosure !== undefined) return enclosure;
  }
  return unavailable(wanted, candidates.map(whyNot).join('; '));
}

/** Borne by one child and what it starts, and by nothing else on this machine. */
export function nextToken(): string {
  children += 1;
  return `${process.pid}-${processIdentity(process.pid)?.startTime ?? Date.now()}-${children}`;
}

function tryToMake({ make }: KnownLayer, request: SpawnRequest): Enclosure | undefined {
  try {
    return make?.(request, nextToken());
  } catch {
    // What worked when it was tried is refused now, such as one more cgroup: the next layer may do, or the failure tells.
    return undefined;
  }
}

function whyNot(layer: KnownLayer): string {
  if (layer.make === undefined) return layer.reason;
  return 'it cannot be set up now, or the shell here drops a variable of this environment whose name it cannot use';
}

function unavailable(layer: string, reason: string): StartFailure {
  return startFailure('containment-unavailable', { layer, reason });
}
