export { formatDiagnostic, type Diagnostic, type Position, type Range, type Severity } from './diagnostic.ts';
export { didYouMean, nearest } from './suggest.ts';
export { formatDuration, parseDuration } from './duration.ts';
export { expandVariables } from './expand.ts';
export { compileGlob, type Glob } from './glob.ts';
export { onOneLine, plainName } from './plain-name.ts';
export { LineCutter } from './line-cutter.ts';
