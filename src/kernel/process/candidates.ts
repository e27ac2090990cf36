import { join } from 'node:path';
import type { ContainmentLayer } from './contract.ts';
import type { EnclosureMaker } from './known-layers.ts';
import { bubblewrapEnclosure } from './layers/bubblewrap.ts';
import { cgroupEnclosure, ownCgroup } from './layers/cgroup.ts';
import { familyEnclosure } from './layers/family.ts';
import { namespaceEnclosure, type NamespaceKind } from './layers/namespace.ts';
import { PRCTL_NUMBER, subreaperEnclosure } from './layers/subreaper.ts';
import { findProgram } from './program.ts';

/** One way to get a layer, to be tried; or why there is none. */
export type Candidate =
  | { readonly make: EnclosureMaker; readonly note: string | undefined }
  | { readonly make: undefined; readonly reason: string };

type Env = Readonly<Record<string, string>>;
type FindTool = (name: string) => string | undefined;

const OUTER_PROC = '/proc inside shows the processes outside, under other numbers';
const MAPPED_USER = 'files of other users look like those of nobody inside, and sudo does not work there';

/** Every layer, best first, with the ways to get it, best first. */
export function candidates(env: Env): readonly (readonly [ContainmentLayer, readonly Candidate[]])[] {
  const find: FindTool = (name) => toolIn(env, name);
  if (process.platform !== 'linux') return [['group', [family('this system shows neither start times nor environments: only the process group is ended')]]];
  return [
    ['pid-namespace', namespaces('pid-namespace', find)],
    ['user-namespace', namespaces('user-namespace', find)],
    ['bubblewrap', [bubblewrap(find)]],
    ['cgroup', [cgroup(find)]],
    ['subreaper', [subreaper(find)]],
    ['group', [family(undefined)]],
  ];
}

function namespaces(layer: NamespaceKind['layer'], find: FindTool): readonly Candidate[] {
  if (layer === 'pid-namespace' && process.geteuid?.() !== 0) return [absent('only root can make it')];
  const unshare = find('unshare');
  const shell = find('sh');
  if (unshare === undefined) return [absent('unshare is not installed')];
  if (shell === undefined) return [absent('sh is not in PATH')];
  const tools = { unshare, shell, setpriv: find('setpriv') };
  const seesOwn = layer === 'pid-namespace' || tools.setpriv !== undefined;
  return (seesOwn ? [true, false] : [false]).flatMap((ownProc) =>
    [false, true].map((complainsOfKill): Candidate => {
      const kind: NamespaceKind = { layer, tools, ownProc, complainsOfKill };
      return { make: ({ env }, token) => namespaceEnclosure(kind, { env, token }), note: noteOf(kind) };
    }),
  );
}

function noteOf({ layer, ownProc }: NamespaceKind): string | undefined {
  const notes = [...(layer === 'user-namespace' ? [MAPPED_USER] : []), ...(ownProc ? [] : [OUTER_PROC])];
  return notes.length === 0 ? undefined : notes.join('; ');
}

function bubblewrap(find: FindTool): Candidate {
  const bwrap = find('bwrap');
  const shell = find('sh');
  const envTool = find('env');
  if (bwrap === undefined || shell === undefined || envTool === undefined) return absent('bwrap is not installed');
  const tools = { bwrap, shell, env: envTool };
  return { make: ({ env }, token) => bubblewrapEnclosure(tools, { env, token }), note: MAPPED_USER };
}

function cgroup(find: FindTool): Candidate {
  const parent = ownCgroup();
  const shell = find('sh');
  if (parent === undefined || shell === undefined) return absent('the second cgroup hierarchy is not mounted');
  return { make: ({ env }, token) => cgroupEnclosure({ parent, shell }, { env, token }), note: undefined };
}

function subreaper(find: FindTool): Candidate {
  const perl = find('perl');
  if (perl === undefined) return absent('perl is not installed');
  const prctl = PRCTL_NUMBER;
  if (prctl === undefined) return absent(`the number of prctl on ${process.arch} is not known`);
  return { make: ({ argv }, token) => subreaperEnclosure({ perl, prctl }, { token, program: argv[0] }), note: undefined };
}

function family(note: string | undefined): Candidate {
  return { make: (_request, token) => familyEnclosure(token), note };
}

function absent(reason: string): Candidate {
  return { make: undefined, reason };
}

/** By its full path, so that nobody's PATH decides later. */
function toolIn(env: Env, name: string): string | undefined {
  const found = findProgram({ argv: [name], origin: 'drover', cwd: '/', env, marker: '', graceMs: 0 });
  return 'file' in found ? join(found.file) : undefined;
}
