import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evidenceRef, initialize, request, runRecord, TIME, type Answer } from '../../../support/backend-messages.ts';
import { temporaryFolder } from '../../../support/temp.ts';
import { tryLock } from '../../../../src/kernel/lock/index.ts';
import { execute, NOW, placeAt, query } from '../../store/recorded-runs.ts';
import { asked, talk } from './conversation.ts';

const OK = { result: { ok: true } };
const create = (fields?: object) => request('create', 'runs.create', runRecord(fields));
const idsOf = (answer: Answer | undefined) => ((answer?.result?.['runs'] ?? []) as readonly { id: string }[]).map(({ id }) => id);
const codes = (answers: readonly Answer[]) => answers.map(({ error }) => error?.data.code ?? 'ok');

describe('runs', () => {
  test('what was stored comes back, all of it', async () => {
    const whole = runRecord({ id: 'whole', target: 'shell/a shell/b', status: 'failed', finished_at: '2026-06-08T12:00:01Z', log_dir: '.bach/runs/whole', dry_run: true, force: true, metadata: { message: 'why', deep: [{ half: '\ud800', nul: '\0', __proto__: 1 }] } });
    const answers = await asked(temporaryFolder(), create(), request(1, 'runs.create', whole), request(2, 'runs.get', { id: 'whole' }), request(3, 'runs.get', { id: 'run-1' }));
    expect(answers).toMatchObject([OK, OK, { id: 2 }, { id: 3 }]);
    expect(answers[2]?.result).toEqual({ run: whole });
    expect(answers[3]?.result).toEqual({ run: runRecord() });
  });

  test('a time is kept to the nanosecond, in UTC', async () => {
    const [, got] = await asked(temporaryFolder(), create({ started_at: '2026-06-08T14:00:00.120+02:00' }), request(1, 'runs.get', { id: 'run-1' }));
    expect(got?.result).toMatchObject({ run: { started_at: '2026-06-08T12:00:00.12Z' } });
  });

  test('the same run again is as if it had not been sent; another one with its id is a conflict', async () => {
    const root = temporaryFolder();
    const answers = await asked(root, create({ metadata: { a: 1, b: 2 } }), create({ metadata: { b: 2, a: 1 } }), create({ target: 'other' }));
    expect(codes(answers)).toEqual(['ok', 'ok', 'conflict']);
    expect(answers[2]?.error?.message).toBe('run already exists with different payload');
    expect(query(root, 'SELECT target FROM runs')).toEqual([{ target: 'shell/test' }]);
  });

  test('a run that is not there', async () => {
    const target = { run_id: 'none', target: 'x', status: 'running', started_at: TIME };
    const answers = await asked(temporaryFolder(), request(1, 'runs.get', { id: 'none' }), request(2, 'runs.startTarget', target), request(3, 'runs.finishTarget', target), request(4, 'evidence.recordRef', evidenceRef()));
    expect(answers.map(({ error }) => [error?.data.code, error?.message])).toEqual(Array.from({ length: 4 }, () => ['not_found', 'run not found']));
  });

  test.each(['schema_version', 'id', 'target', 'status', 'started_at', 'dry_run', 'force'])('%s is required', async (name) => {
    const [missing, empty] = await asked(temporaryFolder(), create({ [name]: undefined }), create({ [name]: null }));
    expect([missing?.error?.message, empty?.error?.message]).toEqual([`${name} is required`, `${name} is required`]);
  });

  test.each([
    ['interrupted is found out, never stored', { status: 'interrupted' }],
    ['a status of targets alone', { status: 'cached' }],
    ['another schema', { schema_version: 'bach.backend.run.v2' }],
    ['no time', { started_at: 'yesterday' }],
    ['no such day', { started_at: '2026-02-30T00:00:00Z' }],
    ['a field that is not known', { surprise: 1 }],
    ['an id without end', { id: 'x'.repeat(1001) }],
  ])('%s', async (_name, fields) => {
    expect(codes(await asked(temporaryFolder(), create(fields)))).toEqual(['validation_failed']);
  });
});

