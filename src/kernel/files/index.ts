export { durablePoint } from './durable-point.ts';
export { ensurePrivateFile } from './ensure-file.ts';
export { createFolderExclusive, ensureFolder, type FolderOptions } from './folder.ts';
export { holdFile, type Hold } from './held.ts';
export { refuseUnlessRegular } from './kind.ts';
export { readBytes, readBytesIfPresent, type ReadOptions } from './read.ts';
export { replaceFile, type ReplaceOptions } from './replace.ts';
export { resolveInside } from './resolve-inside.ts';
