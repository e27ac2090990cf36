export { fileHash } from './file-hash.ts';
export type { RememberedHashes } from './file-hashes.ts';
export type { InputRequest } from './find-files.ts';
export { globsWithoutMatch } from './globs-without-match.ts';
export { InputReader, type HashChanges, type InputFile, type InputPlace } from './input-reader.ts';
export { OutputReader, type OutputRequest, type SeenOutput } from './output-reader.ts';
export type { OutputKind, OutputRecord, OutputState } from './output-record.ts';
export { standAsSeen, type Sights } from './sights.ts';
export { promptProblem } from './prompt-problem.ts';
