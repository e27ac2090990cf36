import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Program } from '../../../src/cli/host.ts';
import { bach } from '../../../src/cli/bach-program.ts';
import { answersIn, evidenceRef, frame, initialize, request, runRecord, TIME, type Answer } from '../../support/backend-messages.ts';
import { bachProject, runIdIn } from '../../support/bach-project.ts';
import { runCli, type CliResult } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { rowsOf } from './support.ts';

/** The methods of the reference beside those that this part serves. */
const LATER = `
  quality.recordReport quality.recordReports findings.recordObservation findings.get findings.listCurrent findings.listEvents
  factory.enqueueWorkItem factory.getWorkItem factory.listWorkItems factory.cancelWorkItem factory.acquireDaemonLease
  factory.renewDaemonLease factory.releaseDaemonLease factory.claimWorkItem factory.updateWorkItemPhase
  factory.completeWorkItem factory.failWorkItem factory.getDaemonStatus plans.recordLedger plans.getLedger`;

async function served(...input: readonly Uint8Array[]): Promise<CliResult> {
  const program: Program = (argv, host) => bach(argv, { ...host, stdin: () => each(input) });
  return runCli(program, ['backend', 'sqlite']);
}

async function* each(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* chunks;
}

/** The answers to requests behind an initialize. */
async function asked(root: string, ...requests: readonly Uint8Array[]): Promise<readonly Answer[]> {
  const { exit, stdout, stderr } = await served(initialize(root), ...requests);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return answersIn(stdout).slice(1);
}

const error = (code: string, message: string) => ({ code: -32_000, message, data: expect.objectContaining({ code, message }) as unknown });
const create = (fields?: object) => request(1, 'runs.create', runRecord(fields));

describe('the stream', () => {
  test('[bach-backend-verb, bach-backend-shutdown] from its first message to its last', async () => {
    const stop = request(1, 'backend.shutdown');
    const [done, refused, , again] = await asked(temporaryFolder(), stop, request(2, 'runs.list'), initialize(temporaryFolder()), request(3, 'runs.list'));
    expect([done?.result, refused?.error?.data.code, again?.result]).toEqual([{ ok: true }, 'not_initialized', { runs: [] }]);
    expect(await served()).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  test.each(['Content-Length: 40\r\n\r\n', 'Content-Length: 40\n\n', 'Content-Type: x\r\nContent-Length: 40\r\nOther: y\r\n\r\n'])('[bach-backend-framing] %j', async (headers) => {
    const { stdout } = await served(frame('{"jsonrpc":"2.0","id":1,"method":"a.bc"}', headers));
    expect(stdout).toMatch(/^Content-Length: \d+\r\n\r\n\{"jsonrpc":"2.0","id":1,/);
    expect(answersIn(stdout)).toHaveLength(1);
  });

  test.each([
    ['\r\n', 'missing Content-Length header'],
    ['Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}', 'duplicate Content-Length header'],
    ['Content-Length: x\r\n\r\n', 'invalid Content-Length header "x"'],
    ['Content-Length: 8388609\r\n\r\n', 'Content-Length 8388609 exceeds max 8388608'],
    ['a'.repeat(16_385), 'message headers exceed 16384 bytes'],
  ])('[bach-backend-framing-faults] case %#', async (text, message) => {
    const { exit, stdout, stderr } = await served(Buffer.from(text));
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: `${message}\n` });
    expect(answersIn(stdout)).toEqual([{ jsonrpc: '2.0', id: null, error: error('invalid_request', message) }]);
  });

  test('[bach-backend-utf8, bach-backend-error] what is no payload is answered, and the next one too', async () => {
    const answers = await asked(temporaryFolder(), frame(Buffer.from([0x22, 0xff, 0x22])), frame('{'), request(7, 'runs.list'));
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: null, error: error('invalid_request', 'the payload is not valid UTF-8') },
      { jsonrpc: '2.0', id: null, error: error('invalid_request', 'the payload is not valid JSON') },
      { jsonrpc: '2.0', id: 7, result: { runs: [] } },
    ]);
  });
});

