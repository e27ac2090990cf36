/** By name, with those that are inherited. */
export type RiskLabels = ReadonlyMap<string, { readonly labels: readonly string[] }>;

/** What a target risks, in words; a name that nobody knows brings none. */
export function labelsOf(risks: RiskLabels, name: string): readonly string[] {
  return risks.get(name)?.labels ?? [];
}
