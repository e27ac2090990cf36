export { findKept } from './find.ts';
export { findStandstill } from './find-standstill.ts';
export { keepProject } from './keep.ts';
export { dropStandstills, keepStandstill, type RunAsked } from './keep-standstill.ts';
export type { Candidate, Keeping, KeptProject, ProjectSource } from './kept-project.ts';
export type { AskedRun, FoundStandstill, Standstill, ToldLine } from './standstill.ts';
