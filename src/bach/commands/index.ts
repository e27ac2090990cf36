export type { AskedKind, CommandWords, FlagWords, WordKind } from './completion-words.ts';
export type { CompletionInput, Shell } from './completion.ts';
export type { LogsInput, ProjectInput, RunInput, RunsListInput } from './inputs.ts';
