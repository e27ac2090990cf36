import type { Expiry } from '../kernel/time/index.ts';

/** What a kind of step takes and what its receipt brings back. Both are JSON values. */
export interface StepShape {
  readonly input: unknown;
  readonly data: unknown;
}

/** The kinds of steps of one system, by name; written as a `type`, for example `{ readonly claim: { ... } }`. */
export type StepShapes = Readonly<Record<string, StepShape>>;

export type KindOf<Shapes extends StepShapes> = keyof Shapes & string;

/**
 * What a system wants done. Two steps with one kind and one key are the same deed: `key` is its name in the world.
 * What a handler gets is the step as it was recorded, with its secrets masked.
 */
export type Step<Shapes extends StepShapes, Kind extends KindOf<Shapes> = KindOf<Shapes>> = {
  readonly [K in Kind]: { readonly kind: K; readonly key: string; readonly input: Shapes[K]['input'] };
}[Kind];

/** A step that stands in the log and may have begun. */
export type Intent<Shapes extends StepShapes, Kind extends KindOf<Shapes> = KindOf<Shapes>> = Step<Shapes, Kind> & {
  /** Counts the intents of the run from 1, over all its holders. */
  readonly sequence: number;
  /** Whose holder wrote it; effects that can be fenced carry it along. */
  readonly epoch: number;
};

/** The moment of a decision or a receipt, as it stands in the log. */
export interface Now {
  /** Milliseconds since 1970, for dates; it may jump. */
  readonly wallMs: number;
  /** Milliseconds since the machine started, sleep included, for durations; it begins again with the machine. */
  readonly bootMs: number;
}

export interface OkReceipt<Data> {
  readonly outcome: 'ok';
  readonly data: Data;
}

/** The effect is known not to stand, or to stand for nothing. `code` is a kebab word. */
export interface FailedReceipt {
  readonly outcome: 'failed';
  readonly code: string;
  readonly message: string;
  readonly data?: unknown;
}

/** Nobody can tell yet whether the effect stands; never folded, always reconciled. */
export interface UnknownReceipt {
  readonly outcome: 'unknown';
  readonly reason: string;
  /** What the handler threw, when it did: the step failed by it once looking finds nothing. */
  readonly thrown?: Thrown;
}

/** `internal-error` is the code of what was no error of ours. */
export interface Thrown {
  readonly code: string;
  readonly message: string;
}

export type Receipt<Data = unknown> = OkReceipt<Data> | FailedReceipt | UnknownReceipt;

/** The budgets said no; nothing was begun. */
export interface Refusal {
  readonly outcome: 'refused';
  readonly reason: string;
}

/** How long a step took, and what the machine's sleep had to do with it. */
export interface Timing {
  readonly ranMs: number;
  readonly sleptMs: number;
  /** How its deadline stood: what `slept` past it only because the machine did charges no attempt. */
  readonly deadline: Expiry;
}

/** A step and what became of it, as it is folded into the state: `kind` and `outcome` tell what `input` and `data` are. */
export type Settled<Shapes extends StepShapes> = {
  readonly [K in KindOf<Shapes>]: SettledStep & {
    readonly kind: K;
    readonly input: Shapes[K]['input'];
  } & (OkReceipt<Shapes[K]['data']> | FailedReceipt | Refusal);
}[KindOf<Shapes>];

interface SettledStep {
  readonly key: string;
  readonly sequence: number;
  /** Missing where nothing ran: the receipt was found by looking, or the budgets refused. */
  readonly timing?: Timing;
  readonly at: Now;
}

export type Decision<Shapes extends StepShapes> =
  /** Begun in this order; those past the number that may be in flight are dropped and decided again. */
  | { readonly next: 'steps'; readonly steps: readonly Step<Shapes>[] }
  /** For a receipt, a wake-up, or this many milliseconds. */
  | { readonly next: 'wait'; readonly ms?: number }
  /** Nothing is left to do, once what is in flight has ended. */
  | { readonly next: 'done' }
  /** Nothing can be done until somebody outside changes something. */
  | { readonly next: 'park'; readonly reason: string };

