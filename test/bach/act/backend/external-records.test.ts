import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ExternalRunRecords } from '../../../../src/bach/act/index.ts';
import type { RunRecord, TargetRunRecord } from '../../../../src/bach/model/index.ts';
import { isRunning } from '../../../support/process/workbench.ts';
import { temporaryFolder } from '../../../support/temp.ts';
import { NOW, query } from '../../store/recorded-runs.ts';

const BACH = join(import.meta.dirname, '../../../../bin/bach');
const { signal } = new AbortController();
const run: RunRecord = { id: 'run-1', target: 'shell/a', force: true, status: 'running', startedAt: NOW, finishedAt: undefined, logFolder: '.bach/runs/run-1', message: '' };
const row: TargetRunRecord = { target: 'shell/a', status: 'running', startedAt: NOW, finishedAt: undefined, logPath: 'a.log', operation: 'make', exitCode: undefined, message: '' };

const opened: ExternalRunRecords[] = [];
const said: string[] = [];

afterEach(async () => {
  said.splice(0);
  await Promise.all(opened.splice(0).map((records) => records.close()));
});

interface Opening {
  readonly root?: string;
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly callMs?: number;
}

async function open(command: readonly [string, ...string[]], { root = temporaryFolder(), config = {}, env = { PATH: process.env['PATH'] ?? '' }, callMs = 30_000 }: Opening = {}): Promise<ExternalRunRecords> {
  const backend = { command, external: true, statePath: '.bach/state.db', config };
  const records = await ExternalRunRecords.open({ backend, projectName: 'p', root, env, marker: 'test', self: [process.execPath, '--', BACH], callMs, diagnose: (line) => said.push(line) });
  opened.push(records);
  return records;
}

/** A provider that answers as `answer(request)` says: an object, bytes, or nothing. */
function provider(answer: string, before = ''): readonly [string, ...string[]] {
  const script = `
    ${before}
    const frame = (text) => 'Content-Length: ' + Buffer.byteLength(text) + '\\r\\n\\r\\n' + text;
    const ready = { protocol: 'bach.backend.v1', provider: 'p', version: 'v1', capabilities: ['runs', 'evidence_refs'] };
    const ok = (id, result = { ok: true }) => frame(JSON.stringify({ jsonrpc: '2.0', id, result }));
    const answer = ({ id, method, params }) => { ${answer} };
    let input = Buffer.alloc(0);
    process.stdin.on('data', (chunk) => {
      input = Buffer.concat([input, chunk]);
      for (;;) {
        const head = input.indexOf('\\r\\n\\r\\n');
        const length = Number(/\\d+/.exec(input.subarray(0, head).toString())?.[0]);
        if (head < 0 || input.length < head + 4 + length) return;
        const told = answer(JSON.parse(input.subarray(head + 4, head + 4 + length).toString()));
        input = input.subarray(head + 4 + length);
        if (told !== undefined) process.stdout.write(told);
      }
    });`;
  return [process.execPath, '-e', script];
}

const good = "return method === 'backend.initialize' ? ok(id, ready) : ok(id);";
const initialized = (rest: string): string => `if (method === 'backend.initialize') return ok(id, ready); ${rest}`;

