import type { Receipt, Thrown, Timing } from './contract.ts';
import type { Landing } from './flight.ts';
import { keepThrown } from './receipts.ts';

/** How often a step of which nobody can tell the end is looked at before the run parks. */
const LOOKS = 3;

/** What to write of a landing, and how it goes on. */
export interface Judgement {
  readonly receipt: Receipt;
  /** Of the deed, not of looking for its traces; missing where this process did not perform it. */
  readonly timing: { readonly timing?: Timing };
  /** `hopeless`: looking tells nothing, a person has to; with what was told last. */
  readonly next: 'settled' | 'look' | 'look-again' | { readonly hopeless: string };
}

interface Doubt {
  readonly looks: number;
  /** By the deed; what a look throws is none of it. */
  readonly thrown: Thrown | undefined;
  readonly timing: { readonly timing?: Timing };
}

/** The steps of which somebody has to find out what became of them. */
export class Doubts {
  readonly #doubts = new Map<number, Doubt>();

  /** A step that another holder began. */
  inherit(sequence: number): void {
    this.#doubts.set(sequence, { looks: 1, thrown: undefined, timing: {} });
  }

  judge(sequence: number, { receipt, timing, abandoned }: Landing): Judgement {
    const doubt = this.#doubts.get(sequence) ?? { looks: 0, thrown: undefined, timing: { timing } };
    this.#doubts.delete(sequence);
    if (receipt.outcome === 'ok') return { receipt, timing: doubt.timing, next: 'settled' };
    if (receipt.outcome === 'failed') {
      return { receipt: keepThrown(receipt, doubt.thrown), timing: doubt.timing, next: 'settled' };
    }
    // Looking while the deed may still go on would tell nothing.
    if (abandoned || doubt.looks === LOOKS) return { receipt, timing: doubt.timing, next: { hopeless: receipt.reason } };
    const thrown = doubt.looks === 0 ? receipt.thrown : doubt.thrown;
    this.#doubts.set(sequence, { ...doubt, looks: doubt.looks + 1, thrown });
    return { receipt, timing: doubt.timing, next: doubt.looks === 0 ? 'look' : 'look-again' };
  }
}
