export { cleanPath, joinPath } from './clean.ts';
export { containedPath, type Containment } from './contained.ts';
export { programArgument } from './program-argument.ts';
export { relativePath } from './relative.ts';
