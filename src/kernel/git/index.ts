export * from './checkouts.ts';
export * from './configuration.ts';
export type { Git, GitDate, GitHost, GitVersion, Identity, ObjectId, Repository, Signature } from './contract.ts';
export * from './objects.ts';
export { displayPath, gitPath, pathBytes, pathFromBytes, type GitPath } from './path.ts';
export * from './refs.ts';
export { openRepository } from './repository.ts';
export { findGit, gitVersion } from './version.ts';
