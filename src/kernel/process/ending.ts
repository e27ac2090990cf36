import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildExit } from './contract.ts';
import type { Group } from './group.ts';

/** Readers of the leader's pipes (`> >(tee log)`) end by themselves right after it; TERM would cost their last lines. */
const SETTLE_MS = 200;
/** After KILL only the kernel can be in the way, such as a device that does not answer. */
const GIVE_UP_MS = 10_000;
const FIRST_LOOK_MS = 2;
const LAST_LOOK_MS = 50;
/** What a timer can count to; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Step = 'none' | 'asked' | 'killed' | 'given-up';

/** The one way from a running group to none: TERM, grace, KILL. */
export class Ending {
  /** Resolves when KILL was refused or did not help. */
  readonly givenUp: Promise<void>;
  readonly #group: Group;
  readonly #graceMs: number;
  #giveUp: () => void = () => undefined;
  #step: Step = 'none';
  #stopAsked = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(group: Group, graceMs: number) {
    this.#group = group;
    this.#graceMs = Math.min(graceMs, LONGEST_TIMER_MS);
    this.givenUp = new Promise((resolve) => {
      this.#giveUp = resolve;
    });
  }

  step(): Step {
    return this.#step;
  }

  /** How it went when somebody outside wanted the end. */
  get stopped(): ChildExit['stopped'] {
    if (!this.#stopAsked) return undefined;
    return this.#step === 'asked' ? 'graceful' : 'killed';
  }

  /** The wish from outside: the first one asks, the next one insists. */
  stop(): void {
    if (this.#stopAsked) return this.kill();
    if (this.#closed) return;
    this.#stopAsked = true;
    this.ask();
  }

  kill(): void {
    if (this.#closed) return;
    this.#stopAsked = true;
    this.#kill();
  }

  /** Sends TERM and starts the grace, once. */
  ask(): void {
    if (this.#closed || this.#step !== 'none') return;
    this.#step = 'asked';
    this.#group.signal('SIGTERM');
    this.#timer = setTimeout(() => this.#kill(), this.#graceMs);
  }

  /** Nothing is signalled any more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #kill(): void {
    if (this.#step === 'killed' || this.#step === 'given-up') return;
    this.#step = 'killed';
    clearTimeout(this.#timer);
    const answer = this.#group.signal('SIGKILL');
    this.#timer = setTimeout(() => this.#abandon(), answer === 'refused' ? 0 : GIVE_UP_MS);
  }

  #abandon(): void {
    this.#step = 'given-up';
    this.#giveUp();
  }
}

/** Ends what is left of a group whose leader is gone; tells what became of those that had not been asked to end. */
export async function endSurvivors(group: Group, ending: Ending): Promise<ChildExit['survivors']> {
  const askedBefore = ending.step() !== 'none';
  if (await vanishes(group, (waitedMs) => waitedMs >= SETTLE_MS || ending.step() !== 'none')) return undefined;
  ending.ask();
  const vanished = await vanishes(group, () => ending.step() === 'given-up');
  if (!vanished) return 'left';
  if (askedBefore) return undefined;
  return ending.step() === 'killed' ? 'killed' : 'terminated';
}

async function vanishes(group: Group, isOver: (waitedMs: number) => boolean): Promise<boolean> {
  let waitedMs = 0;
  for (let lookMs = FIRST_LOOK_MS; await group.alive(); lookMs = Math.min(lookMs * 2, LAST_LOOK_MS)) {
    if (isOver(waitedMs)) return false;
    await sleep(lookMs);
    waitedMs += lookMs;
  }
  return true;
}