/** The pure half of a system: enough to replay its log. */
export interface Policy<State, Facts, Shapes extends StepShapes> {
  readonly initial: State;
  /** Deterministic. `open` holds the steps in flight in the order of their intents. */
  readonly decide: (state: State, facts: Facts, now: Now, open: readonly Intent<Shapes>[]) => Decision<Shapes>;
  /** Deterministic; called once for each settled step, in the order of the log. */
  readonly fold: (state: State, settled: Settled<Shapes>) => State;
}

/** What a handler gets beside its step. */
export interface StepContext<World> {
  readonly world: World;
  /** Aborted when the step has to end now: its deadline passed, or the run is ended hard. */
  readonly signal: AbortSignal;
  /** Aborted when the run is asked to stop; a long step winds down, a short one may finish. */
  readonly stopping: AbortSignal;
}

/** The effect of one kind of step. */
export interface Handler<Shapes extends StepShapes, Kind extends KindOf<Shapes>, World> {
  /**
   * Brings the effect about, by compare-and-swap on what the input names, or so that the same key twice does no harm.
   * It answers `failed` only when the effect is known not to stand. Whatever it throws leaves that open: `reconcile`
   * looks at once, and where it answers `notDone` the step is `failed` with the code that was thrown.
   */
  readonly perform: (step: Intent<Shapes, Kind>, context: StepContext<World>) => Promise<Receipt<Shapes[Kind]['data']>>;
  /**
   * Looks at the world, changes nothing, and tells what became of a step whose end nobody saw: `notDone` where there is
   * no trace of it. What it throws tells nothing, and it is asked again.
   */
  readonly reconcile: (step: Intent<Shapes, Kind>, context: StepContext<World>) => Promise<Receipt<Shapes[Kind]['data']>>;
}

/** A kind without `perform` and `reconcile` does not compile. */
export type Handlers<Shapes extends StepShapes, World> = {
  readonly [Kind in KindOf<Shapes>]: Handler<Shapes, Kind, World>;
};

/** Where a run stands; `publish` writes it into the system's documented files. */
export type Standing =
  | { readonly is: 'running' }
  | { readonly is: 'done' }
  | { readonly is: 'parked'; readonly reason: string }
  | { readonly is: 'stopped'; readonly how: 'graceful' | 'hard' };

export interface Limits<Shapes extends StepShapes> {
  readonly maxInFlight: number;
  /** Milliseconds after which a step, or the look of its `reconcile`, has to end. */
  readonly deadlineMs: (step: Step<Shapes>) => number;
  /**
   * Milliseconds that a step gets to end once its signal is aborted; then it counts as unknown and the run parks.
   * After a hard stop also what `gather`, `publish`, and the ending of leftovers, get.
   */
  readonly graceMs: number;
  /** Milliseconds that steps get to finish after a graceful stop. Without it they get their own deadline. */
  readonly stopGraceMs?: number;
}

/** Everything that the engine needs of a system. `World` is what its handlers work on. */
export interface System<State, Facts, Shapes extends StepShapes, World> extends Policy<State, Facts, Shapes> {
  readonly name: string;
  readonly limits: Limits<Shapes>;
  readonly handlers: Handlers<Shapes, World>;
  /**
   * Looks at the world; JSON, and small, since each decision records what it saw. A hard stop aborts the signal.
   * Facts are masked before they are decided from, and so is all that is recorded: a step names a secret by where it
   * stands in the world, and never holds it.
   */
  readonly gather: (state: State, world: World, signal: AbortSignal) => Promise<Facts>;
  /** Writes the documented files from the state, each whole; after each receipt and at each start. */
  readonly publish: (state: State, standing: Standing, world: World) => Promise<void>;
  /** The budgets, asked before each intent. A step that is refused twice in a row parks the run. */
  readonly allow?: (step: Step<Shapes>, facts: Facts) => Allowance;
}

export type Allowance = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** How a holder leaves its run in good order. */
export type Closing = Exclude<Standing, { readonly is: 'running' }>;

/** How a call of `runSystem` ended. `fenced`: another holder took the run over, and what it holds was left alone. */
export type Ending = Closing | { readonly is: 'fenced' };
