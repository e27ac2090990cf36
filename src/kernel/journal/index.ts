export type {
  Appended,
  Damage,
  Entry,
  Journal,
  JournalContents,
  JournalOptions,
  JournalRecord,
  JournalReport,
  JournalRest,
  Place,
  Problem,
  ReadOptions,
  ReadPurpose,
  TornBytes,
  WriterCount,
} from './contract.ts';
export { checkJournal } from './check.ts';
export { openJournal } from './open.ts';
export { journalEntries, readJournal } from './read.ts';
