import { processIdentity, type Child, type ChildExit } from '../../kernel/process/index.ts';
import type { Intent } from '../contract.ts';
import type { ToySteps } from './model.ts';
import { pathsOf, type ToyWorld } from './world.ts';

/** What is known of a program before it is started. */
interface NewSession {
  readonly id: string;
  readonly system: string;
  readonly repository: string;
  readonly run: string;
  readonly unit: string;
  readonly attempt: number;
  readonly marker: string;
  readonly logPath: string;
}

interface StartedFacts {
  readonly pid: number | undefined;
  readonly startTime?: string;
  readonly bootId?: string;
  readonly layer: string;
  readonly containment: 'full' | 'partial';
}

/** A book of all programs that a person may look into, wider than this run; the self-test keeps none. */
export interface ToySessions {
  begin(session: NewSession): Promise<void>;
  started(id: string, facts: StartedFacts): Promise<void>;
  end(id: string, ending: string): Promise<boolean>;
}

/** In the book before anything is started, so that a crash right behind the start leaves a trace. */
export async function recordSession(
  { input: { unit, attempt }, sequence }: Intent<ToySteps, 'run'>,
  { world: { folder, host, sessions }, log }: { readonly world: ToyWorld; readonly log: string },
): Promise<{ readonly started: (child: Child) => Promise<void>; readonly end: (exit: ChildExit) => Promise<void> }> {
  const id = `${host.marker}-${sequence}`;
  const paths = pathsOf(folder);
  await sessions?.begin({ id, system: 'toy', repository: folder, run: paths.run, unit, attempt, marker: host.marker, logPath: log });
  return {
    started: async (child) => {
      try {
        await sessions?.started(id, factsOf(child));
      } catch (error) {
        // What is tried again must not run beside it.
        child.kill();
        await child.exit;
        throw error;
      }
    },
    end: async (exit) => void (await sessions?.end(id, exit.kind)),
  };
}

function factsOf({ pid, layer, containment }: Child): StartedFacts {
  const identity = pid === undefined ? undefined : processIdentity(pid);
  if (identity === undefined) return { pid, layer, containment };
  return { pid, startTime: String(identity.startTime), bootId: identity.bootId, layer, containment };
}
