import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evidenceRef, frame, initialize, request, runRecord, TIME } from '../../../support/backend-messages.ts';
import { MemorySink } from '../../../support/memory-sink.ts';
import { temporaryFolder } from '../../../support/temp.ts';
import { execute, query } from '../../store/recorded-runs.ts';
import { asked, talk } from './conversation.ts';

const refused = (code: string, message: unknown) => ({ error: { code: -32_000, message, data: { code, message } } });
const OK = { result: { ok: true } };

describe('the life of a conversation', () => {
  test('it begins, and ends, and begins anew', async () => {
    const root = temporaryFolder();
    const shutDown = request(1, 'backend.shutdown');
    const { answers, fault } = await talk([shutDown, initialize(root), request(2, 'runs.list'), shutDown, request(3, 'runs.list'), shutDown, initialize(root), request(4, 'runs.list')]);
    const not = refused('not_initialized', 'backend provider is not initialized');
    expect(answers).toMatchObject([not, { id: 'init' }, { id: 2, result: { runs: [] } }, OK, not, not, { id: 'init' }, { id: 4, result: { runs: [] } }]);
    expect(fault).toBeUndefined();
  });

  test('what it can do is what it tells', async () => {
    const [answer] = (await talk([initialize(temporaryFolder())])).answers;
    expect(answer?.result).toEqual({
      protocol: 'bach.backend.v1',
      provider: 'bach-sqlite',
      version: 'v1',
      capabilities: ['runs', 'evidence_refs'],
      limits: { max_header_bytes: 16_384, max_payload_bytes: 8_388_608 },
    });
  });

  test.each(['quality.recordReport', 'findings.get', 'factory.enqueueWorkItem', 'plans.getLedger', 'runs.delete', '__proto__', 'toString'])('%s is for later', async (method) => {
    const message = `method "${method}" is not implemented by the sqlite backend provider yet`;
    expect(await asked(temporaryFolder(), request(1, method, {}))).toMatchObject([refused('unsupported_capability', message)]);
    expect((await talk([request(1, method)])).answers).toMatchObject([refused('not_initialized', expect.anything())]);
  });

  test('each answer has the id of its request, in their order; a notification has none and is done', async () => {
    const root = temporaryFolder();
    const { answers, diagnostics } = await talk([
      initialize(root),
      request(undefined, 'runs.create', runRecord()),
      request(undefined, 'runs.get', { id: 'none' }),
      frame('{"jsonrpc":"2.0","id":null,"method":"runs.list"}'),
      request('x', 'runs.get', { id: 'run-1' }),
      request(0, 'runs.get', { id: 'run-1' }),
    ]);
    expect(answers.map(({ id }) => id)).toEqual(['init', null, 'x', 0]);
    expect(answers.slice(1).every(({ error }) => error === undefined)).toBe(true);
    expect(diagnostics).toEqual(['runs.get: run not found']);
  });

  test('an initialization that fails leaves what was there', async () => {
    const root = temporaryFolder();
    const { answers } = await talk([initialize(root), request(1, 'runs.create', runRecord()), initialize(root, { path: '../x' }), request(2, 'runs.list')]);
    expect(answers[2]).toMatchObject(refused('validation_failed', expect.anything()));
    expect(answers[3]?.result?.['runs']).toHaveLength(1);
  });
});