describe('its life', () => {
  test('[bach-backend-initialize, bach-backend-capabilities] what it says of itself', async () => {
    const [answer] = answersIn((await served(initialize(temporaryFolder()))).stdout);
    expect(answer?.result).toMatchObject({ protocol: 'bach.backend.v1', provider: 'bach-sqlite', version: 'v1', limits: expect.any(Object) as unknown });
    expect(answer?.result?.['capabilities']).toEqual(['runs', 'evidence_refs']);
  });

  test('[bach-backend-protocol] another protocol', async () => {
    const params = { protocol: 'bach.backend.v2', project_name: 'p', project_root: temporaryFolder(), config: {} };
    const [answer] = answersIn((await served(request(1, 'backend.initialize', params))).stdout);
    expect(answer?.error).toEqual(error('validation_failed', 'unsupported backend protocol'));
  });

  test.each(['/state.db', '../state.db', 'link/state.db'])('[bach-backend-place] %s', async (path) => {
    const root = temporaryFolder();
    symlinkSync(temporaryFolder(), `${root}/link`);
    const [answer] = answersIn((await served(initialize(root, { path }))).stdout);
    expect(answer?.error?.data.code).toBe('validation_failed');
  });

  test('[bach-backend-not-initialized] too early', async () => {
    const answers = answersIn((await served(request(1, 'runs.list'), request(2, 'backend.shutdown'), request(3, 'plans.getLedger'))).stdout);
    const message = 'backend provider is not initialized';
    expect(answers.map((answer) => answer.error)).toEqual([1, 2, 3].map(() => error('not_initialized', message)));
  });

  test('[bach-backend-unsupported, bach-backend-methods] too late', async () => {
    const methods = LATER.trim().split(/\s+/);
    const answers = await asked(temporaryFolder(), ...methods.map((method) => request(1, method, {})));
    const refusals = methods.map((method) => error('unsupported_capability', `method "${method}" is not implemented by the sqlite backend provider yet`));
    expect(answers.map((answer) => answer.error)).toEqual(refusals);
  });
});

