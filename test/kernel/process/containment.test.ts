// Slow: each layer is tried for real, with several programs each.
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { detectContainment, type ChildExit, type LayerReport } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { skipGroup, testUnless } from '../../support/needs.ts';
import { LEAVE_CGROUP } from '../../support/process/behaviours.ts';
import { killAll, layersHere, ownSeconds, runningWith } from '../../support/process/layers.ts';
import { collector, PROGRAMS, useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();
/** Waits for what another part of the script makes. */
const THERE = 'until [ -e there ]; do sleep 0.01; done';
const NOBODY = 65_534;
const { works, missing, full } = await layersHere();
const missingReason = (wanted: string): string | undefined => missing.find(({ layer }) => layer === wanted)?.reason;

describe('what works here', () => {
  test('is told for every layer, best first, with a reason for what does not', async () => {
    const report = await detectContainment({ env: {}, clock: systemClock() });
    expect(report.layers.map(({ layer }) => layer)).toEqual(['pid-namespace', 'user-namespace', 'bubblewrap', 'cgroup', 'subreaper', 'group']);
    expect(report.best).toBe(works[0]);
    expect(report.layers.map(({ containment }) => containment)).toEqual(['full', 'full', 'full', 'partial', 'partial', 'partial']);
    for (const { available, reason } of report.layers) expect(available || (reason ?? '') !== '').toBe(true);
  });

  test('is looked for once per process', () => {
    const options = { env: {}, clock: systemClock() };
    expect(detectContainment(options)).toBe(detectContainment(options));
  });

  for (const { layer, reason } of missing) testUnless(`${layer}: ${reason}`, `contains a program in ${layer}`, () => undefined);
});

test('a layer that does not work here is a start failure, never another layer', async () => {
  const layer = missing[0]?.layer ?? 'bubblewrap';
  if (works.includes(layer)) return;
  const end = await bench().run(['true'], { containment: layer }).exit;
  expect(end).toMatchObject({ kind: 'not-started', reason: 'containment-unavailable' });
  expect(end.kind === 'not-started' && end.error.message).toContain(missing[0]?.reason);
});

test('best takes the best', async () => {
  const child = bench().run(['true'], { containment: 'best' });
  expect(child).toMatchObject({ layer: works[0] });
  expect(await child.exit).toMatchObject({ kind: 'exited', code: 0, layer: works[0] });
});

test('without a wish there is the group alone, and the end says what that means', async () => {
  const end = await bench().run(['true']).exit;
  expect(end).toMatchObject({ layer: 'none', containment: 'partial', left: [] });
  expect(end.caveat).toContain('session');
});

describe('an ordinary user', () => {
  const program = bundledProgram(join(PROGRAMS, 'supervisor.ts'));

  testUnless(process.geteuid?.() === 0 ? undefined : 'the other tests run as one', 'has a full containment too, and no more rights inside it', async () => {
    const seconds = ownSeconds();
    chmodSync(bench().folder, 0o777);
    const script = `grep CapEff: /proc/self/status; id -u; setsid sleep ${seconds} & exit 5`;
    const file = join(bench().folder, 'program.mjs');
    copyFileSync(program.file, file);
    const { stdout } = await promisify(execFile)(process.execPath, [file, 'contained', bench().folder, bench().marker, script], { uid: NOBODY, gid: NOBODY });
    const { layers, ends } = JSON.parse(stdout) as { layers: LayerReport[]; ends: (ChildExit & { text: string })[] };
    expect(layers[0]).toMatchObject({ layer: 'pid-namespace', available: false, reason: 'only root can make it' });
    for (const end of ends) {
      expect(end).toMatchObject({ kind: 'exited', code: 5, survivors: 'terminated', left: [], text: `CapEff:\t0000000000000000\n${NOBODY}\n` });
    }
    expect(runningWith(seconds)).toEqual([]);
  });
});

describe.each(works)('in %s', (layer) => {
  const run = (script: string, options = {}) => bench().run(['sh', '-c', script, 'sh'], { containment: layer, graceMs: 300, ...options });

  test('exit codes and signals come out as they were', async () => {
    const codes = [0, 1, 125, 143, 255];
    const signals = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'SIGSEGV'] as const;
    const log = (name: string) => ({ log: { path: join(bench().folder, `${name}.log`) } });
    const exited = await Promise.all(codes.map((code) => run(`exit ${code}`, log(`exit-${code}`)).exit));
    expect(exited).toMatchObject(codes.map((code) => ({ kind: 'exited', code, layer, survivors: undefined, stopped: undefined })));
    const signalled = await Promise.all(signals.map((signal) => run(`kill -${signal.slice(3)} $$`, log(signal)).exit));
    expect(signalled).toMatchObject(signals.map((signal) => ({ kind: 'signalled', signal, layer, survivors: undefined, stopped: undefined })));
  });

  test('the environment is what was given, but for our own two marks', async () => {
    const out = collector();
    const env = { ...bench().env, PWD: '/given/by hand', SHLVL: '7', OLDPWD: "it's\nold", ODD: 'a b\n$c `d` "e" \\f ö', EMPTY: '' };
    await bench().run(['env', '-0'], { ...out, containment: layer, env }).exit;
    const said = Buffer.from(out.text(), 'latin1').toString('utf8');
    const seen = Object.fromEntries(said.split('\0').filter(Boolean).map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
    const { DROVER_CHILD: token, DROVER_RUN: marker, ...rest } = seen;
    expect(token).toMatch(/^[\w-]+$/);
    expect(marker).toBe(bench().marker);
    expect(rest).toEqual(env);
  });

  test('a script may name an interpreter whose path is not ASCII', async () => {
    const folder = join(bench().folder, 'Ördner');
    mkdirSync(folder);
    symlinkSync('/bin/sh', join(folder, 'sh'));
    writeFileSync(join(folder, 'script'), `#!${folder}/sh\nexit 3\n`, { mode: 0o755 });
    expect(await bench().run([join(folder, 'script')], { containment: layer }).exit).toMatchObject({ kind: 'exited', code: 3 });
  });

  test('a variable whose name no shell knows is not lost', async () => {
    const out = collector();
    const end = await bench().run(['env'], { ...out, containment: layer, env: { ...bench().env, 'npm_config_//x/:y': 'kept' } }).exit;
    if (end.kind === 'not-started') expect(end.error.message).toContain('drops a variable');
    else expect(out.text()).toContain('npm_config_//x/:y=kept\n');
  });

  test('arguments, folder and input pass unchanged', async () => {
    const out = collector();
    const input = Buffer.from('one\ntwo\0three');
    await bench().run(['sh', '-c', 'printf "%s|" "$PWD" "$@"; cat', 'sh', '', "a'b", '--', '-x', 'c\nd'], { ...out, containment: layer, input }).exit;
    expect(out.text()).toBe(`${bench().folder}||a'b|--|-x|c\nd|${input.toString('latin1')}`);
  });

  test('nothing of ours is open in the program', async () => {
    const out = collector();
    await run('for f in /proc/$$/fd/*; do case $(readlink $f) in socket:*|*cgroup*) echo "ours $f";; esac; done; [ -e /proc/$$/fd/3 ] && readlink /proc/$$/fd/3; echo done', out).exit;
    expect(out.text()).toBe('done\n');
  });

  test('TERM reaches the program and no KILL follows', async () => {
    const out = collector();
    const child = run('trap "echo cleaned; exit 7" TERM; echo ready; while :; do sleep 0.05; done', { ...out, graceMs: 60_000 });
    await out.seen('ready');
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'exited', code: 7, stopped: 'graceful', survivors: undefined });
    expect(out.text()).toContain('cleaned\n');
  });

  test('a stop at once ends it', async () => {
    const child = run('exec sleep 300', { graceMs: 60_000 });
    child.stop();
    expect(await child.exit).toMatchObject({ stopped: 'graceful' });
  });

  test('what ignores TERM is killed', async () => {
    const out = collector();
    const child = run("trap '' TERM; echo ready; while :; do sleep 0.05; done", out);
    await out.seen('ready');
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL', stopped: 'killed' });
  });

  test('kill ends everything at once', async () => {
    const seconds = ownSeconds();
    const out = collector();
    const child = run(`setsid sleep ${seconds} & sleep 0.1; echo ready; wait`, { ...out, graceMs: 60_000 });
    await out.seen('ready');
    child.kill();
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL', stopped: 'killed' });
    expect(runningWith(seconds)).toEqual([]);
  });

  test('what left the group outlives neither TERM nor the leader', async () => {
    const seconds = ownSeconds();
    expect(await run(`setsid sleep ${seconds} & exit 3`).exit).toMatchObject({ kind: 'exited', code: 3, survivors: 'terminated', left: [] });
    expect(runningWith(seconds)).toEqual([]);
    expect(await run(`setsid sh -c 'trap "" TERM; : >there; sleep ${seconds}; :' & ${THERE}; exit 4`).exit).toMatchObject({ code: 4, survivors: 'killed', left: [] });
    expect(runningWith(seconds)).toEqual([]);
  });

  test('what ends by itself right after the leader is no survivor', async () => {
    // It ends by itself when the leader did, at which its pipe is closed.
    expect(await run(`mkfifo pipe; setsid sh -c ': >there; exec cat' <pipe & exec 3>pipe; ${THERE}; exit 0`).exit).toMatchObject({ kind: 'exited', code: 0, survivors: undefined });
  });

  test('a script whose interpreter does not exist is a start failure', async () => {
    const file = join(bench().folder, 'script');
    writeFileSync(file, '#!/no/such/interpreter -x\n', { mode: 0o755 });
    expect(await bench().run([file], { containment: layer }).exit).toMatchObject({ kind: 'not-started', reason: 'missing-interpreter' });
    expect(readFileSync(bench().logPath, { flag: 'a+', encoding: 'utf8' })).toBe('');
  });

  test('ten at once keep apart, and the end tells whether something can have escaped', async () => {
    const codes = Array.from({ length: 10 }, (_, index) => index);
    const log = (index: number) => ({ log: { path: join(bench().folder, `${index}.log`) } });
    const ends = await Promise.all(codes.map((code) => run(`sleep 0.0${code}; exit ${code}`, log(code)).exit));
    expect(ends.map((end) => end.kind === 'exited' && end.code)).toEqual(codes);
    const isPartial = !full.includes(layer);
    const containment = isPartial ? 'partial' : 'full';
    const caveat = isPartial ? (expect.stringContaining('escaped') as string) : undefined;
    for (const end of ends) expect(end).toMatchObject({ survivors: undefined, containment, caveat });
  });
});

