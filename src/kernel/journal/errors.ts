import { defineError } from '../errors/index.ts';

interface AtPath {
  readonly path: string;
}

export const journalDamaged = defineError<AtPath & { line: number; reason: string }>({
  code: 'journal-damaged',
  means:
    'A line of a journal is not what was written: its checksum does not fit, it is no JSON, or records of a writer are missing before it. Nothing is decided from such a file.',
  message: ({ path, line, reason }) => `${path}:${line}: ${reason}`,
  remedy: ({ path }) =>
    `see all of it with: drover journal check ${path}; then put back the line from a copy of the file. Nothing was changed`,
});

export const journalUnsynced = defineError<AtPath>({
  code: 'journal-unsynced',
  means:
    'The system could not say that what was written is on the disk. After that the journal takes no record until it is opened again, since a later sync would not tell the truth about the earlier one.',
  message: ({ path }) => `${path} takes no more records: an earlier sync of it failed`,
  remedy: 'check the disk, then run the command again',
});

export const journalClosed = defineError<AtPath>({
  code: 'journal-closed',
  means: 'A record was appended to a journal that this program had closed before.',
  message: ({ path }) => `${path} was closed already`,
  remedy: 'run the command again',
});

export const journalRemoved = defineError<AtPath>({
  code: 'journal-removed',
  means:
    'The file of an open journal was deleted, moved or replaced by something else. What is written to it can no longer be read at its path, so the journal takes no record until it is opened again.',
  message: ({ path }) => `${path} was deleted, moved or replaced while it was in use`,
  remedy: ({ path }) =>
    `find out what did it, and put the file with all records back as ${path}; then run the command again, which begins a new one when there is none`,
});

export const journalTruncated = defineError<AtPath>({
  code: 'journal-truncated',
  means:
    'The file of an open journal lost bytes at its end, or was written anew, while it was in use: records that were on the disk are gone. The journal takes no record until it is opened again.',
  message: ({ path }) => `${path} was truncated or written anew while it was in use`,
  remedy: ({ path }) =>
    `find out what shortens it, put back the missing lines from a copy, and look at it with: drover journal check ${path}; then run the command again`,
});

export const journalRecordRefused = defineError<AtPath & { place: string; reason: string }>({
  code: 'journal-record-refused',
  means: 
    'A record has something that would not come back as it is: JSON has no undefined, no NaN, no big integers and no hidden properties, and some names belong to the journal. Or it has more values than can be written without a pause.',
  message: ({ path, place, reason }) => `${path} does not take this record: ${place === '' ? 'it' : place} ${reason}`,
  remedy: 'report this message',
});

export const journalRecordTooLong = defineError<AtPath & { maxBytes: number }>({
  code: 'journal-record-too-long',
  means: 'A record is longer than a line of a journal may be, so that readers need bounded memory.',
  message: ({ path, maxBytes }) => `${path} does not take a record of more than ${maxBytes} bytes`,
  remedy: 'keep long content in a file of its own and put its path into the record',
});

export const journalWriterRefused = defineError<AtPath & { writer: string }>({
  code: 'journal-writer-refused',
  means: 'The name of a writer goes into each line, so it has only letters, digits and ._:@- and at most 64 of them.',
  message: ({ path, writer }) => `${path}: ${JSON.stringify(writer)} cannot be the name of a writer`,
  remedy: 'report this message',
});

export const journalNotAFile = defineError<AtPath>({
  code: 'journal-not-a-file',
  means: 'Something else than a regular file took the place of a journal at the moment when it was opened.',
  message: ({ path }) => `${path} became a pipe or a device while it was opened`,
  remedy: 'find out what changes this path, then run the command again',
});
