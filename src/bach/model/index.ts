export * from './backend/index.ts';
export { readBachfile, type Bachfile, type BachfileFacts, type Reads } from './bachfile.ts';
export { factKey, factOfKey, type FactAnswer, type FactAnswers, type FactRequest } from './fact-request.ts';
export { fileDiagnostic, type Misnamed } from './findings.ts';
export { parseDotenv } from './dotenv.ts';
export type { ImportRead, ImportResult, ReadImport, SourceFile } from './imports.ts';
export type { ProcessVariables } from './process-environment.ts';
export { climbsOut, stateFault } from './input-paths.ts';
export { inputPaths, inputReach } from './input-reach.ts';
export {
  linkProject,
  promptDiagnostics,
  type DecodedProject,
  type GraphAdditions,
  type LinkedProject,
  type TargetAdditions,
} from './link.ts';
export { generatedPolicyNodes, type PolicyNode } from './later/index.ts';
export type * from './later.ts';
export type * from './project.ts';
export {
  artifactKind,
  countersLine,
  FAILED_STATUSES,
  RUN_STATUSES,
  type ArtifactKind,
  type ArtifactRecord,
  type RunRecord,
  type RunStatus,
  type TargetRunRecord,
  type TargetStatus,
} from './run.ts';
export type { Place } from './sources.ts';
export { isOwnState, stateRule, type IsState } from './state-paths.ts';
export { writtenEntries } from './written-entries.ts';
export { targetHint } from './target-hint.ts';
export { canonicalName, fileNamesOf, parseReference } from './target-name.ts';
