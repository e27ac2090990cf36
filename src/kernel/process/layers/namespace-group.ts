import type { Channel } from '../channel.ts';
import { processGroup, type Group } from '../group.ts';
import { liveChildren } from '../proc.ts';
import { within } from '../within.ts';

/** The first process of a namespace has nothing to do but to end. */
const END_MS = 1_000;

export interface NamespaceOptions {
  readonly channel: Channel;
  /** Number, as we see it, of the first process of the namespace, to which all orphans in it go. */
  readonly first: () => Promise<number | undefined>;
  /** How many children the first process has of its own. */
  readonly helpers: number;
  /** Resolves when the process that we started is gone. */
  readonly wrapperEnded: Promise<unknown>;
  /** TERM goes to the whole namespace from the start, where the program's group is not the one that we made. */
  readonly termToAll: boolean;
}

/** Everything in a PID namespace: none can leave it, and it ends with its first process. */
export function namespaceGroup(pid: number, { channel, first, helpers, wrapperEnded, termToAll }: NamespaceOptions): Group {
  const outer = processGroup(pid);
  let leaderEnded = false;

  const alive = async (): Promise<boolean> => {
    // When its first process is gone, the kernel has ended and collected all the others before.
    if (channel.isClosed) return outer.alive();
    const id = await first();
    // Somebody holds the channel: a helper, if there are any, or else the first process, which has nothing beside it.
    if (id === undefined) return helpers > 0;
    return (liveChildren(id) ?? []).length > helpers;
  };

  const kill = (): 'sent' | 'gone' | 'refused' => {
    channel.end();
    return outer.signal('SIGKILL');
  };

  return {
    id: pid,
    leaderEnded: () => {
      leaderEnded = true;
      outer.leaderEnded();
    },
    signal: (name) => {
      if (name === 'SIGKILL') return kill();
      if (!leaderEnded && !termToAll) return outer.signal(name);
      channel.say('TERM');
      return channel.isClosed ? 'gone' : 'sent';
    },
    alive,
    left: outer.left,
    release: async () => {
      channel.end();
      const over = Promise.all([channel.closed, wrapperEnded]);
      await within(END_MS, over);
      if (!channel.isClosed) {
        kill();
        await within(END_MS, over);
      }
      channel.abandon();
    },
  };
}
