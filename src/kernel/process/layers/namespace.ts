import { Channel } from '../channel.ts';
import type { LeaderEnd } from '../contract.ts';
import { PROMISES, type Enclosure, type Started } from '../enclosure.ts';
import type { Group } from '../group.ts';
import { namespaceGroup } from './namespace-group.ts';
import { shellKeeps, throughShell } from './shell.ts';

/** The programs that make a namespace, by their full paths. */
export interface NamespaceTools {
  readonly unshare: string;
  readonly shell: string;
  /** Takes the rights inside a user namespace from the program again. */
  readonly setpriv: string | undefined;
}

export interface NamespaceKind {
  readonly layer: 'pid-namespace' | 'user-namespace';
  readonly tools: NamespaceTools;
  /** The program sees a `/proc` of the namespace, not the one outside. */
  readonly ownProc: boolean;
  /** This `unshare` fails to end as its child did when that was killed, and complains instead. */
  readonly complainsOfKill: boolean;
}

/**
 * Started without a namespace for itself, the shell forks the first process of the namespace and then becomes the
 * `unshare` that forks the program beside it: the program's parent ends as the program did, and nothing inside the
 * namespace can end the first process, which handles no signal but the end of children. That one interrupts its
 * reading, so that it collects what was orphaned (`jobs` does); whether we are gone then shows when it writes.
 */
const SCRIPT = `(
  trap : CHLD
  while :; do
    if read -r word; then
      case $word in TERM) kill -TERM -1 ;; PING) echo pong >&0 ;; END) exit ;; esac
    else
      echo >&0 || exit
    fi
    jobs
  done
) <&3 3>&- >/dev/null 2>&1 &
echo "first $!" >&3
exec "$@" 3>&-`;

const COMPLAINT = /(?:^|\n)unshare: [^\n]+\n$/;

export function namespaceEnclosure(kind: NamespaceKind, { env, token }: { env: Readonly<Record<string, string>>; token: string }): Enclosure | undefined {
  if (!shellKeeps(env)) return undefined;
  const { layer, tools, complainsOfKill } = kind;
  return {
    layer,
    ...PROMISES[layer],
    wrapper: throughShell({ shell: tools.shell, script: SCRIPT, env, args: inside(kind), before: [tools.unshare, ...outside(kind), '--'] }),
    hasChannel: true,
    token,
    hold: (started) => ({
      group: groupOf(started),
      ended: complainsOfKill ? started.leader.ended.then((end) => truth(end, started)) : started.leader.ended,
    }),
    discard: () => undefined,
  };
}

function outside({ layer, ownProc }: NamespaceKind): readonly string[] {
  if (layer === 'pid-namespace') return ['--pid'];
  // The rights that come with a new user namespace are lost at once unless they are kept; mounting /proc needs them.
  return ['--user', '--map-current-user', '--pid', ...(ownProc ? ['--keep-caps'] : [])];
}

function inside({ layer, tools, ownProc }: NamespaceKind): readonly string[] {
  if (!ownProc) return [tools.unshare, '--fork', '--'];
  const fork = [tools.unshare, '--fork', '--mount-proc', '--propagation', 'slave', '--'];
  if (layer === 'pid-namespace' || tools.setpriv === undefined) return fork;
  return [...fork, tools.setpriv, '--inh-caps=-all', '--ambient-caps=-all', '--'];
}

function groupOf({ leader }: Started): Group {
  const channel = new Channel(leader.child);
  const first = async (): Promise<number | undefined> => {
    const told = channel.lines.find(isFirst);
    if (told !== undefined) return numberIn(told);
    // Ended before it could tell? The answer of the first process comes after the number, or there is none.
    channel.say('PING');
    return numberIn(await channel.line((line) => isFirst(line) || line === 'pong'));
  };
  return namespaceGroup(leader.pid, { channel, first, helpers: 0, wrapperEnded: leader.ended, termToAll: false });
}

const isFirst = (line: string): boolean => line.startsWith('first ');

function numberIn(line: string | undefined): number | undefined {
  const number = Number(line?.split(' ')[1]);
  return Number.isInteger(number) ? number : undefined;
}

function truth(end: LeaderEnd, { logTail }: Started): LeaderEnd {
  const isComplaint = end.kind === 'exited' && end.code === 1 && COMPLAINT.test(logTail());
  return isComplaint ? { kind: 'signalled', signal: 'SIGKILL' } : end;
}
