export type { LogsInput, ProjectInput, RunInput, RunsListInput } from './inputs.ts';