describe('where the state may be', () => {
  const place = (root: string, config: object = {}) => ({ protocol: 'bach.backend.v1', project_name: 'p', project_root: root, config });

  test.each([
    [{ protocol: 'bach.backend.v2' }, 'unsupported backend protocol'],
    [{ protocol: undefined }, 'unsupported backend protocol'],
    [{ protocol: ['bach.backend.v1'] }, 'unsupported backend protocol'],
    [{ project_root: undefined }, 'project_root is required'],
    [{ project_root: 7 }, 'project_root must be a string'],
    [{ project_root: 'relative' }, 'project_root must be the absolute path of a folder'],
    [{ project_root: '/no/such/folder' }, 'project_root must be the absolute path of a folder'],
    [{ project_root: '/dev/null' }, 'project_root must be the absolute path of a folder'],
    [{ project_root: '/tmp\0' }, 'project_root must be a string without NUL and half characters'],
    [{ project_name: {} }, 'project_name must be a string'],
    [{ config: [] }, 'config must be an object'],
    [{ config: { path: 7 } }, 'config.path must be a string'],
    [{ config: { pth: 'x' } }, 'unknown field "config.pth"'],
    [{ more: 1 }, 'unknown field "more"'],
    [{ config: { path: '' } }, 'backend config.path must be relative to the project root'],
    [{ config: { path: '/tmp/x.db' } }, 'backend config.path must be relative to the project root'],
    [{ config: { path: '../x.db' } }, 'backend config.path must stay under the project root'],
    [{ config: { path: 'a/../../x.db' } }, 'backend config.path must stay under the project root'],
    [{ config: { path: '.' } }, 'backend config.path must stay under the project root'],
    [{ config: { path: 'x\0' } }, 'config.path must be a string without NUL and half characters'],
  ])('%j', async (fields, message) => {
    const params = { ...place(temporaryFolder()), ...fields };
    expect((await talk([request(1, 'backend.initialize', params)])).answers).toMatchObject([refused('validation_failed', message)]);
  });

  test.each([[undefined], [[]], ['x'], [7]])('params that are %j', async (params) => {
    expect((await talk([request(1, 'backend.initialize', params)])).answers).toMatchObject([{ error: { data: { code: 'validation_failed' } } }]);
  });

  test('no link leads to it, and nothing is made behind one', async () => {
    const [root, elsewhere] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(elsewhere, join(root, 'away'));
    symlinkSync(join(root, 'inner'), join(root, 'near'));
    mkdirSync(join(root, 'inner'));
    mkdirSync(join(root, 'deep'));
    symlinkSync(join(elsewhere, 'state.db'), join(root, 'deep/state.db'));
    for (const path of ['away/state.db', 'near/state.db', 'deep/state.db', 'away']) {
      const { answers } = await talk([initialize(root, { path })]);
      expect(answers).toMatchObject([refused('validation_failed', 'backend config.path must not go through a symbolic link')]);
    }
    expect((await talk([initialize(elsewhere)])).answers[0]?.error).toBeUndefined();
    symlinkSync(elsewhere, join(root, 'project'));
    // Where the project is reached through a link, that is the user's own.
    expect((await talk([initialize(join(root, 'project'))])).answers[0]?.error).toBeUndefined();
  });

  test('another place, null for the usual one, and the folder of the root written with a slash', async () => {
    const root = temporaryFolder();
    await talk([initialize(root, { path: 'a/b/state.db' }), request(1, 'runs.create', runRecord())]);
    expect((await talk([initialize(`${root}/`, { path: 'a/x/../b/state.db' }), request(1, 'runs.list')])).answers[1]?.result?.['runs']).toHaveLength(1);
    expect((await talk([request(1, 'backend.initialize', { ...place(root), config: null, project_name: null })])).answers[0]?.error).toBeUndefined();
    expect(query(root, 'SELECT 1 FROM runs')).toEqual([]);
  });

  test.each([
    ['a folder', (root: string) => mkdirSync(join(root, '.bach/state.db'), { recursive: true }), 'validation_failed'],
    ['a file in the way', (root: string) => writeFileSync(join(root, '.bach'), ''), 'validation_failed'],
    ['no database', (root: string) => writeState(root, 'x'.repeat(5000)), 'internal'],
  ])('%s is refused', async (_name, arrange, code) => {
    const root = temporaryFolder();
    arrange(root);
    const { answers, fault } = await talk([initialize(root), request(1, 'runs.list')]);
    expect(answers).toMatchObject([refused(code, expect.anything()), refused('not_initialized', expect.anything())]);
    expect(fault).toBeUndefined();
  });
});