describe('with bach backend sqlite', () => {
  test('a run from its start to its end', async () => {
    const root = temporaryFolder();
    const records = await open(['bach', 'backend', 'sqlite'], { root, config: { path: '.bach/state.db' } });
    await records.startRun(run, signal);
    await records.recordTargets('run-1', [row, { ...row, target: 'shell/b', status: 'cached' }]);
    const artifacts = [{ target: 'shell/a', kind: 'log', path: 'a.log' }, { target: 'shell/a', kind: 'image-tag', path: '', value: 'app:1' }] as const;
    const states = [{ target: 'shell/a', fingerprint: 'f', parts: { command: 'c' }, completedAt: NOW }];
    const end = { ...run, status: 'failed', finishedAt: NOW + 1n, message: 'why' } as const;
    await records.finishRun(end, { targets: [{ ...row, status: 'failed', finishedAt: NOW, exitCode: 3, message: 'no' }], artifacts, states }, signal);
    await records.close();
    expect(query(root, 'SELECT status, force, finished_at, message, log_dir FROM runs')).toEqual([{ status: 'failed', force: 1, finished_at: '2026-06-08T12:00:00.000000001Z', message: 'why', log_dir: '.bach/runs/run-1' }]);
    expect(query(root, 'SELECT target, status, exit_code, operation, message FROM target_runs ORDER BY target')).toEqual([
      { target: 'shell/a', status: 'failed', exit_code: 3, operation: 'make', message: 'no' },
      { target: 'shell/b', status: 'cached', exit_code: null, operation: 'make', message: '' },
    ]);
    expect(query(root, 'SELECT kind, path, value, evidence_id FROM artifacts')).toEqual([
      { kind: 'log', path: 'a.log', value: '', evidence_id: 'run-1-1' },
      { kind: 'image-tag', path: '', value: 'app:1', evidence_id: 'run-1-2' },
    ]);
    expect(query(root, 'SELECT name, fingerprint, run_id FROM target_state')).toEqual([{ name: 'shell/a', fingerprint: 'f', run_id: 'run-1' }]);
    expect(said).toEqual([]);
  });

  test.each([
    [{ path: '../x' }, 'backend "bach backend sqlite" refused backend.initialize: backend config.path must stay under the project root (validation_failed)'],
    [{ pth: 'x' }, 'backend "bach backend sqlite" refused backend.initialize: unknown field "config.pth" (validation_failed)'],
  ])('its refusal of %j is told', async (config, message) => {
    await expect(open(['bach', 'backend', 'sqlite'], { config })).rejects.toMatchObject({ code: 'backend-refused', message });
  });

  // The end of the run has more than one message takes.
  test('an end that is too large goes in pieces', async () => {
    const root = temporaryFolder();
    const records = await open(['bach', 'backend', 'sqlite'], { root });
    await records.startRun(run, signal);
    const targets = Array.from({ length: 90 }, (_, index) => ({ ...row, target: `shell/${index}`, status: 'success' as const, operation: 'x'.repeat(100_000) }));
    await records.finishRun({ ...run, status: 'success' }, { targets, artifacts: [{ target: 'shell/0', kind: 'log', path: 'l' }] }, signal);
    expect(query(root, 'SELECT status, (SELECT count(*) FROM target_runs) AS targets, (SELECT count(*) FROM artifacts) AS artifacts FROM runs')).toEqual([{ status: 'success', targets: 90, artifacts: 1 }]);
  });
});

