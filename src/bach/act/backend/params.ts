import {
  invalidField,
  PROTOCOL,
  ProtocolFault,
  type Evidence,
  type EvidenceQuery,
  type Initialization,
  type RunFinish,
  type RunQuery,
  type ServedRun,
  type ServedTargetRun,
  type TargetChange,
} from '../../model/index.ts';
import { Fields } from './fields.ts';
import { readEvidence, readRun, readTargetRun, readTargetState, TARGET_RUN_FIELDS } from './records.ts';

type Params = Readonly<Record<string, unknown>>;

export function initialization(params: Params): Initialization {
  if (params['protocol'] !== PROTOCOL) throw new ProtocolFault('validation_failed', 'unsupported backend protocol', { supported: [PROTOCOL] });
  const fields = new Fields('', params, ['protocol', 'project_name', 'project_root', 'config']);
  const config = new Fields('config', fields.raw('config') ?? {}, ['path']);
  return {
    projectName: fields.text('project_name'),
    root: fields.requiredText('project_root'),
    path: config.has('path') ? config.text('path') : undefined,
  };
}

export function targetChange(params: Params): TargetChange {
  const fields = new Fields('', params, TARGET_RUN_FIELDS);
  const [runId, target] = [fields.text('run_id'), fields.text('target')];
  if (runId === '' || target === '') throw invalidField(runId === '' ? 'run_id' : 'target', 'run_id and target are required');
  return { runId, target: readTargetRun(fields, target) };
}

/** The run with what belongs to it, or a run alone. */
export function runFinish(params: Params): RunFinish {
  if (!Object.hasOwn(params, 'run')) return { run: readRun('', params), states: [], targets: [], evidence: [] };
  const fields = new Fields('', params, ['run', 'targets', 'target_runs', 'evidence']);
  const run = readRun('run', fields.raw('run'));
  return {
    run,
    states: fields.entries('targets').map(([name, value]) => readTargetState(`targets.${name}`, name, value)),
    targets: fields.entries('target_runs').map(([name, value]) => targetOf(run, name, value)),
    evidence: fields.list('evidence').map((value, index) => evidenceOf(run, `evidence.${index}`, value)),
  };
}

function targetOf(run: ServedRun, name: string, value: unknown): ServedTargetRun {
  const fields = new Fields(`target_runs.${name}`, value, TARGET_RUN_FIELDS);
  const [target, runId] = [fields.text('target') || name, fields.text('run_id') || run.id];
  if (target !== name) throw invalidField(fields.at('target'), `${fields.at('target')} must be the name that it stands under`);
  if (runId !== run.id) throw invalidField(fields.at('run_id'), `${fields.at('run_id')} must be the id of the run`);
  return readTargetRun(fields, name);
}

function evidenceOf(run: ServedRun, where: string, value: unknown): Evidence {
  const evidence = readEvidence(where, value, run.id);
  if (evidence.runId !== run.id) throw invalidField(`${where}.run_id`, `${where}.run_id must be the id of the run`);
  return evidence;
}

export function soughtRun(params: Params): string {
  return new Fields('', params, ['id', 'target', 'status', 'since', 'limit']).requiredText('id');
}

export function runQuery(params: Params): RunQuery {
  const fields = new Fields('', params, ['id', 'target', 'status', 'since', 'limit']);
  const texts = { id: fields.text('id'), target: fields.text('target'), status: fields.text('status') };
  return { ...texts, since: fields.time('since'), limit: fields.limit() };
}

export function evidenceQuery(params: Params): EvidenceQuery {
  const fields = new Fields('', params, ['run_id', 'target', 'limit']);
  return { runId: fields.text('run_id'), target: fields.text('target'), limit: fields.limit() };
}