function writeState(root: string, text: string): void {
  mkdirSync(join(root, '.bach'));
  writeFileSync(join(root, '.bach/state.db'), text);
}

describe('a stream that is none', () => {
  test('what came before is answered, then why it ends; what comes behind is not looked at', async () => {
    const root = temporaryFolder();
    const { answers, fault } = await talk([initialize(root), frame('{}', 'Content-Length: x\r\n\r\n'), request(1, 'runs.create', runRecord())]);
    expect(answers).toMatchObject([{ id: 'init' }, { id: null, ...refused('invalid_request', 'invalid Content-Length header "x"') }]);
    expect(fault).toBe('invalid Content-Length header "x"');
    expect(query(root, 'SELECT 1 FROM runs')).toEqual([]);
  });

  test('a faulty payload is answered, and the next message is read', async () => {
    const { answers, fault } = await talk([frame('{'), frame(Buffer.from([0xff])), frame(''), frame('[]'), frame('['.repeat(100_000)), request(1, 'x')]);
    expect(answers.map(({ error }) => error?.data.code)).toEqual([...Array.from({ length: 5 }, () => 'invalid_request'), 'not_initialized']);
    expect(fault).toBeUndefined();
  });

  test('an end in the middle of a message is told', async () => {
    const whole = request(1, 'runs.list');
    for (const cut of [1, 10, whole.length - 1]) {
      expect(await talk([whole.subarray(0, cut)])).toEqual({ answers: [], fault: 'the input ended in the middle of a message', diagnostics: [] });
    }
    expect((await talk([])).fault).toBeUndefined();
  });

  test('a fault of the input itself is not swallowed', async () => {
    const broken = (async function* () {
      yield request(1, 'runs.list');
      throw new TypeError('torn');
    })();
    await expect(talk(broken)).rejects.toThrow('torn');
  });
});

describe('what does not hold it up', () => {
  test('a reader that takes nothing holds back the reading, and a stop ends it', async () => {
    const output = new MemorySink({ slow: true });
    const stop = new AbortController();
    let read = 0;
    const flood = (async function* () {
      for (; read < 100_000; read += 1) yield request(1, `m${'x'.repeat(1000)}`);
    })();
    const end = talk(flood, { output, stop });
    while (output.waiting() < 64 * 1024) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(read).toBeLessThan(1000);
    stop.abort();
    expect((await end).fault).toBeUndefined();
  });

  test('a state that is taken away is told at each call, and initialized anew', async () => {
    const root = temporaryFolder();
    const removed = (async function* () {
      yield initialize(root);
      yield request(1, 'runs.create', runRecord());
      rmSync(join(root, '.bach'), { recursive: true });
      yield request(2, 'runs.create', runRecord({ id: 'run-2' }));
      yield initialize(root);
      yield request(3, 'runs.create', runRecord({ id: 'run-3' }));
    })();
    const { answers } = await talk(removed);
    expect(answers[2]).toMatchObject({ error: { data: { code: 'internal', details: { code: 'database-removed', remedy: expect.any(String) as unknown } } } });
    expect(answers[4]).toMatchObject(OK);
    expect(query(root, 'SELECT id FROM runs')).toEqual([{ id: 'run-3' }]);
  });

  test('a damaged row is told, and others are still served', async () => {
    const root = temporaryFolder();
    await asked(root, request(1, 'runs.create', runRecord()), request(2, 'runs.create', runRecord({ id: 'run-2' })));
    execute(root, `UPDATE runs SET metadata = '[]' WHERE id = 'run-1'`);
    const answers = await asked(root, request(1, 'runs.get', { id: 'run-1' }), request(2, 'runs.get', { id: 'run-2' }), request(3, 'runs.list'));
    expect(answers).toMatchObject([refused('internal', 'run "run-1" has an unreadable metadata: "[]"'), { id: 2, result: {} }, refused('internal', expect.anything())]);
  });

  // Two runs of five megabytes go in, and one comes back.
  test('an answer that no reader would take is refused, not sent', async () => {
    const root = temporaryFolder();
    const large = { text: 'x'.repeat(5_000_000) };
    const create = (id: string) => request(id, 'runs.create', runRecord({ id, metadata: large }));
    const answers = await asked(root, create('a'), create('b'), request(1, 'runs.list'), request(2, 'runs.list', { limit: 1 }));
    expect(answers[2]).toMatchObject(refused('validation_failed', 'the answer would exceed 8388608 bytes; ask with a limit'));
    expect(answers[3]?.result?.['runs']).toHaveLength(1);
  });

  test('what was sent is named in an answer, and cut where it is long', async () => {
    const root = temporaryFolder();
    const long = '"'.repeat(2_000_000);
    const answers = await asked(root, request(1, long), request(2, 'runs.get', { [long]: 1 }), request(3, 'runs.get', { id: long }), request(4, 'runs.finish', { run: runRecord(), target_runs: { [long]: 7 } }));
    expect(answers.map(({ error }) => error?.data.code)).toEqual(['unsupported_capability', 'validation_failed', 'not_found', 'validation_failed']);
    expect(JSON.stringify(answers).length).toBeLessThan(40_000);
  });
});

