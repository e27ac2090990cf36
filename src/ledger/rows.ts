import { oneOf, optional, tableOf, text, texts, whole } from './columns.ts';

/** Milliseconds since 1970 in UTC. */
export type Moment = number;

/** Where something belongs: the system, the repository (its real path), the run and the unit, as far as they apply. */
export interface Place {
  readonly system: string;
  readonly repository: string;
  readonly run?: string | undefined;
  readonly unit?: string | undefined;
}

/** A process that drives a run. Whether it lives is told by the lock, never by this row. */
export interface Holder {
  /** The folder of the run, absolute. */
  readonly folder: string;
  readonly system: string;
  readonly repository: string;
  /** The lock that the holder keeps, absolute. */
  readonly lockPath: string;
  readonly pid: number;
  /** Of the process, in the unit of the system; with the pid it names one process since the machine started. */
  readonly startTime: string;
  readonly bootId: string;
  readonly command: string;
  readonly since: Moment;
  readonly lastSeen: Moment;
}

/** One launch of an agent or another program. */
export interface Session extends Place {
  readonly id: string;
  readonly attempt: number;
  /** In the environment of all that it starts. */
  readonly marker: string;
  readonly logPath: string;
  /** `starting` is written before the spawn. */
  readonly state: 'starting' | 'running' | 'ended';
  readonly pid?: number | undefined;
  readonly startTime?: string | undefined;
  readonly bootId?: string | undefined;
  readonly layer?: string | undefined;
  readonly containment?: 'full' | 'partial' | undefined;
  readonly startedAt: Moment;
  readonly endedAt?: Moment | undefined;
  /** How it ended, in the words of its system. */
  readonly ending?: string | undefined;
}

/** What was used up once; the id makes a repeated report count once. */
export interface Spend extends Place {
  readonly id: string;
  readonly session?: string | undefined;
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Millionths of a US dollar. */
  readonly costMicros: number;
  readonly at: Moment;
}

/** What a spend belongs to, as far as it is named; nothing named is the whole machine. */
export interface SpendScope {
  readonly repository?: string | undefined;
  /** Within its repository. */
  readonly run?: string | undefined;
  readonly provider?: string | undefined;
}

/** A bound on what may be used up within a scope since a moment; with neither limit it only counts. */
export interface Budget extends SpendScope {
  readonly id: string;
  readonly since: Moment;
  /** Millionths of a US dollar. */
  readonly limitMicros?: number | undefined;
  /** Input and output tokens together, without what came from a cache. */
  readonly limitTokens?: number | undefined;
}

/** A provider that is left alone until a moment, because it said so or failed. */
export interface Cooldown {
  readonly provider: string;
  readonly until: Moment;
  readonly reason: string;
  readonly since: Moment;
}

export type AskKind = 'approval' | 'escalation' | 'decision' | 'park' | 'conflict' | 'confirmation';

/** What waits for a person. */
export interface Ask extends Place {
  readonly id: string;
  readonly kind: AskKind;
  readonly question: string;
  readonly options: readonly string[];
  /** What follows from the answer, or from none. */
  readonly consequence: string;
  /** Digest of what is approved: an answer that saw another one does not count. */
  readonly subjectHash: string;
  readonly state: 'open' | 'answered' | 'withdrawn';
  readonly openedAt: Moment;
  readonly closedAt?: Moment | undefined;
  readonly answer?: string | undefined;
  readonly answeredBy?: string | undefined;
}

export type ChannelName = 'desktop' | 'file' | 'webhook';

/** One notice on one channel. */
export interface Delivery {
  /** `<notice>/<channel>`. */
  readonly id: string;
  readonly notice: string;
  readonly channel: ChannelName;
  /** The notice as it is sent, as JSON. */
  readonly body: string;
  /** `held`: by quiet hours. `sending`: begun by a process that may have ended since. `failed`: to be tried again. */
  readonly state: 'waiting' | 'held' | 'sending' | 'failed' | 'delivered' | 'given-up';
  readonly attempts: number;
  /** Not before this moment. */
  readonly due: Moment;
  readonly reason?: string | undefined;
  readonly at: Moment;
}

const place = { system: text, repository: text, run: optional(text), unit: optional(text) };

export const holders = tableOf<Holder>('holders', {
  folder: text,
  system: text,
  repository: text,
  lockPath: text,
  pid: whole,
  startTime: text,
  bootId: text,
  command: text,
  since: whole,
  lastSeen: whole,
});

export const sessions = tableOf<Session>('sessions', {
  id: text,
  ...place,
  attempt: whole,
  marker: text,
  logPath: text,
  state: oneOf('starting', 'running', 'ended'),
  pid: optional(whole),
  startTime: optional(text),
  bootId: optional(text),
  layer: optional(text),
  containment: optional(oneOf('full', 'partial')),
  startedAt: whole,
  endedAt: optional(whole),
  ending: optional(text),
});

export const spends = tableOf<Spend>('spends', {
  id: text,
  ...place,
  session: optional(text),
  provider: text,
  model: text,
  inputTokens: whole,
  outputTokens: whole,
  cachedTokens: whole,
  costMicros: whole,
  at: whole,
});

export const budgets = tableOf<Budget>('budgets', {
  id: text,
  repository: optional(text),
  run: optional(text),
  provider: optional(text),
  since: whole,
  limitMicros: optional(whole),
  limitTokens: optional(whole),
});

export const cooldowns = tableOf<Cooldown>('cooldowns', { provider: text, until: whole, reason: text, since: whole });

export const asks = tableOf<Ask>('asks', {
  id: text,
  ...place,
  kind: oneOf<AskKind>('approval', 'escalation', 'decision', 'park', 'conflict', 'confirmation'),
  question: text,
  options: texts,
  consequence: text,
  subjectHash: text,
  state: oneOf('open', 'answered', 'withdrawn'),
  openedAt: whole,
  closedAt: optional(whole),
  answer: optional(text),
  answeredBy: optional(text),
});

export const deliveries = tableOf<Delivery>('deliveries', {
  id: text,
  notice: text,
  channel: oneOf<ChannelName>('desktop', 'file', 'webhook'),
  body: text,
  state: oneOf('waiting', 'held', 'sending', 'failed', 'delivered', 'given-up'),
  attempts: whole,
  due: whole,
  reason: optional(text),
  at: whole,
});
