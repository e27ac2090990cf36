import type { Schema } from '../kernel/sql/index.ts';

const PLACE = 'system TEXT NOT NULL, repository TEXT NOT NULL, run TEXT, unit TEXT';

const FIRST = `
CREATE TABLE holders (
  folder TEXT PRIMARY KEY, system TEXT NOT NULL, repository TEXT NOT NULL, lock_path TEXT NOT NULL,
  pid INTEGER NOT NULL, start_time TEXT NOT NULL, boot_id TEXT NOT NULL, command TEXT NOT NULL,
  since INTEGER NOT NULL, last_seen INTEGER NOT NULL
);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, ${PLACE}, attempt INTEGER NOT NULL, marker TEXT NOT NULL, log_path TEXT NOT NULL,
  state TEXT NOT NULL, pid INTEGER, start_time TEXT, boot_id TEXT, layer TEXT, containment TEXT,
  started_at INTEGER NOT NULL, ended_at INTEGER, ending TEXT
);
CREATE INDEX sessions_alive ON sessions (started_at) WHERE state <> 'ended';
CREATE TABLE spends (
  id TEXT PRIMARY KEY, ${PLACE}, session TEXT, provider TEXT NOT NULL, model TEXT NOT NULL,
  input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL, at INTEGER NOT NULL
);
CREATE INDEX spends_at ON spends (at);
CREATE INDEX spends_run ON spends (repository, run);
CREATE TABLE budgets (
  id TEXT PRIMARY KEY, repository TEXT, run TEXT, provider TEXT, since INTEGER NOT NULL,
  limit_micros INTEGER, limit_tokens INTEGER
);
CREATE TABLE cooldowns (provider TEXT PRIMARY KEY, until INTEGER NOT NULL, reason TEXT NOT NULL, since INTEGER NOT NULL);
CREATE TABLE asks (
  id TEXT PRIMARY KEY, ${PLACE}, kind TEXT NOT NULL, question TEXT NOT NULL, options TEXT NOT NULL,
  consequence TEXT NOT NULL, subject_hash TEXT NOT NULL, state TEXT NOT NULL,
  opened_at INTEGER NOT NULL, closed_at INTEGER, answer TEXT, answered_by TEXT
);
CREATE INDEX asks_open ON asks (opened_at) WHERE state = 'open';
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY, notice TEXT NOT NULL, channel TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL,
  attempts INTEGER NOT NULL, due INTEGER NOT NULL, reason TEXT, at INTEGER NOT NULL
);
CREATE INDEX deliveries_left ON deliveries (due) WHERE state IN ('waiting', 'held', 'failed', 'sending');
`;

export const LEDGER_SCHEMA: Schema = { table: 'ledger_migrations', migrations: [{ id: '001-ledger', sql: FIRST }] };