test('every field of every method with a value of another type is named, never a defect', async () => {
  const root = temporaryFolder();
  await asked(root, request(1, 'runs.create', runRecord()));
  const target = { run_id: 'run-1', target: 'shell/test', status: 'running', started_at: TIME, finished_at: TIME, log_path: 'l', operation: 'o', exit_code: 1, metadata: {} };
  const run = runRecord({ finished_at: TIME, log_dir: 'x', metadata: {} });
  const states = { 'shell/test': { fingerprint: 'f', fingerprint_parts: { a: 'b' }, completed_at: TIME } };
  const evidence = evidenceRef({ hash: 'h', created_at: TIME, metadata: {} });
  const whole: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['runs.create', { ...run, id: 'other' }],
    ['runs.startTarget', target],
    ['runs.finishTarget', target],
    ['runs.finish', run],
    ['runs.finish', { run, targets: states, target_runs: { 'shell/test': target }, evidence: [evidence] }],
    ['runs.get', { id: 'run-1' }],
    ['runs.list', { id: 'run-1', target: 'x', status: 'failed', since: TIME, limit: 1 }],
    ['evidence.recordRef', evidence],
    ['evidence.listRefs', { run_id: 'run-1', target: 'x', limit: 1 }],
  ];
  const wrong = [7, -1, 1.5, true, 'x', '\0', '\ud800', [], [null], [[]], {}, { a: 1 }, { '': {} }, { '\0': {} }];
  const requests = whole.flatMap(([method, params]) => [
    request(`${method} whole`, method, params),
    ...Object.keys(params).flatMap((name) => wrong.map((value) => request(`${method} ${name} ${JSON.stringify(value)}`, method, { ...params, [name]: value }))),
    ...wrong.map((value) => request(`${method} ${JSON.stringify(value)}`, method, value)),
  ]);
  const answers = await asked(root, ...requests);
  expect(answers).toHaveLength(requests.length);
  for (const { id, error } of answers.filter((answer) => answer.error !== undefined)) {
    expect({ id, code: error?.data.code, message: error?.message }).toEqual({ id, code: expect.stringMatching(/^(validation_failed|not_found|conflict)$/) as unknown, message: expect.not.stringContaining('internal') as unknown });
  }
  const wholes = answers.filter(({ id }) => String(id).endsWith(' whole'));
  expect(wholes.map(({ error }) => error)).toEqual(whole.map(() => undefined));
  expect(answers.filter(({ error }) => error !== undefined).length).toBeGreaterThan(answers.length / 2);
});
