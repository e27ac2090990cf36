import { Channel } from '../channel.ts';
import type { LeaderEnd } from '../contract.ts';
import { PROMISES, type Enclosure, type Hold, type Started } from '../enclosure.ts';
import { liveChildren } from '../proc.ts';
import { signalName } from '../signal-name.ts';
import { namespaceGroup } from './namespace-group.ts';
import { restoring, shellKeeps, throughShell } from './shell.ts';
import { toldEnd } from './told-end.ts';

export interface BubblewrapTools {
  readonly bwrap: string;
  readonly shell: string;
  /** Of the kind that can give signals back their default effect: a shell takes SIGINT from what it runs beside itself. */
  readonly env: string;
}

/**
 * `bwrap` tells only exit codes, so the first process is the program's parent and tells how it ended. A shell has one
 * number for `exit 143` and for SIGTERM; its list of jobs has two words. Its helper waits at the channel.
 */
const SCRIPT = `exec 4<&0
"$@" <&4 4<&- 3>&- &
program=$!
(
  trap '' TERM HUP INT
  while read -r word; do
    case $word in TERM) kill -TERM -1 ;; END) break ;; esac
  done
  kill -KILL -1
) <&3 3>&- >/dev/null 2>&1 &
helper=$!
exec </dev/null >/dev/null 2>&1 4<&-
wait $program
code=$?
LC_ALL=C
[ $code -gt 128 ] && jobs >&3
echo "ended exit $code" >&3
wait $helper`;

const BY_ITSELF = /\b(?:Done|Exit)\b/;

export function bubblewrapEnclosure(tools: BubblewrapTools, { env, token }: { env: Readonly<Record<string, string>>; token: string }): Enclosure | undefined {
  if (!shellKeeps(env)) return undefined;
  // The helper may be stopped by the program: then KILL reaches the namespace through the death of `bwrap`.
  const outside = ['--dev-bind', '/', '/', '--proc', '/proc', '--unshare-pid', '--as-pid-1', '--new-session', '--die-with-parent', '--'] as const;
  return {
    layer: 'bubblewrap',
    ...PROMISES.bubblewrap,
    wrapper: throughShell({ shell: tools.shell, script: SCRIPT, env, args: inside(tools, env), before: [tools.bwrap, ...outside] }),
    hasChannel: true,
    token,
    hold,
    discard: () => undefined,
  };
}

/** The inner shell is there because `env` would take a path with an equals sign for a variable. */
function inside(tools: BubblewrapTools, env: Readonly<Record<string, string>>): readonly string[] {
  return [tools.env, '--default-signal=INT,QUIT', tools.shell, '-c', `${restoring(env)}exec "$@"`, 'drover'];
}

function hold({ leader }: Started): Hold {
  const channel = new Channel(leader.child);
  let known: number | undefined;
  // Remembered, since `bwrap` itself may be gone before the namespace is.
  const first = (): Promise<number | undefined> => Promise.resolve((known ??= liveChildren(leader.pid)?.[0]));
  const group = namespaceGroup(leader.pid, { channel, first, helpers: 1, wrapperEnded: leader.ended, termToAll: true });
  return { group, ended: toldEnd(channel, leader.ended, 'bwrap').then((end) => withSignal(end, channel)) };
}

function withSignal(end: LeaderEnd, { lines }: Channel): LeaderEnd {
  if (end.kind !== 'exited' || end.code <= 128) return end;
  const jobs = lines.filter((line) => line.startsWith('['));
  if (jobs.length === 0 || jobs.some((line) => line.startsWith('[1]') && BY_ITSELF.test(line))) return end;
  const signal = signalName(end.code - 128);
  return signal === undefined ? end : { kind: 'signalled', signal };
}