describe('targets of a run', () => {
  const target = { run_id: 'run-1', target: 'shell/a', started_at: TIME };

  test('a start, then its end, which may leave out what the start told', async () => {
    const root = temporaryFolder();
    const start = request(1, 'runs.startTarget', { ...target, status: 'running', log_path: 'a.log', operation: 'make' });
    await asked(root, create(), start);
    expect(query(root, 'SELECT status, log_path, operation, exit_code FROM target_runs')).toEqual([{ status: 'running', log_path: 'a.log', operation: 'make', exit_code: null }]);
    expect(await asked(root, request(2, 'runs.finishTarget', { ...target, status: 'failed', finished_at: TIME, exit_code: 3, metadata: { message: 'no', n: 1 } }))).toMatchObject([OK]);
    expect(query(root, 'SELECT status, log_path, operation, exit_code, message, metadata FROM target_runs')).toEqual([
      { status: 'failed', log_path: 'a.log', operation: 'make', exit_code: 3, message: 'no', metadata: '{"n":1}' },
    ]);
  });

  test.each([{ run_id: '' }, { target: undefined }])('%j is missing', async (fields) => {
    const [answer] = await asked(temporaryFolder(), request(1, 'runs.startTarget', { ...target, status: 'running', ...fields }));
    expect(answer?.error?.message).toBe('run_id and target are required');
  });
});

describe('the end of a run', () => {
  const run = runRecord({ status: 'success', finished_at: TIME });
  const finish = {
    run,
    targets: { 'shell/a': { fingerprint: 'f', fingerprint_parts: { command: 'c' }, completed_at: TIME } },
    target_runs: { 'shell/a': { target: 'shell/a', status: 'success', started_at: TIME, exit_code: 0 }, 'shell/b': { status: 'cached', started_at: TIME } },
    evidence: [evidenceRef({ run_id: undefined }), evidenceRef({ id: 'tag', kind: 'image-tag', uri: 'app:1' })],
  };

  test('all of it is stored, with the moment where none is told', async () => {
    const root = temporaryFolder();
    const { answers } = await talk([initialize(root), create(), request(1, 'runs.finish', finish), request(2, 'runs.get', { id: 'run-1' }), request(3, 'evidence.listRefs', {})], { clock: placeAt(root).clock });
    expect(answers.slice(1)).toMatchObject([OK, OK, { result: { run } }, {}]);
    const stamped = { created_at: '2026-06-08T12:00:00Z' };
    expect(answers[4]?.result).toEqual({ evidence: [evidenceRef({ id: 'tag', kind: 'image-tag', uri: 'app:1', ...stamped }), evidenceRef(stamped)] });
    expect(query(root, 'SELECT target, status, exit_code FROM target_runs ORDER BY target')).toEqual([{ target: 'shell/a', status: 'success', exit_code: 0 }, { target: 'shell/b', status: 'cached', exit_code: null }]);
    expect(query(root, 'SELECT name, fingerprint, fingerprint_parts, run_id FROM target_state')).toEqual([{ name: 'shell/a', fingerprint: 'f', fingerprint_parts: '{"command":"c"}', run_id: 'run-1' }]);
    expect(query(root, "SELECT path, value FROM artifacts WHERE kind = 'image-tag'")).toEqual([{ path: '', value: 'app:1' }]);
  });

  test('a run alone, also one that was never created; what its start told of its logs stays', async () => {
    const root = temporaryFolder();
    const answers = await asked(root, create({ log_dir: 'logs' }), request(1, 'runs.finish', run), request(2, 'runs.finish', { ...run, id: 'run-2' }), request(3, 'runs.list'));
    expect(answers.slice(0, 3)).toMatchObject([OK, OK, OK]);
    expect(answers[3]?.result).toEqual({ runs: [{ ...run, id: 'run-2' }, { ...run, log_dir: 'logs' }] });
  });

  test.each([
    ['a target without a time', { target_runs: { ok: { status: 'success', started_at: TIME }, bad: { status: 'success' } } }, 'target_runs.bad.started_at is required'],
    ['a target under another name', { target_runs: { a: { target: 'b', status: 'success', started_at: TIME } } }, 'target_runs.a.target must be the name that it stands under'],
    ['a target of another run', { target_runs: { a: { run_id: 'b', status: 'success', started_at: TIME } } }, 'target_runs.a.run_id must be the id of the run'],
    ['evidence of another run', { evidence: [evidenceRef({ run_id: 'other' })] }, 'evidence.0.run_id must be the id of the run'],
    ['evidence without uri', { evidence: [evidenceRef(), evidenceRef({ uri: '' })] }, 'run_id and uri are required'],
    ['a part of a fingerprint', { targets: { a: { fingerprint: 'f', fingerprint_parts: { a: 1 }, completed_at: TIME } } }, 'targets.a.fingerprint_parts must be an object of strings'],
    ['no fingerprint', { targets: { a: { completed_at: TIME } } }, 'targets.a.fingerprint is required'],
    ['no run', { run: null }, 'run must be an object'],
  ])('%s: nothing is stored', async (_name, fields, message) => {
    const root = temporaryFolder();
    const [, answer] = await asked(root, create(), request(1, 'runs.finish', { ...finish, ...fields }));
    expect(answer?.error).toMatchObject({ message, data: { code: 'validation_failed' } });
    expect(query(root, "SELECT status FROM runs UNION ALL SELECT 'target' FROM target_runs UNION ALL SELECT 'state' FROM target_state UNION ALL SELECT 'artifact' FROM artifacts")).toEqual([{ status: 'running' }]);
  });

  test('what others say of a target takes our own records of its outputs away', async () => {
    const root = temporaryFolder();
    await asked(root, create());
    execute(root, "INSERT INTO output_record VALUES ('shell/a', 'out', 'file', 1, 1, 1, 1, 1, 'h', '', 1), ('shell/z', 'out', 'file', 1, 1, 1, 1, 1, 'h', '', 1)");
    await asked(root, request(1, 'runs.finish', finish));
    expect(query(root, 'SELECT target FROM output_record')).toEqual([{ target: 'shell/z' }]);
  });
});

