export { findKept } from './find.ts';
export { keepProject } from './keep.ts';
export type { Candidate, Keeping, KeptProject, ProjectSource } from './kept-project.ts';
