import type { Handlers, Receipt, StepContext } from '../../../src/engine/contract.ts';
import { unknown } from '../../../src/engine/receipts.ts';
import { toyPolicy, type ToyFacts, type ToyState, type ToySteps } from '../../../src/engine/toy/model.ts';
import { defineError } from '../../../src/kernel/errors/index.ts';
import type { Random } from '../seeded-random.ts';
import type { Scheduler } from './scheduler.ts';
import type { Simulated } from './simulation.ts';
import { modelHandlers, ToyModel, type ModelWorld, type Script, type Session } from './toy-model.ts';

/** As git says it when the branch may have moved all the same. */
const timedOut = defineError({ code: 'timed-out', message: () => 'it took too long', remedy: 'look what became of it' });
const ATTEMPTS = 2;
const MOST_PERSON_COMMITS = 3;

type SimulatedToy = Simulated<ToyState, ToyFacts, ToySteps, ModelWorld>;

/** The toy over the model, with work, programs and a budget by chance. */
export function simulatedToy({ random, scheduler }: { readonly random: Random; readonly scheduler: Scheduler }): SimulatedToy {
  const scripts: Record<string, Script> = {};
  for (let unit = random.below(4); unit >= 0; unit -= 1) scripts[`unit${unit}`] = scriptBy(random);
  const units = Object.keys(scripts).map((name) => ({ name, argv: ['true'] as const }));
  const model = new ToyModel({ units, scripts, scheduler });
  const budget = random.chance(0.2) ? 1 + random.below(units.length * ATTEMPTS) : Number.POSITIVE_INFINITY;
  const maxInFlight = 1 + random.below(3);
  const people: string[] = [];
  const sessions = new SessionWatch(model);
  let holders = 0;
  return {
    system: {
      name: 'toy',
      ...toyPolicy,
      limits: { maxInFlight, deadlineMs: () => 60_000, graceMs: 2_000, ...(random.chance(0.5) ? { stopGraceMs: 50 } : {}) },
      handlers: lossy(random),
      gather: (_state, { node }) => node.io(() => model.facts()),
      publish: ({ units: progress }, run, { node }) =>
        node.io(() => {
          model.status = { run, stages: Object.fromEntries(Object.entries(progress).map(([name, { stage }]) => [name, stage.at])) };
        }),
      allow: ({ kind }) => (kind !== 'run' || model.starts < budget ? { allowed: true } : { allowed: false, reason: 'budget' }),
    },
    worldFor: (node) => {
      holders += 1;
      return { model, node };
    },
    settleLeftovers: (node) => () => node.io(() => model.endSessions({ except: node })),
    disturb: () => {
      if (people.length === MOST_PERSON_COMMITS) return;
      people.push(`note${people.length}`);
      model.personCommits(people.at(-1)!);
    },
    breaksNow: (current) => sessions.look(current),
    breaksAtEnd: () => [
      ...lost(model, people),
      ...units.flatMap(({ name }) => unitBreaks(model, name, { exact: budget === Number.POSITIVE_INFINITY })),
      ...landedTrees(model),
      ...sessions.alive().map(({ unit, node }) => `I5: the program of ${unit} that ${node.name} started still runs`),
      // A step that is allowed starts a moment later; a holder that was taken over may still start one.
      ...(model.starts > budget + maxInFlight * holders ? [`I8: ${model.starts} starts, ${budget} were allowed`] : []),
      ...statusBreaks(model),
    ],
  };
}

function scriptBy(random: Random): Script {
  const exits = [[], [], [1], [1, 1]][random.below(4)] ?? [];
  // Some take longer than their deadline has left after the machine slept.
  return { exits, takesMs: random.chance(0.1) ? 40_000 : random.below(60) };
}

