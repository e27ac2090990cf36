import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { connectSqlite } from '../../src/kernel/sql/index.ts';
import { answersIn, evidenceRef, frame, initialize, request, runRecord, TIME, type Answer } from '../support/backend-messages.ts';
import { bachProject } from '../support/bach-project.ts';
import { temporaryFolder } from '../support/temp.ts';

const BACH = join(import.meta.dirname, '../../bin/bach');
/** As a client gives it to a provider. */
const ENV = { PATH: process.env['PATH'] ?? '' };

interface Served {
  readonly answers: readonly Answer[];
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

function serve(requests: readonly Uint8Array[], env: Readonly<Record<string, string>> = {}): Served {
  const cwd = temporaryFolder();
  const { stdout, stderr, status, signal } = spawnSync(BACH, ['backend', 'sqlite'], { cwd, env: { ...ENV, ...env }, input: Buffer.concat(requests), maxBuffer: 64 * 1024 * 1024 });
  return { answers: answersIn(stdout), status, signal, stderr: stderr.toString() };
}

function started(root: string): ChildProcess {
  return spawn(BACH, ['backend', 'sqlite'], { cwd: root, env: ENV, stdio: ['pipe', 'pipe', 'pipe'] });
}

function rowsOf(root: string, sql: string): readonly object[] {
  const connection = connectSqlite(join(root, '.bach/state.db'));
  try {
    return connection.prepare(sql).all() as readonly object[];
  } finally {
    connection.close();
  }
}

const finish = {
  run: runRecord({ status: 'success', finished_at: TIME }),
  targets: { 'shell/a': { fingerprint: 'f', completed_at: TIME } },
  target_runs: { 'shell/a': { status: 'success', started_at: TIME }, 'shell/b': { status: 'success', started_at: TIME } },
  evidence: [evidenceRef(), evidenceRef({ id: 'e-2', uri: 'other' })],
};
const create = request(1, 'runs.create', runRecord());
const target = request(2, 'runs.startTarget', { run_id: 'run-1', target: 'shell/a', status: 'running', started_at: TIME });
const end = request(3, 'runs.finish', finish);

describe('bach backend sqlite', () => {
  test('each method, over the streams of a process of its own that needs no Bachfile', () => {
    const root = temporaryFolder();
    const requests = [create, target, request(4, 'runs.finishTarget', { run_id: 'run-1', target: 'shell/a', status: 'failed', started_at: TIME }), end];
    const reads = [request(5, 'runs.get', { id: 'run-1' }), request(6, 'runs.list'), request(7, 'evidence.recordRef', evidenceRef({ id: 'e-3', uri: 'third' })), request(8, 'evidence.listRefs'), request(9, 'backend.shutdown')];
    const { answers, status, stderr } = serve([initialize(root), ...requests, ...reads]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(answers.map(({ id, error }) => [id, error])).toEqual(['init', 1, 2, 4, 3, 5, 6, 7, 8, 9].map((id) => [id, undefined]));
    expect(answers[5]?.result).toEqual({ run: finish.run });
    expect(answers[8]?.result?.['evidence']).toHaveLength(3);
  });

  test('an end at once is the normal one, and leaves nothing', () => {
    expect(serve([])).toEqual({ answers: [], status: 0, signal: null, stderr: '' });
  });

  test.each([
    ['garbage', Buffer.alloc(1_000_000, 'garbage'), 'message headers exceed 16384 bytes'],
    ['zeros', Buffer.alloc(1_000_000), 'message headers exceed 16384 bytes'],
    ['half a message', Buffer.from('Content-Length: 8388608\r\n\r\n{'), 'the input ended in the middle of a message'],
    ['too much', Buffer.from('Content-Length: 8388609\r\n\r\n'), 'Content-Length 8388609 exceeds max 8388608'],
  ])('%s: one line on standard error, exit code 1', (_name, input, message) => {
    const { answers, status, stderr } = serve([request(1, 'runs.list'), input]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: `${message}\n` });
    expect(answers[0]?.error?.data.code).toBe('not_initialized');
    expect(answers.slice(1).every(({ id, error }) => id === null && error?.message === message)).toBe(true);
  });

  test('a flood of requests is answered to the last one in little memory', async () => {
    const root = temporaryFolder();
    const child = started(root);
    const output = buffer(child.stdout!);
    const blob = frame(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'none', params: 'x'.repeat(100_000) }));
    const before = Buffer.concat([initialize(root), ...Array.from({ length: 300 }, () => blob)]);
    child.stdin!.write(before);
    child.stdin!.write(request('last', 'runs.list'));
    while (!child.stdin!.writableFinished && child.stdin!.writableLength > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
    child.stdin!.end();
    await once(child, 'exit');
    const answers = answersIn(await output);
    expect({ answers: answers.length, last: answers.at(-1)?.id }).toEqual({ answers: 302, last: 'last' });
    expect(peak).toBeLessThan(200);
  });

  test('TERM lets the request end that is under way, and ends it while it waits for the next one', async () => {
    const root = temporaryFolder();
    const child = started(root);
    child.stdin!.write(Buffer.concat([initialize(root), create]));
    const output: Buffer[] = [];
    child.stdout!.on('data', (chunk: Buffer) => output.push(chunk));
    while (!Buffer.concat(output).includes('"ok":true')) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    expect(answersIn(Buffer.concat(output))).toHaveLength(2);
  });
});

