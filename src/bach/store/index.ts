export { runNotFound } from './errors.ts';
export { eachLine, lastLines } from './log-lines.ts';
export { projectRoot, readBachfileBytes, readEnvironmentFiles } from './project-files.ts';
export { redactionOf } from './project-secrets.ts';
export { outputExists, RunFolder } from './run-folder.ts';
export { RunStore, type RunFilter, type StatePlace } from './run-store.ts';
export { TargetLog } from './target-log.ts';