/** Replies get lost after the effect, handlers hang or break, and looking may not tell at first. */
function lossy(random: Random): Handlers<ToySteps, ModelWorld> {
  const wrapped = Object.entries(modelHandlers).map(([kind, handler]) => {
    const { perform, reconcile } = handler as AnyHandler;
    return [
      kind,
      {
        perform: async (step, context) => {
          const receipt = await perform(step, context);
          if (random.chance(0.05)) return unknown('the reply was lost');
          if (random.chance(0.01)) return new Promise<Receipt>(() => undefined);
          // Where no effect is to be found, what is thrown costs an attempt, and the end of the unit would not be known.
          if (kind !== 'commit' && receipt.outcome === 'ok' && random.chance(0.02)) throw random.chance(0.5) ? new TypeError('a defect') : timedOut({});
          return receipt;
        },
        reconcile: async (step, context) => (random.chance(0.1) ? unknown('not to be reached') : reconcile(step, context)),
      } satisfies AnyHandler,
    ];
  });
  return Object.fromEntries(wrapped) as Handlers<ToySteps, ModelWorld>;
}

interface AnyHandler {
  readonly perform: (step: never, context: StepContext<ModelWorld>) => Promise<Receipt>;
  readonly reconcile: (step: never, context: StepContext<ModelWorld>) => Promise<Receipt>;
}

/** Looks at the programs after each task of the simulation. */
class SessionWatch {
  readonly #model: ToyModel;
  readonly #seen = new Set<Session>();
  /** Started by a holder that had been taken over and did not know yet: whoever took over could not end them. */
  readonly #strays = new Set<Session>();

  constructor(model: ToyModel) {
    this.#model = model;
  }

  look(current: string): readonly string[] {
    for (const session of this.#model.sessions) {
      if (!this.#seen.has(session) && session.node.name !== current) this.#strays.add(session);
      this.#seen.add(session);
    }
    const units = this.alive().filter(({ node }) => node.name === current || !node.alive).map(({ unit }) => unit);
    return units.filter((unit, index) => units.indexOf(unit) !== index).map((unit) => `I2: two programs of ${unit} at once`);
  }

  alive(): readonly Session[] {
    return [...this.#model.sessions].filter((session) => !this.#strays.has(session));
  }
}

function lost(model: ToyModel, people: readonly string[]): readonly string[] {
  const subjects = model.history().map((id) => model.commits.get(id)?.subject);
  return people.filter((text) => !subjects.includes(`Person ${text}`)).map((text) => `I3: the commit of ${text} is lost`);
}

/** Without a budget it is known what becomes of a unit, whatever went wrong around it. */
function unitBreaks(model: ToyModel, unit: string, { exact }: { readonly exact: boolean }): readonly string[] {
  const mark = model.marks.get(unit);
  const landed = model.history().filter((id) => model.commits.get(id)?.subject === `Add ${unit}`).length;
  const fails = (model.scripts[unit]?.exits.length ?? 0) >= ATTEMPTS;
  if (exact && mark !== (fails ? 'failed' : 'done')) return [`I1: ${unit} is marked ${mark}, and its program ${fails ? 'fails' : 'works'}`];
  return landed === (mark === 'done' ? 1 : 0) ? [] : [`I3: ${unit} is marked ${mark} and landed ${landed} times`];
}

function landedTrees(model: ToyModel): readonly string[] {
  return model.history().flatMap((id) => {
    const { subject = '', tree = {}, parent } = model.commits.get(id) ?? {};
    if (!subject.startsWith('Add ')) return [];
    const unit = subject.slice('Add '.length);
    const expected = { ...model.commits.get(parent ?? '')?.tree, [`${unit}.txt`]: `${unit}\n` };
    return JSON.stringify(tree) === JSON.stringify(expected) ? [] : [`I4: the tree of ${unit} is not what was checked`];
  });
}

function statusBreaks({ status, units }: ToyModel): readonly string[] {
  const expected = { run: { is: 'done' }, stages: Object.fromEntries(units.map(({ name }) => [name, 'finished'])) };
  const { run, stages } = status as typeof expected;
  const sorted = Object.fromEntries(units.map(({ name }) => [name, stages[name]]));
  return JSON.stringify({ run, stages: sorted }) === JSON.stringify(expected) ? [] : [`I7: the documented file says ${JSON.stringify(status)}`];
}
