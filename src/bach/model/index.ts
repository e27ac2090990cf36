export { readBachfile, type Bachfile, type BachfileFacts } from './bachfile.ts';
export { fileDiagnostic } from './findings.ts';
export { parseDotenv } from './dotenv.ts';
export type { EnvironmentEntry, Operation, Output, Project, Target, TargetKind } from './project.ts';
export {
  artifactKind,
  countersLine,
  FAILED_STATUSES,
  RUN_STATUSES,
  type ArtifactRecord,
  type RunRecord,
  type RunStatus,
  type TargetRunRecord,
  type TargetStatus,
} from './run.ts';
export { canonicalName, fileNamesOf } from './target-name.ts';
