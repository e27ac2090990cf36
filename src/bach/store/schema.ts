import type { Migration } from '../../kernel/sql/index.ts';

function stampTriggers(table: string): readonly string[] {
  const renew = 'UPDATE cache_stamp SET stamp = lower(hex(randomblob(16)))';
  return ['INSERT', 'UPDATE', 'DELETE'].map((change) => `CREATE TRIGGER stamp_${table}_${change} AFTER ${change} ON ${table} BEGIN ${renew}; END;`);
}

/** Applied in order, each once; what stands here is never edited, later releases append. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: '001-runs',
    sql: `
      CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        target TEXT NOT NULL,
        dry_run INTEGER NOT NULL DEFAULT 0,
        force INTEGER NOT NULL DEFAULT 0,
        status TEXT NOT NULL,
        started_at TEXT NOT NULL,
        finished_at TEXT NOT NULL DEFAULT '',
        log_dir TEXT NOT NULL DEFAULT '',
        message TEXT NOT NULL DEFAULT ''
      );
      CREATE INDEX runs_started_at ON runs (started_at DESC);
      CREATE TABLE target_runs (
        run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        target TEXT NOT NULL,
        status TEXT NOT NULL,
        started_at TEXT NOT NULL,
        finished_at TEXT NOT NULL DEFAULT '',
        log_path TEXT NOT NULL DEFAULT '',
        operation TEXT NOT NULL DEFAULT '',
        exit_code INTEGER,
        message TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (run_id, target)
      );
      CREATE TABLE artifacts (
        id INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        target TEXT NOT NULL,
        kind TEXT NOT NULL,
        path TEXT NOT NULL DEFAULT '',
        value TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL,
        UNIQUE (run_id, target, kind, path, value)
      );
    `,
  },
  {
    id: '002-cache',
    sql: `
      CREATE TABLE target_state (
        name TEXT PRIMARY KEY,
        fingerprint TEXT NOT NULL,
        fingerprint_parts TEXT NOT NULL DEFAULT '{}',
        completed_at TEXT NOT NULL,
        run_id TEXT NOT NULL
      );
      CREATE INDEX target_state_run_id ON target_state (run_id);
      CREATE TABLE file_hash (
        path TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        mtime INTEGER NOT NULL,
        ctime INTEGER NOT NULL,
        ino INTEGER NOT NULL,
        dev INTEGER NOT NULL,
        hash TEXT NOT NULL,
        hashed_at INTEGER NOT NULL
      );
      CREATE TABLE output_record (
        target TEXT NOT NULL,
        path TEXT NOT NULL,
        kind TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime INTEGER NOT NULL,
        ctime INTEGER NOT NULL,
        ino INTEGER NOT NULL,
        dev INTEGER NOT NULL,
        hash TEXT NOT NULL,
        entries_hash TEXT NOT NULL DEFAULT '',
        hashed_at INTEGER NOT NULL,
        PRIMARY KEY (target, path)
      );
    `,
  },
  {
    // What others store through the protocol of backends and ask back.
    id: '003-backend',
    sql: `
      ALTER TABLE runs ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
      ALTER TABLE target_runs ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
      ALTER TABLE artifacts ADD COLUMN evidence_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE artifacts ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
    `,
  },
  {
    // Another one with each change of what the cache knows, by whatever program.
    id: '004-cache-stamp',
    sql: `
      CREATE TABLE cache_stamp (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        stamp TEXT NOT NULL
      );
      INSERT INTO cache_stamp (id, stamp) VALUES (1, lower(hex(randomblob(16))));
      ${['target_state', 'file_hash', 'output_record'].flatMap(stampTriggers).join('\n')}
    `,
  },
];

export const MIGRATIONS_TABLE = 'bach_schema_migrations';
