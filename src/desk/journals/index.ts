export { findJournals, type FoundJournals } from './find.ts';