describe('lists of runs', () => {
  const at = (seconds: string) => `2026-06-08T12:00:${seconds}Z`;
  const runs = [['c', '00'], ['a', '00.5'], ['z', '00.25'], ['b', '01']] as const;
  const creates = runs.map(([id, seconds]) => create({ id, started_at: at(seconds), target: id < 'c' ? 'shell/x' : 'shell/y', status: id === 'b' ? 'failed' : 'success' }));

  test.each([
    [{}, ['b', 'a', 'z', 'c']],
    [{ limit: 2 }, ['b', 'a']],
    [{ limit: 0 }, ['b', 'a', 'z', 'c']],
    [{ since: at('00.25') }, ['b', 'a', 'z']],
    [{ since: '2026-06-08T14:00:00.5+02:00' }, ['b', 'a']],
    [{ target: 'shell/y' }, ['z', 'c']],
    [{ status: 'failed' }, ['b']],
    [{ status: 'success', target: 'shell/x' }, ['a']],
    [{ id: 'z' }, ['z']],
    [{ status: 'none' }, []],
  ])('%j', async (params, ids) => {
    const answers = await asked(temporaryFolder(), ...creates, request(1, 'runs.list', params));
    expect(idsOf(answers.at(-1))).toEqual(ids);
  });

  test('more than are read at once, some at the same moment', async () => {
    const root = temporaryFolder();
    await asked(root, create());
    execute(root, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450) INSERT INTO runs (id, target, status, started_at) SELECT 'n' || printf('%03d', i), 't', 'success', '2026-06-08T11:00:0' || (i / 50) || 'Z' FROM n");
    const [all, some] = await asked(root, request(1, 'runs.list'), request(2, 'runs.list', { limit: 201 }));
    const wanted = Array.from({ length: 450 }, (_, index) => `n${String(450 - index).padStart(3, '0')}`);
    expect(idsOf(all)).toEqual(['run-1', ...wanted]);
    expect(idsOf(some)).toEqual(['run-1', ...wanted.slice(0, 200)]);
  });

  test.each([[-1], ['1'], [1.5]])('limit %j', async (limit) => {
    expect(codes(await asked(temporaryFolder(), request(1, 'runs.list', { limit }), request(2, 'evidence.listRefs', { limit })))).toEqual(['validation_failed', 'validation_failed']);
  });
});