describe('with a program of somebody', () => {
  test('it gets what it needs to run, and nothing else of the user', async () => {
    const env = { PATH: process.env['PATH'] ?? '', TMPDIR: '/tmp', HOME: '/home/somebody', TOKEN: 'secret' };
    await open(provider(good, 'console.error(Object.keys(process.env).sort().join(" "));'), { env });
    await opened.pop()?.close();
    expect(said).toEqual(['DROVER_RUN PATH TMPDIR']);
  });

  test.each([
    ['no runs', "return ok(id, { ...ready, capabilities: ['evidence_refs'] })", 'backend-lacks-capability', /lacks the capability "runs"/],
    ['capabilities that are none', 'return ok(id, { ...ready, capabilities: "runs" })', 'backend-lacks-capability', /lacks/],
    ['another protocol', "return ok(id, { ...ready, protocol: 'v2' })", 'backend-garbled', /another protocol/],
    ['no result', 'return ok(id, null)', 'backend-garbled', /another protocol/],
    ['an answer to nothing', 'return ok(id + 7)', 'backend-garbled', /answered a request 8 that it was not sent/],
    ['two answers', initialized('return ok(id) + ok(id)'), 'backend-garbled', /answered a request 2/],
    ['text', 'return "hello\\n\\n"', 'backend-garbled', /invalid header line "hello"/],
    ['zeros without end', 'setInterval(() => process.stdout.write(Buffer.alloc(100_000)), 1)', 'backend-garbled', /message headers exceed 16384 bytes/],
    ['too large an answer', 'return "Content-Length: 9999999\\n\\n"', 'backend-garbled', /exceeds max 8388608/],
    ['no JSON', 'return frame("{")', 'backend-garbled', /not valid JSON/],
    ['depth', 'return frame("[".repeat(1e6))', 'backend-garbled', /nested more than 100 deep/],
    ['an error of the stream', 'return frame(JSON.stringify({ jsonrpc: "2.0", id: null, error: { message: "lost" } }))', 'backend-garbled', /lost/],
    ['an end', 'console.error("cannot go on"); process.exit(3)', 'backend-ended', /ended early: exit status 3; it said: cannot go on/],
    ['a kill', 'process.kill(process.pid, "SIGKILL")', 'backend-ended', /ended early: ended by SIGKILL/],
    ['silence', initialized(''), 'backend-silent', /did not answer .* within 1 s/],
    ['half an answer', initialized('return ok(id).slice(0, -1)'), 'backend-silent', /did not answer/],
    ['a refusal', initialized('return frame(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "full", data: { code: "internal" } } }))'), 'backend-refused', /refused runs\.create: full \(internal\)/],
  ])('%s', async (name, answer, code, message) => {
    const isPatient = code !== 'backend-silent';
    const start = async (): Promise<void> => {
      const records = await open(provider(answer), { callMs: isPatient ? 30_000 : 1000 });
      await records.startRun(run, signal);
      await records.startRun(run, signal);
    };
    await expect(start()).rejects.toMatchObject({ code, message: expect.stringMatching(message) as unknown });
    if (opened.length === 0 || name === 'a refusal') return;
    // After its fault nothing is sent any more.
    await expect(opened[0]?.startRun(run, signal)).rejects.toMatchObject({ code });
  });

  test('one that is not there', async () => {
    await expect(open(['no-such-provider'])).rejects.toMatchObject({ code: 'backend-not-started', message: expect.stringContaining('command not found: no-such-provider') as unknown });
  });

  test('what it says is passed on, up to a hundred lines of it', async () => {
    const records = await open(provider(good, 'for (let line = 0; line < 5000; line++) console.error("line " + line);'));
    await records.close();
    expect(said.slice(0, 2)).toEqual(['line 0', 'line 1']);
    expect(said).toHaveLength(101);
  });

  test('a stop ends the waiting for its answer', async () => {
    const stop = new AbortController();
    const records = await open(provider(initialized('if (method === "backend.shutdown") return ok(id);')));
    const start = records.startRun(run, stop.signal);
    stop.abort('stopped');
    await expect(start).rejects.toBe('stopped');
  });

  // It waits two seconds for each goodbye.
  test('one that ignores the end of its input and TERM is killed, with what it started', async () => {
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.error(require("node:child_process").spawn("sleep", ["1000"], { stdio: "ignore" }).pid);';
    const records = await open(provider(initialized('if (method !== "backend.shutdown") return ok(id);'), stubborn));
    await records.startRun(run, signal);
    await records.close();
    const pid = Number(said[0]);
    expect(pid).toBeGreaterThan(1);
    expect(isRunning(pid)).toBe(false);
  }, 20_000);

  test('without the capability of evidence none is sent', async () => {
    const answer = 'if (method === "backend.initialize") return ok(id, { ...ready, capabilities: ["runs"] }); if (params.evidence?.length > 0) process.exit(9); return ok(id);';
    const records = await open(provider(answer));
    await records.finishRun(run, { targets: [], artifacts: [{ target: 'a', kind: 'log', path: 'l' }] }, signal);
  });
});
