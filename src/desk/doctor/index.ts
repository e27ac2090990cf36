export type { Patient } from './check.ts';
export { examine, type NamedFinding } from './examine.ts';
