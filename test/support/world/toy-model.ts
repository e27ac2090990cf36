import type { Handlers, Receipt, StepContext } from '../../../src/engine/contract.ts';
import { failed, notDone, ok } from '../../../src/engine/receipts.ts';
import { MOVED_ON, type Mark, type ToyFacts, type ToySteps, type Unit } from '../../../src/engine/toy/model.ts';
import type { Node } from './node.ts';
import type { Scheduler } from './scheduler.ts';

export interface ModelCommit {
  readonly parent: string | undefined;
  readonly tree: Readonly<Record<string, string>>;
  readonly subject: string;
}

export interface Session {
  readonly unit: string;
  readonly node: Node;
  readonly kill: () => void;
}

/** An exit code, unless somebody ended it. */
type SessionEnd = number | 'killed';

/** How the program of a unit behaves, in the model: its exit code by attempt (0 after the last), and its time. */
export interface Script {
  readonly exits: readonly number[];
  readonly takesMs: number;
}

/** What the toy works on, in memory: one for all its processes. */
export class ToyModel {
  readonly units: readonly Unit[];
  readonly scripts: Readonly<Record<string, Script>>;
  readonly commits = new Map<string, ModelCommit>([['c0', { parent: undefined, tree: {}, subject: 'Begin' }]]);
  tip = 'c0';
  readonly claims = new Set<string>();
  readonly results = new Map<string, { readonly attempt: number; readonly output: string }>();
  readonly marks = new Map<string, Mark>();
  readonly sessions = new Set<Session>();
  status: unknown;
  starts = 0;

  readonly #scheduler: Scheduler;

  constructor({ units, scripts, scheduler }: { units: readonly Unit[]; scripts: Readonly<Record<string, Script>>; scheduler: Scheduler }) {
    this.units = units;
    this.scripts = scripts;
    this.#scheduler = scheduler;
  }

  facts(): ToyFacts {
    const marked = this.units.map(({ name }) => name).filter((name) => this.marks.has(name));
    return { units: this.units, marked, tip: this.tip };
  }

  /** The same content gives the same id. */
  write(commit: ModelCommit): string {
    const id = `c${JSON.stringify([commit.parent, commit.subject, Object.entries(commit.tree).sort()])}`;
    this.commits.set(id, commit);
    return id;
  }

  /** From the tip to the first commit. */
  history(): readonly string[] {
    const ids: string[] = [];
    for (let id: string | undefined = this.tip; id !== undefined; id = this.commits.get(id)?.parent) ids.push(id);
    return ids;
  }

  personCommits(text: string): void {
    const tree = { ...this.commits.get(this.tip)?.tree, [text]: text };
    this.tip = this.write({ parent: this.tip, tree, subject: `Person ${text}` });
  }

  /** A program lives by itself: its process may be gone before it ends, and then nobody hears of its end. */
  startSession({ unit, attempt, node }: { unit: string; attempt: number; node: Node }): { readonly ended: Promise<SessionEnd>; readonly kill: () => void } {
    this.starts += 1;
    const { exits, takesMs } = this.scripts[unit] ?? { exits: [], takesMs: 1 };
    let tell: (how: SessionEnd) => void = () => undefined;
    const ended = new Promise<SessionEnd>((resolve) => {
      tell = (how) => void node.after(0, () => resolve(how));
    });
    const end = (how: SessionEnd): void => {
      cancel();
      if (this.sessions.delete(session)) tell(how);
    };
    const session: Session = { unit, node, kill: () => end('killed') };
    const cancel = this.#scheduler.after(takesMs, () => end(exits[attempt - 1] ?? 0));
    this.sessions.add(session);
    return { ended, kill: session.kill };
  }

  endSessions({ except }: { readonly except: Node }): void {
    for (const session of this.sessions) if (session.node !== except) session.kill();
  }
}

/** The toy's world as one process sees it. */
export interface ModelWorld {
  readonly model: ToyModel;
  readonly node: Node;
}

type Context = StepContext<ModelWorld>;

/** The toy's handlers over the model; the contract test holds them against the real ones. */
export const modelHandlers: Handlers<ToySteps, ModelWorld> = {
  claim: {
    perform: ({ input }, { world: { node, model } }) => node.io(() => (model.claims.add(input.unit), ok(null))),
    reconcile: ({ input }, { world: { node, model } }) =>
      node.io(() => (model.claims.has(input.unit) ? ok(null) : notDone('there is no claim'))),
  },
  run: {
    async perform({ input: { unit, attempt } }, context) {
      const { node, model } = context.world;
      const exit = await runScript({ unit, attempt }, context);
      if (exit === 'killed') return notDone('the program was stopped');
      if (exit !== 0) return failed('exit', `the program of ${unit} ended with ${exit}`);
      return node.io(() => (model.results.set(unit, { attempt, output: `${unit}\n` }), ok(null)));
    },
    reconcile: ({ input: { unit, attempt } }, { world: { node, model } }) =>
      node.io(() => (model.results.get(unit)?.attempt === attempt ? ok(null) : notDone('there is no result'))),
  },
  commit: {
    perform: ({ input: { unit, base } }, { world: { node, model } }) =>
      node.io(() => {
        const tree = { ...model.commits.get(base)?.tree, [`${unit}.txt`]: model.results.get(unit)?.output ?? '' };
        return ok({ commit: model.write({ parent: base, tree, subject: `Add ${unit}` }) });
      }),
    reconcile: async () => notDone('nothing refers to the commit'),
  },
  move: {
    perform: ({ input: { from, to } }, { world: { node, model } }) =>
      node.io(() => {
        if (model.tip !== from) return whetherLanded(model, to);
        model.tip = to;
        return ok(null);
      }),
    reconcile: ({ input: { from, to } }, { world: { node, model } }) =>
      node.io(() => (model.tip === from ? notDone('the branch was not moved') : whetherLanded(model, to))),
  },
  finish: {
    perform: ({ input }, { world: { node, model } }) => node.io(() => (model.marks.set(input.unit, input.mark), ok(null))),
    reconcile: ({ input }, { world: { node, model } }) =>
      node.io(() => (model.marks.has(input.unit) ? ok(null) : notDone('there is no mark'))),
  },
};

function whetherLanded(model: ToyModel, to: string): Receipt<null> {
  return model.history().includes(to) ? ok(null) : failed(MOVED_ON, `the branch holds ${model.tip} by now`);
}

async function runScript(
  { unit, attempt }: { readonly unit: string; readonly attempt: number },
  { world: { node, model }, signal, stopping }: Context,
): Promise<SessionEnd> {
  const session = await node.io(() => model.startSession({ unit, attempt, node }));
  for (const each of [signal, stopping]) {
    if (each.aborted) session.kill();
    else each.addEventListener('abort', session.kill, { once: true });
  }
  return session.ended;
}