describe('runs', () => {
  test('[bach-backend-runs-create, bach-backend-runs-get] a run goes in and comes out', async () => {
    const run = runRecord({ finished_at: TIME, log_dir: 'logs', status: 'failed', force: true, metadata: { a: 1 } });
    const [made, got, faulty, unknown, nameless] = await asked(temporaryFolder(), request(1, 'runs.create', run), request(2, 'runs.get', { id: 'run-1' }), create({ status: undefined }), request(4, 'runs.get', { id: 'x' }), request(5, 'runs.get', {}));
    expect([made?.result, got?.result]).toEqual([{ ok: true }, { run }]);
    expect(faulty?.error).toEqual(error('validation_failed', 'status is required'));
    expect(unknown?.error).toEqual(error('not_found', 'run not found'));
    expect(nameless?.error).toEqual(error('validation_failed', 'id is required'));
  });

  test.each(['runs.startTarget', 'runs.finishTarget'])('[bach-backend-runs-target] %s', async (method) => {
    const params = { run_id: 'run-1', target: 'shell/a', status: 'running', started_at: TIME, exit_code: null };
    const answers = await asked(temporaryFolder(), create(), request(2, method, params), request(3, method, { ...params, target: '' }), request(4, method, { ...params, run_id: 'x' }));
    expect(answers[1]?.result).toEqual({ ok: true });
    expect(answers.slice(2).map((answer) => answer.error)).toEqual([error('validation_failed', 'run_id and target are required'), error('not_found', 'run not found')]);
  });

  test('[bach-backend-runs-finish, bach-backend-artifacts] whole, alone, or not at all', async () => {
    const project = bachProject('');
    const run = runRecord({ status: 'success', finished_at: TIME });
    const targets = { 'shell/a': { fingerprint: 'f', completed_at: TIME } };
    const finish = { run, targets, target_runs: { 'shell/a': { status: 'success', started_at: TIME } }, evidence: [evidenceRef({ hash: 'h' })] };
    const faulty = { ...finish, run: { ...run, id: 'run-2' }, evidence: [evidenceRef()] };
    const answers = await asked(project.folder, create(), request(2, 'runs.finish', finish), request(3, 'runs.finish', faulty), request(4, 'runs.finish', { ...run, id: 'run-3' }));
    expect(answers.map((answer) => answer.error?.data.code ?? 'ok')).toEqual(['ok', 'ok', 'validation_failed', 'ok']);
    expect(rowsOf(project, 'SELECT id, status FROM runs').map((row) => ({ ...row }))).toEqual([{ id: 'run-1', status: 'success' }, { id: 'run-3', status: 'success' }]);
    expect(rowsOf(project, 'SELECT path, value FROM artifacts').map((row) => ({ ...row }))).toEqual([{ path: evidenceRef()['uri'], value: 'h' }]);
    expect(rowsOf(project, 'SELECT name FROM target_state')).toHaveLength(1);
  });

  test('[bach-backend-runs-list] filters, and the order', async () => {
    const creates = ['00', '01', '02'].map((second) => create({ id: second, started_at: `2026-06-08T12:00:${second}Z`, target: second === '00' ? 'a' : 'b', status: second === '02' ? 'failed' : 'success' }));
    const lists = [{}, { target: 'b' }, { status: 'success' }, { since: '2026-06-08T12:00:01Z' }, { limit: 1 }];
    const answers = await asked(temporaryFolder(), ...creates, ...lists.map((params) => request(1, 'runs.list', params)));
    const ids = answers.slice(3).map(({ result }) => ((result?.['runs'] ?? []) as readonly { id: string }[]).map(({ id }) => id));
    expect(ids).toEqual([['02', '01', '00'], ['02', '01'], ['01', '00'], ['02', '01'], ['02']]);
  });

  test('[bach-backend-same-state] what bach run recorded, and bach runs list what came from here', async () => {
    const project = bachProject('shell "a" { command = ["true"] }\n');
    const id = runIdIn((await project.bach(['run', 'shell/a'])).stdout);
    const [answer, made] = await asked(project.folder, request(1, 'runs.get', { id }), create({ id: '20300101T000000.000000000Z', status: 'failed', finished_at: TIME }));
    expect(answer?.result).toMatchObject({ run: { id, target: 'shell/a', status: 'success', log_dir: `.bach/runs/${id}`, dry_run: false, force: false } });
    expect(made?.result).toEqual({ ok: true });
    expect((await project.bach(['runs', 'list', '--status', 'failed'])).stdout).toMatch(/^20300101T000000\.000000000Z failed/);
  });
});

test('[bach-backend-evidence] recorded, stamped and listed', async () => {
  const record = (fields: object) => request(1, 'evidence.recordRef', evidenceRef(fields));
  const list = (params: object) => request(1, 'evidence.listRefs', params);
  const answers = await asked(temporaryFolder(), create(), record({ created_at: TIME }), record({ id: 'e-2', uri: 'b', target: 'shell/b' }), record({ uri: '' }), record({ run_id: '' }), list({ run_id: 'run-1' }), list({ target: 'shell/b' }), list({ limit: 1 }), list({ run_id: 'x' }));
  expect(answers.slice(3, 5).map((answer) => answer.error)).toEqual([1, 2].map(() => error('validation_failed', 'run_id and uri are required')));
  const lists = answers.slice(5).map(({ result }) => result?.['evidence'] as readonly Readonly<Record<string, unknown>>[]);
  expect(lists.map((evidence) => evidence.map(({ id }) => id))).toEqual([['e-2', 'e-1'], ['e-2'], ['e-2'], []]);
  expect(lists[0]?.[1]).toEqual(evidenceRef({ created_at: TIME }));
  expect(lists[0]?.[0]?.['created_at']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});