/** All that may ever be seen: rows of runs, targets, states and evidence. */
const NO_END = { target_state: 0, artifacts: 0 };
const STAGES: readonly object[] = [
  { runs: 0, target_runs: 0, ...NO_END, status: null },
  { runs: 1, target_runs: 0, ...NO_END, status: 'running' },
  { runs: 1, target_runs: 1, ...NO_END, status: 'running' },
  { runs: 1, target_runs: 2, target_state: 1, artifacts: 2, status: 'success' },
];

// Starts two processes for each point that one can be killed at.
test('killed at each durable point it leaves a method done or not begun, and another one goes on', () => {
  const story = (root: string): readonly Uint8Array[] => [initialize(root), create, target, end];
  const counting = temporaryFolder();
  const trace = join(temporaryFolder(), 'trace');
  expect(serve(story(counting), { DROVER_CRASH_TRACE: trace }).answers).toHaveLength(4);
  const points = readFileSync(trace, 'utf8').trimEnd().split('\n');
  expect(points.filter((point) => point === 'commit:after').length).toBeGreaterThanOrEqual(3);

  for (const [index] of points.entries()) {
    const root = temporaryFolder();
    const killed = serve(story(root), { DROVER_CRASH_AT: String(index + 1) });
    expect(killed.signal).toBe('SIGKILL');
    if (existsSync(join(root, '.bach/state.db')) && hasTables(root)) expect(STAGES).toContainEqual(stageOf(root));
    const { answers } = serve([...story(root), request(9, 'runs.get', { id: 'run-1' })]);
    expect(answers.at(-1)?.result).toEqual({ run: finish.run });
    expect(stageOf(root)).toEqual(stageOf(counting));
  }
}, 120_000);

function hasTables(root: string): boolean {
  return rowsOf(root, "SELECT 1 FROM sqlite_schema WHERE name = 'target_state'").length > 0;
}

/** Rows of runs, targets, states and evidence. */
function stageOf(root: string): object {
  const counts = ['runs', 'target_runs', 'target_state', 'artifacts'].map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  return { ...rowsOf(root, `SELECT ${counts.join(', ')}, (SELECT max(status) FROM runs) AS status`)[0] };
}

// Two servers with a hundred writes each and three runs.
test('two of them and runs of bach at the same time lose nothing', async () => {
  const project = bachProject('shell "a" { command = ["true"] }\n');
  // Old ones would be removed by the runs.
  const now = new Date().toISOString();
  const served = ['one', 'two'].map(async (name) => {
    const child = started(project.folder);
    const output = buffer(child.stdout!);
    const creates = Array.from({ length: 100 }, (_, index) => request(index, 'runs.create', runRecord({ id: `${name}-${index}`, started_at: now })));
    child.stdin!.end(Buffer.concat([initialize(project.folder), ...creates]));
    await once(child, 'exit');
    return answersIn(await output);
  });
  for (let run = 0; run < 3; run += 1) expect(await project.bach(['run', 'shell/a'])).toMatchObject({ exit: 0, stderr: '' });
  for (const answers of await Promise.all(served)) {
    expect(answers.map(({ error }) => error)).toEqual(Array.from({ length: 101 }, () => undefined));
  }
  expect(rowsOf(project.folder, 'SELECT count(*) AS n FROM runs')).toEqual([{ n: 203 }]);
}, 60_000);
