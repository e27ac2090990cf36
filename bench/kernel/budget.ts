/** One figure of this project against a floor or a peer that was measured in the same run. */
export interface Budget {
  readonly name: string;
  /** What was measured. */
  readonly met: number;
  readonly limit: number;
  readonly unit: string;
  /** Which side of the limit is good. */
  readonly good: 'at-most' | 'at-least';
}

/** What a file of this folder exports as `measure`: prints the raw limits of the machine, answers the budgets. */
export type Measure = () => Promise<readonly Budget[]>;
