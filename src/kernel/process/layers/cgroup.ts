import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Channel } from '../channel.ts';
import type { NamedProcess } from '../contract.ts';
import { PROMISES, type Enclosure, type Started } from '../enclosure.ts';
import { processGroup, type Group } from '../group.ts';
import { named } from '../group-members.ts';
import { processIdentity, signalIfSame } from '../identity.ts';
import { within } from '../within.ts';
import { shellKeeps, throughShell } from './shell.ts';

/**
 * The shell moves itself into the group and becomes the program. Before, it forks the one that waits at the channel,
 * outside the group and as nobody's child, and ends the group when we are gone.
 */
const SCRIPT = `(
  trap '' TERM HUP INT
  (
    while read -r word; do :; done
    echo 1 >"$1/cgroup.kill"
    for look in 1 2 3 4 5; do
      [ -d "$1" ] || break
      rmdir "$1" || sleep 1
    done
  ) <&3 3>&- >/dev/null 2>&1 &
)
echo 0 >"$1/cgroup.procs" || exit 125
shift
exec "$@" 3>&-`;

const REMOVE_LOOKS = 50;
const REMOVE_LOOK_MS = 20;
const END_MS = 1_000;

/** The group that we are in, where groups of children can be made; `undefined` without the second hierarchy. */
export function ownCgroup(): string | undefined {
  try {
    const mounted = readFileSync('/proc/self/mountinfo', 'utf8').split('\n').find((line) => line.includes(' - cgroup2 '));
    const [, , , root, mountPoint] = mounted?.split(' ') ?? [];
    const own = readFileSync('/proc/self/cgroup', 'utf8').split('\n').find((line) => line.startsWith('0::'))?.slice('0::'.length);
    if (root === undefined || mountPoint === undefined || own === undefined) return undefined;
    return join(mountPoint, root !== '/' && own.startsWith(root) ? own.slice(root.length) : own);
  } catch {
    // No /proc: not Linux.
    return undefined;
  }
}

export interface CgroupPlace {
  readonly parent: string;
  readonly shell: string;
}

/** Makes the group of one child; throws what the system says when it may not be made. */
export function cgroupEnclosure({ parent, shell }: CgroupPlace, { env, token }: { env: Readonly<Record<string, string>>; token: string }): Enclosure | undefined {
  if (!shellKeeps(env)) return undefined;
  const folder = join(parent, `drover-${token}`);
  mkdirSync(folder);
  return {
    layer: 'cgroup',
    ...PROMISES.cgroup,
    wrapper: throughShell({ shell, script: SCRIPT, env, args: [folder] }),
    hasChannel: true,
    token,
    cgroup: folder,
    hold: (started) => ({ group: cgroupGroup(folder, started), ended: started.leader.ended }),
    discard: () => void removeGroup(folder),
  };
}

/** Kills everything in a group that a previous holder left, and removes it. */
export async function endCgroup(folder: string): Promise<void> {
  writeTo(folder, 'cgroup.kill', '1');
  await removeGroup(folder);
}

function cgroupGroup(folder: string, { leader }: Started): Group {
  const channel = new Channel(leader.child);
  const outer = processGroup(leader.pid);
  let leaderEnded = false;
  return {
    id: leader.pid,
    leaderEnded: () => {
      leaderEnded = true;
      outer.leaderEnded();
    },
    signal: (name) => {
      if (name === 'SIGKILL') return writeTo(folder, 'cgroup.kill', '1') ? 'sent' : outer.signal(name);
      if (!leaderEnded) return outer.signal(name);
      termAll(folder);
      return 'sent';
    },
    alive: () => Promise.resolve(isPopulated(folder)),
    left: () => processesIn(folder).map(named),
    release: async () => {
      await removeGroup(folder);
      // What waits at the channel is all that is left of the process group; a program may have stopped it with itself.
      if (outer.signal('SIGKILL') === 'sent') await within(END_MS, channel.closed);
      channel.abandon();
    },
  };
}

export function isPopulated(folder: string): boolean {
  return read(folder, 'cgroup.events').includes('populated 1');
}

export function processesIn(folder: string): readonly NamedProcess['pid'][] {
  const own = read(folder, 'cgroup.procs').split('\n').map(Number).filter((pid) => pid > 1);
  return [...own, ...subgroups(folder).flatMap(processesIn)];
}

/** The list is read again after the start times were, so that a number is signalled only while it is in the group. */
function termAll(folder: string): void {
  const identities = processesIn(folder).map(processIdentity);
  const still = new Set(processesIn(folder));
  for (const identity of identities) {
    if (identity !== undefined && still.has(identity.pid)) signalIfSame(identity, 'SIGTERM');
  }
}

/** A group is busy for a moment after its last process ended. One that stays is empty and harms nobody. */
async function removeGroup(folder: string): Promise<void> {
  for (let look = 0; look < REMOVE_LOOKS; look += 1) {
    if (isRemoved(folder)) return;
    await sleep(REMOVE_LOOK_MS);
  }
}

function isRemoved(folder: string): boolean {
  for (const inner of subgroups(folder)) isRemoved(inner);
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function subgroups(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    // The group is gone, and with it what was in it.
    return [];
  }
}

function read(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'latin1');
  } catch {
    // As above.
    return '';
  }
}

function writeTo(folder: string, name: string, text: string): boolean {
  try {
    writeFileSync(join(folder, name), text);
    return true;
  } catch {
    // As above.
    return false;
  }
}