describe.each(full.filter((layer) => layer.endsWith('namespace')))('in %s', (layer) => {
  test('the program sees only itself, and cannot end what watches it', async () => {
    const out = collector();
    const end = await bench().run(['sh', '-c', 'kill -9 1 2>/dev/null; kill -9 -1 2>/dev/null; ls /proc | grep -c "^[0-9]"; exit 5'], { ...out, containment: layer }).exit;
    expect(end).toMatchObject({ kind: 'exited', code: 5 });
    expect(Number(out.text())).toBeLessThan(6);
  });

  test('orphans are collected while the program runs', async () => {
    const out = collector();
    await bench().run(['sh', '-c', '(sleep 0.01 & ) ; (sleep 0.02 &); sleep 0.1; while cat /proc/[0-9]*/stat 2>/dev/null | grep -q " Z "; do sleep 0.05; done; echo collected'], { ...out, containment: layer }).exit;
    expect(out.text()).toBe('collected\n');
  });
});

/** In a session of its own and without our mark: only its parent tells whose it is. */
const bare = (seconds: string): string => `env -i setsid sleep ${seconds}`;

describe('a program in subreaper', () => {
  skipGroup(missingReason('subreaper'));
  const run = (script: string, options = {}) => bench().run(['sh', '-c', script, 'sh'], { containment: 'subreaper', graceMs: 300, ...options });

  test('that kills its parent is found with what it started, and the end does not say full', async () => {
    const seconds = ownSeconds();
    const end = await run(`${bare(seconds)} & kill -9 $PPID; trap '' TERM; while :; do sleep 0.05; done # ${seconds}`).exit;
    expect(end).toMatchObject({ survivors: 'killed', left: [], containment: 'partial', caveat: expect.stringContaining('escaped') as string });
    expect(runningWith(seconds)).toEqual([]);
  });

  test('that kills its parent and ends is no longer than it was seen', async () => {
    const seconds = ownSeconds();
    const end = await run(`${bare(seconds)} & sleep 1.2; kill -9 $PPID`).exit;
    expect(end).toMatchObject({ survivors: 'terminated', left: [], containment: 'partial' });
    expect(runningWith(seconds)).toEqual([]);
  });

  test('whose parent is gone before it passed TERM on is asked all the same', async () => {
    const out = collector();
    const child = run(`trap 'echo asked; exit' TERM; echo ready; while :; do sleep 0.05; done`, { ...out, graceMs: 60_000 });
    await out.seen('ready');
    process.kill(child.pid ?? Number.NaN, 'SIGSTOP');
    child.stop();
    process.kill(child.pid ?? Number.NaN, 'SIGKILL');
    expect(await child.exit).toMatchObject({ stopped: 'graceful', left: [] });
    expect(out.text()).toContain('asked');
  });

  test('that stops its parent is killed all the same', async () => {
    const seconds = ownSeconds();
    const out = collector();
    const child = run(`kill -STOP $PPID; ${bare(seconds)} & sleep 0.2; echo ready; wait`, out);
    await out.seen('ready');
    child.stop();
    expect(await child.exit).toMatchObject({ stopped: 'killed', left: [] });
    expect(runningWith(seconds)).toEqual([]);
  });
});

testUnless(missingReason('cgroup'), 'a program in cgroup can move itself out, and the end does not say full', async () => {
  const seconds = ownSeconds();
  const script = `(${LEAVE_CGROUP}; exec env -i setsid sh -c ': >there; exec sleep ${seconds}') & ${THERE}`;
  const end = await bench().run(['sh', '-c', script], { containment: 'cgroup' }).exit;
  const escaped = runningWith(seconds);
  killAll(escaped);
  expect(escaped).toHaveLength(1);
  expect(end).toMatchObject({ kind: 'exited', code: 0, containment: 'partial', caveat: expect.stringContaining('cgroup') as string });
});
