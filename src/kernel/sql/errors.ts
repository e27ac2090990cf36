import { defineError } from '../errors/index.ts';

interface AtPath {
  readonly path: string;
}

type Refused = AtPath & { readonly reason: string };

export const databaseBusy = defineError<AtPath>({
  code: 'database-busy',
  message: ({ path }) => `${path} is being written by another process`,
  remedy: 'run the command again when the other one has ended',
});

export const databaseMissing = defineError<AtPath>({
  code: 'database-missing',
  message: ({ path }) => `${path}: there is no database yet`,
  remedy: 'run a command that records something first, or check the path',
});

export const databaseDamaged = defineError<Refused>({
  code: 'database-damaged',
  message: ({ path, reason }) => `${path} cannot be read as a database: ${reason}`,
  remedy: 'move the file aside and keep it; a new one is made by the next command that records something',
});

export const databaseForeign = defineError<AtPath & { table: string }>({
  code: 'database-foreign',
  message: ({ path, table }) => `${path} is a database of something else: it has no table ${table} of ours`,
  remedy: 'name another file; this one was not changed',
});

export const databaseNewer = defineError<AtPath & { migration: string }>({
  code: 'database-newer',
  message: ({ path, migration }) => `${path} was written by a newer version: it has the unknown change ${JSON.stringify(migration)}`,
  remedy: 'update this program, or name another file; this one was not changed',
});

export const databaseOutdated = defineError<AtPath & { migration: string }>({
  code: 'database-outdated',
  message: ({ path, migration }) => `${path} was written by an older version: it lacks the change ${JSON.stringify(migration)}`,
  remedy: 'run a command that records something first; it brings the database up to date',
});

export const databaseUnfinished = defineError<AtPath>({
  code: 'database-unfinished',
  message: ({ path }) => `${path} has changes in ${path}-wal that cannot be read without writing beside it`,
  remedy: 'run the command once where the folder can be written, or copy the file together with its -wal file',
});

export const databaseClosed = defineError<AtPath>({
  code: 'database-closed',
  message: ({ path }) => `${path} was closed already`,
  remedy: 'run the command again',
});

export const databaseFailed = defineError<Refused & { action: string }>({
  code: 'database-failed',
  message: ({ path, action, reason }) => `cannot ${action} ${path}: ${reason}`,
  remedy: 'run the command again; when it stays, keep a copy of the file and report this message',
});

export const constraintFailed = defineError<Refused>({
  code: 'constraint-failed',
  message: ({ path, reason }) => `${path} refused a row: ${reason}`,
  remedy: 'run the command again; when it stays, report this message',
});

export const transactionNested = defineError<AtPath>({
  code: 'transaction-nested',
  message: ({ path }) => `a transaction on ${path} was begun inside another one`,
  remedy: 'report this message',
});

export const transactionNotSynchronous = defineError<AtPath>({
  code: 'transaction-not-synchronous',
  message: ({ path }) => `a transaction on ${path} returned a promise, so it was rolled back`,
  remedy: 'report this message',
});
