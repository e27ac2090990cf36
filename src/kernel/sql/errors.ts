import { defineError } from '../errors/index.ts';

interface AtPath {
  readonly path: string;
}

type Refused = AtPath & { readonly reason: string };

export const databaseBusy = defineError<AtPath>({
  code: 'database-busy',
  means: 'Other processes were writing to the database for longer than this command waits. Nothing of it was stored.',
  message: ({ path }) => `${path} is being written by another process`,
  remedy: 'run the command again when the other one has ended',
});

export const databaseMissing = defineError<AtPath>({
  code: 'database-missing',
  means: 'A command that only reads found no database, because nothing was recorded yet or the path is another one.',
  message: ({ path }) => `${path}: there is no database yet`,
  remedy: 'run a command that records something first, or check the path',
});

export const databaseDamaged = defineError<Refused>({
  code: 'database-damaged',
  means: 'The file is no SQLite database, or parts of it are not what was written. It is left as it is.',
  message: ({ path, reason }) => `${path} cannot be read as a database: ${reason}`,
  remedy: 'move the file aside and keep it; a new one is made by the next command that records something',
});

export const databaseForeign = defineError<AtPath & { table: string }>({
  code: 'database-foreign',
  means: 'The file is a SQLite database that another program made.',
  message: ({ path, table }) => `${path} is a database of something else: it has no table ${table} of ours`,
  remedy: 'name another file; this one was not changed',
});

export const databaseNewer = defineError<AtPath & { migration: string }>({
  code: 'database-newer',
  means: 'The database was changed by a newer version of this program, whose tables this one does not know.',
  message: ({ path, migration }) => `${path} was written by a newer version: it has the unknown change ${JSON.stringify(migration)}`,
  remedy: 'update this program, or name another file; this one was not changed',
});

export const databaseOutdated = defineError<AtPath & { migration: string }>({
  code: 'database-outdated',
  means: 'A command that only reads found the tables of an older version; only one that writes brings them up to date.',
  message: ({ path, migration }) => `${path} was written by an older version: it lacks the change ${JSON.stringify(migration)}`,
  remedy: 'run a command that records something first; it brings the database up to date',
});

export const databaseUnfinished = defineError<AtPath>({
  code: 'database-unfinished',
  means: 'A writer left changes beside the database that are part of it, and they cannot be read where nothing may be written.',
  message: ({ path }) => `${path} has changes in ${path}-wal that cannot be read without writing beside it`,
  remedy: 'run the command once where the folder can be written, or copy the file together with its -wal file',
});

export const databaseClosed = defineError<AtPath>({
  code: 'database-closed',
  means: 'A part of the program used a database that it had closed; a fault of the program.',
  message: ({ path }) => `${path} was closed already`,
  remedy: 'run the command again',
});

export const databaseUnsynced = defineError<AtPath>({
  code: 'database-unsynced',
  means:
    'The system could not say that a change of the database is on the disk: it may be stored or not. After that nothing is read or written through the same opening, since a later success would not tell the truth about the earlier change.',
  message: ({ path }) => `${path} is not used any more: writing it to the disk failed`,
  remedy: 'check the disk, then run the command again',
});

export const databaseRemoved = defineError<AtPath>({
  code: 'database-removed',
  means:
    'The file of a database, or one beside it that belongs to it, was removed, renamed, emptied or replaced while it was open. What is written then nobody would find again, so that nothing is, and nothing is read or written through the same opening any more.',
  message: ({ path }) => `${path} was removed or replaced while it was in use, so nothing more was stored in it`,
  remedy: 'leave the files of a database alone while something uses it; put it back if you have it, then run the command again',
});

export const databaseFailed = defineError<Refused & { action: string }>({
  code: 'database-failed',
  means: 'The database refused something for a reason that drover has no advice for; the reason is in the message.',
  message: ({ path, action, reason }) => `cannot ${action} ${path}: ${reason}`,
  remedy: 'run the command again; when it stays, keep a copy of the file and report this message',
});

export const constraintFailed = defineError<Refused>({
  code: 'constraint-failed',
  means: 'A row does not fit to the others, such as one whose key exists already. The whole transaction was undone.',
  message: ({ path, reason }) => `${path} refused a row: ${reason}`,
  remedy: 'run the command again; when it stays, report this message',
});

export const transactionNested = defineError<AtPath>({
  code: 'transaction-nested',
  means: 'A transaction was begun while another one of the same connection was open; a fault of the program.',
  message: ({ path }) => `a transaction on ${path} was begun inside another one`,
  remedy: 'report this message',
});

export const transactionNotSynchronous = defineError<AtPath>({
  code: 'transaction-not-synchronous',
  means: 'A transaction waited for something else than its own statements; a fault of the program.',
  message: ({ path }) => `a transaction on ${path} waited for something else than its statements, so it was rolled back`,
  remedy: 'report this message',
});

export const statementRefused = defineError<{ readonly sql: string; readonly reason: string }>({
  code: 'statement-refused',
  means: 'A statement was not sent, because the two databases would not take it alike; a fault of the program.',
  message: ({ sql, reason }) => `the statement ${JSON.stringify(shortened(sql))} was not sent: ${reason}`,
  remedy: 'report this message',
});

export const statementTimeout = defineError<AtPath & { readonly limitMs: number }>({
  code: 'statement-timeout',
  means: 'A database took longer over one statement than is allowed; its transaction was undone.',
  message: ({ path, limitMs }) => `${path} took longer than ${limitMs} ms over one statement, which was undone`,
  remedy: 'look at what else the database is doing, then run the command again',
});

export const databaseUnreachable = defineError<Refused>({
  code: 'database-unreachable',
  means: 'The database server did not answer, refused the connection, or the connection broke before anything was stored.',
  message: ({ path, reason }) => `${path} cannot be reached: ${reason}`,
  remedy: 'check the address, the user and whether the server runs, then run the command again',
});

export const outcomeUnknown = defineError<Refused>({
  code: 'outcome-unknown',
  means: 'The connection broke while the database was storing a transaction, so it is stored whole or not at all.',
  message: ({ path, reason }) => `${path} did not say whether it stored the last change: ${reason}`,
  remedy: 'run the command again; it looks first at what was stored',
});

export const databaseAddressInvalid = defineError<{ readonly reason: string }>({
  code: 'database-address-invalid',
  means: 'The address of a database was expected in the form postgres://user@host:5432/name.',
  message: ({ reason }) => `the address of the database cannot be used: ${reason}`,
  remedy: 'write it as postgres://user@host:5432/name',
});

export const copyExists = defineError<AtPath>({
  code: 'copy-exists',
  means: 'The copy of a database was to be written where something already stands.',
  message: ({ path }) => `${path} exists already, so no copy of the database was written there`,
  remedy: 'name a file that does not exist',
});

const MAX_SHOWN = 120;

function shortened(sql: string): string {
  const line = sql.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`;
}