describe('a run that somebody was killed in', () => {
  test('its lock without a holder tells; one without a lock is what was said of it', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.bach/runs/killed'), { recursive: true });
    mkdirSync(join(root, '.bach/runs/alive'), { recursive: true });
    tryLockAt(root, 'killed').release();
    const lock = tryLockAt(root, 'alive');
    const ids = ['killed', 'alive', 'foreign', '../out', ''];
    const answers = await asked(root, ...ids.map((id) => create({ id: id || 'none', log_dir: id && `.bach/runs/${id}` })), request(1, 'runs.list', { status: 'interrupted' }), request(2, 'runs.list', { status: 'running' }));
    lock.release();
    expect(idsOf(answers.at(-2))).toEqual(['killed']);
    expect(idsOf(answers.at(-1))).toEqual(['none', 'foreign', 'alive', '../out']);
    expect(query(root, "SELECT status FROM runs WHERE id = 'killed'")).toEqual([{ status: 'running' }]);
  });
});

function tryLockAt(root: string, id: string): { release(): void } {
  const lock = tryLock(join(root, '.bach/runs', id, 'run.lock'));
  if (lock === 'held') throw new TypeError('held');
  return lock;
}

describe('evidence', () => {
  const record = (id: number, fields?: object) => request(id, 'evidence.recordRef', evidenceRef(fields));

  test('what was stored comes back, the newest first, with its hash, moment and metadata', async () => {
    const whole = { id: 'whole', kind: 'report', uri: 'a.json', hash: 'sha256:0', created_at: TIME, metadata: { a: [1] } };
    const answers = await asked(temporaryFolder(), create(), record(1, { created_at: TIME, target: undefined }), record(2, whole), request(3, 'evidence.listRefs', { run_id: 'run-1' }));
    expect(answers.slice(0, 3)).toMatchObject([OK, OK, OK]);
    expect(answers[3]?.result).toEqual({ evidence: [evidenceRef(whole), JSON.parse(JSON.stringify(evidenceRef({ created_at: TIME, target: undefined })))] });
  });

  test('the same reference again is the same one', async () => {
    const root = temporaryFolder();
    await asked(root, create(), record(1), record(2), record(3, { id: 'e-2' }));
    expect(query(root, 'SELECT evidence_id FROM artifacts')).toEqual([{ evidence_id: 'e-2' }]);
  });

  test.each([
    [{ run_id: 'run-2' }, ['d']],
    [{ target: 'shell/b' }, ['d', 'c']],
    [{ run_id: 'run-1', target: 'shell/test' }, ['b', 'a']],
    [{ limit: 1 }, ['d']],
    [{ run_id: 'none' }, []],
  ])('%j', async (params, ids) => {
    const refs = [['a', 'run-1', 'shell/test'], ['b', 'run-1', 'shell/test'], ['c', 'run-1', 'shell/b'], ['d', 'run-2', 'shell/b']] as const;
    const records = refs.map(([id, run, target], index) => record(index, { id, uri: id, run_id: run, target }));
    const answers = await asked(temporaryFolder(), create(), create({ id: 'run-2' }), ...records, request(9, 'evidence.listRefs', params));
    expect(((answers.at(-1)?.result?.['evidence'] ?? []) as readonly { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });

  test.each([{ run_id: undefined }, { uri: '' }, { run_id: null }])('%j is missing', async (fields) => {
    const [, answer] = await asked(temporaryFolder(), create(), record(1, fields));
    expect(answer?.error?.message).toBe('run_id and uri are required');
  });

  test('what a run of ours made has an id too', async () => {
    const root = temporaryFolder();
    await asked(root, create());
    execute(root, `INSERT INTO artifacts (id, run_id, target, kind, path, created_at) VALUES (7, 'run-1', 't', 'log', 'a.log', '${new Date(Number(NOW / 1_000_000n)).toISOString()}')`);
    const [answer] = await asked(root, request(1, 'evidence.listRefs'));
    expect(answer?.result).toEqual({ evidence: [{ schema_version: 'bach.backend.evidence_ref.v1', id: 'artifact-7', kind: 'log', uri: 'a.log', run_id: 'run-1', target: 't', created_at: '2026-06-08T12:00:00Z' }] });
  });
});
