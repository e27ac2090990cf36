/** Applied in order, each once; what stands here is never edited, later releases append. */
export const MIGRATIONS = [
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
] as const;

export const MIGRATIONS_TABLE = 'bach_schema_migrations';
