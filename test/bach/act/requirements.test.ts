import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { needsOf } from '../../../src/bach/act/needs.ts';
import { unmetLine, unmetRequirements } from '../../../src/bach/act/requirements.ts';
import type { Preflight, Target, ToolRequirement } from '../../../src/bach/model/project.ts';
import { createReaper } from '../../../src/kernel/process/index.ts';
import { neverStops, type StopRequest } from '../../../src/kernel/terminal/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';

const tool = (name: string, more: Partial<ToolRequirement> = {}): ToolRequirement => ({ name, command: [], version: '', fix: '', ...more });
const preflight = (script: string, fix = ''): Preflight => ({ label: 'session', name: 'session', kind: '', command: ['sh', '-c', script], fix });
const target = (name: string, more: Partial<Target>): Target => ({ name, tools: [], preflights: [], ...more }) as Target;

interface Options {
  readonly root?: string;
  readonly stop?: StopRequest;
  readonly path?: string;
}

async function check(targets: readonly Target[], { root = temporaryFolder(), stop = neverStops(), path = process.env['PATH'] ?? '' }: Options = {}) {
  const reaper = createReaper({ env: process.env, graceMs: 100, afterMs: 200 });
  try {
    const host = { root, environment: { PATH: path }, id: 'test', jobs: 2, verb: { clock: systemClock(), stop }, reaper };
    return await unmetRequirements(needsOf(targets), host);
  } finally {
    reaper.close();
  }
}

describe('what several targets need', () => {
  test('is asked for once where every word is the same', () => {
    const shared = tool('go', { version: '1.24+' });
    const needs = needsOf([target('shell/b', { tools: [shared, tool('sh')] }), target('shell/a', { tools: [{ ...shared }, tool('go')] })]);
    expect(needs).toEqual({
      tools: [
        { requirement: shared, targets: ['shell/a', 'shell/b'] },
        { requirement: tool('sh'), targets: ['shell/b'] },
        { requirement: tool('go'), targets: ['shell/a'] },
      ],
      preflights: [],
    });
  });
});

describe('a tool', () => {
  test.each<[string, ToolRequirement, string | undefined]>([
    ['that is on PATH', tool('sh'), undefined],
    ['that is not', tool('nonesuch'), '- nonesuch for shell/x: missing from PATH'],
    ['with all that is known of it', tool('nonesuch', { version: '2+', fix: 'install it' }), '- nonesuch for shell/x: missing from PATH (version: 2+); install it'],
    ['whose probe succeeds', tool('x', { command: ['sh', '-c', 'echo v1'] }), undefined],
    ['whose probe says why it fails', tool('x', { command: ['sh', '-c', 'echo one; echo two >&2; exit 1'] }), '- x for shell/x: probe failed: one\ntwo'],
    ['whose probe fails in silence', tool('x', { command: ['sh', '-c', 'exit 3'] }), '- x for shell/x: probe failed: exit status 3'],
    ['whose probe is ended', tool('x', { command: ['sh', '-c', 'kill -9 $$'] }), '- x for shell/x: probe failed: ended by SIGKILL'],
    ['whose probe is not there', tool('x', { command: ['nonesuch', '-v'] }), '- x for shell/x: probe command "nonesuch" missing from PATH'],
    ['at a path from the root', tool('./bin/mine'), undefined],
    ['at a path that is a folder', tool('./bin'), '- ./bin for shell/x: missing from PATH'],
    ['that cannot be executed', tool('./bin/plain'), '- ./bin/plain for shell/x: missing from PATH'],
  ])('%s', async (_, required, expected) => {
    const root = temporaryFolder();
    writeFiles(root, { 'bin/mine': '#!/bin/sh\n', 'bin/plain': '' });
    chmodSync(`${root}/bin/mine`, 0o755);
    const unmet = await check([target('shell/x', { tools: [required] })], { root });
    expect(unmet?.unmet.map(unmetLine).join('\n')).toBe(expected);
    if (expected !== undefined) expect(unmet).toMatchObject({ status: 'failed', title: 'required tool checks failed:', operation: 'required tool check' });
  });

  test('that floods is ended, and no preflight is asked then', async () => {
    const flood = tool('x', { command: ['sh', '-c', 'yes'] });
    const unmet = await check([target('shell/x', { tools: [flood], preflights: [preflight('exit 1')] })]);
    expect(unmet?.unmet.map(unmetLine)).toEqual(['- x for shell/x: probe failed: it printed more than 4194304 bytes']);
    expect(unmet?.status).toBe('failed');
  });
});

describe('a preflight', () => {
  test('that fails tells how it ended, never what it printed', async () => {
    const unmet = await check([target('shell/x', { preflights: [preflight('echo token=abc; exit 1', 'log in')] })]);
    expect(unmet).toMatchObject({ status: 'preflight-failed', title: 'credential/session preflights failed:', operation: 'credential/session preflight' });
    expect(unmet?.unmet.map(unmetLine)).toEqual(['- session for shell/x: probe failed: exit status 1; log in']);
  });

  test('those that fail are told in declared order', async () => {
    const names = ['sleep 0.2; exit 1', 'exit 2', 'true', 'exit 3'];
    const unmet = await check([target('shell/x', { preflights: names.map((script) => preflight(script)) })]);
    expect(unmet?.unmet.map(({ reason }) => reason)).toEqual([1, 2, 3].map((code) => `probe failed: exit status ${code}`));
  });

  test('that hangs ends with a stop', async () => {
    const stop = new AbortController();
    const request: StopRequest = { graceful: stop.signal, immediate: new AbortController().signal, signal: () => 'SIGINT' };
    const found = check([target('shell/x', { preflights: [preflight('exec sleep 600')] })], { stop: request });
    setTimeout(() => stop.abort(), 50);
    expect((await found)?.unmet.map(({ reason }) => reason)).toEqual(['probe was stopped']);
  });
});
