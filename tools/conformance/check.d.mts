export interface Rule {
  readonly id: string;
  readonly kind: string;
  readonly where: string;
  readonly rule: string;
  readonly part: number;
}

export interface PartReport {
  readonly system: string;
  readonly part: number;
  /** How many. */
  readonly rules: number;
  readonly notProved: readonly Rule[];
}

export interface ConformanceReport {
  readonly parts: readonly PartReport[];
  /** One line each; none when everything holds. */
  readonly problems: readonly string[];
}

export function checkConformance(root: string): ConformanceReport;
