import { formatRfc3339Nano } from '../../../kernel/time/index.ts';
import {
  EVIDENCE_SCHEMA,
  invalidField,
  RUN_SCHEMA,
  RUN_STATUSES,
  type Evidence,
  type Metadata,
  type RunStatus,
  type ServedRun,
  type ServedTargetRun,
  type ServedTargetState,
  type TargetStatus,
} from '../../model/index.ts';
import { Fields } from './fields.ts';

/** What is stored; `interrupted` is only ever found out. */
const STORED: readonly RunStatus[] = RUN_STATUSES.filter((status) => status !== 'interrupted');
const STORED_OF_TARGETS: readonly TargetStatus[] = [...STORED, 'cached', 'dry-run'];

const RUN_FIELDS = ['schema_version', 'id', 'target', 'status', 'started_at', 'finished_at', 'log_dir', 'dry_run', 'force', 'metadata'];
export const TARGET_RUN_FIELDS = ['run_id', 'target', 'status', 'started_at', 'finished_at', 'log_path', 'operation', 'exit_code', 'metadata'];
const STATE_FIELDS = ['fingerprint', 'fingerprint_parts', 'completed_at'];
const EVIDENCE_FIELDS = ['schema_version', 'id', 'kind', 'uri', 'hash', 'run_id', 'target', 'created_at', 'metadata'];

export function readRun(where: string, value: unknown): ServedRun {
  const fields = new Fields(where, value, RUN_FIELDS);
  fields.constant('schema_version', RUN_SCHEMA);
  return {
    id: fields.identity('id'),
    target: fields.requiredText('target'),
    status: fields.oneOf('status', STORED),
    startedAt: fields.requiredTime('started_at'),
    finishedAt: fields.time('finished_at'),
    logFolder: fields.text('log_dir'),
    dryRun: fields.flag('dry_run'),
    force: fields.flag('force'),
    ...withoutMessage(fields.metadata()),
  };
}

/** `target` is its name where the record itself does not say it. */
export function readTargetRun(fields: Fields, target: string): ServedTargetRun {
  return {
    target,
    status: fields.oneOf('status', STORED_OF_TARGETS),
    startedAt: fields.requiredTime('started_at'),
    finishedAt: fields.time('finished_at'),
    logPath: fields.text('log_path'),
    operation: fields.text('operation'),
    exitCode: fields.integer('exit_code'),
    ...withoutMessage(fields.metadata()),
  };
}

export function readTargetState(where: string, target: string, value: unknown): ServedTargetState {
  const fields = new Fields(where, value, STATE_FIELDS);
  const parts = fields.entries('fingerprint_parts').map(([name, hash]) => {
    if (typeof hash === 'string') return [name, hash] as const;
    throw invalidField(fields.at('fingerprint_parts'), `${fields.at('fingerprint_parts')} must be an object of strings`);
  });
  const fingerprint = fields.requiredText('fingerprint');
  return { target, fingerprint, parts: Object.fromEntries(parts), completedAt: fields.requiredTime('completed_at') };
}

/** `runId` is the run that it is of where it does not say so itself. */
export function readEvidence(where: string, value: unknown, runId = ''): Evidence {
  const fields = new Fields(where, value, EVIDENCE_FIELDS);
  const run = fields.text('run_id') || runId;
  const uri = fields.text('uri');
  if (run === '' || uri === '') throw invalidField(fields.at(run === '' ? 'run_id' : 'uri'), 'run_id and uri are required');
  fields.constant('schema_version', EVIDENCE_SCHEMA);
  return {
    id: fields.identity('id'),
    kind: fields.requiredText('kind'),
    uri,
    hash: fields.text('hash'),
    runId: run,
    target: fields.text('target'),
    createdAt: fields.time('created_at'),
    metadata: fields.metadata(),
  };
}

export function runDocument(run: ServedRun): object {
  return {
    schema_version: RUN_SCHEMA,
    id: run.id,
    target: run.target,
    status: run.status,
    started_at: formatRfc3339Nano(run.startedAt),
    ...givenTime('finished_at', run.finishedAt),
    ...given('log_dir', run.logFolder),
    dry_run: run.dryRun,
    force: run.force,
    ...metadataOf(withMessage(run)),
  };
}

export function targetRunDocument(run: ServedTargetRun): object {
  return {
    target: run.target,
    status: run.status,
    started_at: formatRfc3339Nano(run.startedAt),
    ...givenTime('finished_at', run.finishedAt),
    ...given('log_path', run.logPath),
    ...given('operation', run.operation),
    ...(run.exitCode === undefined ? {} : { exit_code: run.exitCode }),
    ...metadataOf(withMessage(run)),
  };
}

export function targetStateDocument({ fingerprint, parts, completedAt }: ServedTargetState): object {
  return { fingerprint, fingerprint_parts: parts, completed_at: formatRfc3339Nano(completedAt) };
}

export function evidenceDocument(evidence: Evidence): object {
  return {
    schema_version: EVIDENCE_SCHEMA,
    id: evidence.id,
    kind: evidence.kind,
    uri: evidence.uri,
    ...given('hash', evidence.hash),
    ...given('run_id', evidence.runId),
    ...given('target', evidence.target),
    ...givenTime('created_at', evidence.createdAt),
    ...metadataOf(evidence.metadata),
  };
}

interface Explained {
  readonly message: string;
  readonly metadata: Metadata;
}

/** Why a run ended is a field of our records and none of the protocol. */
function withoutMessage(metadata: Metadata): Explained {
  const { message, ...rest } = metadata;
  return typeof message === 'string' ? { message, metadata: rest } : { message: '', metadata };
}

function withMessage({ message, metadata }: Explained): Metadata {
  return message === '' ? metadata : { ...metadata, message };
}

function metadataOf(metadata: Metadata): object {
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

function given(name: string, text: string): object {
  return text === '' ? {} : { [name]: text };
}

function givenTime(name: string, time: bigint | undefined): object {
  return time === undefined ? {} : { [name]: formatRfc3339Nano(time) };
}
