// Slow: each test runs several times, and what it runs are processes.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectSqlite } from '../../../src/kernel/sql/index.ts';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';

/** What a target is written down to have done each time it ran. */
function ran(project: BachProject): readonly string[] {
  const lines = existsSync(project.at('ran')) ? project.read('ran').trimEnd().split('\n') : [];
  rmSync(project.at('ran'), { force: true });
  return lines;
}

/** A target that copies a file and says so. */
function copying(name: string, from: string, more = ''): string {
  return `shell "${name}" {\n  inputs = ["${from}"]\n  outputs = ["${name}.out"]\n  shell = "echo ${name} >> ran; cp ${from} ${name}.out"\n${more}}\n`;
}

/** `a` from a file, `b` from what `a` makes. */
function chain(more = ''): BachProject {
  const project = bachProject(`${copying('a', 'in.txt', more)}${copying('b', 'a.out', '  depends_on = [shell.a]\n')}`);
  project.write('in.txt', 'one');
  return project;
}

/** The words in front of each operation: `cached`, or why it is stale; nothing for one without a result. */
async function verdicts(project: BachProject, argv: readonly string[]): Promise<readonly string[]> {
  const { exit, stdout, stderr } = await project.bach(argv);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout.split('\n').flatMap((line) => /\[([^\]]+)\] \(((?:cached|stale)[^)]*)\)/.exec(line)?.slice(1, 3).join(' ') ?? []);
}

const run = (project: BachProject): Promise<readonly string[]> => verdicts(project, ['run', 'shell/b', '-j', '1']);

test.runIf(process.platform === 'linux')('a target with an input whose name is not UTF-8 runs each time, and says why', async () => {
  const project = bachProject('shell "a" {\n  inputs = ["src"]\n  shell = "echo a >> ran"\n}\n');
  project.write('src/b', 'one');
  writeFileSync(Buffer.concat([Buffer.from(project.at('src/c')), Buffer.of(0xff)]), 'one');
  for (const _ of ['first', 'second', 'third']) {
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/a']);
    expect({ exit, ran: ran(project) }).toEqual({ exit: 0, ran: ['a'] });
    expect(stderr).toContain(String.raw`input "src/c\\xff" has a name that is not UTF-8: its content is not seen`);
    expect((await project.bach(['logs', runIdIn(stdout)])).stdout).toContain(String.raw`not cached: input "src/c\\xff" has a name that is not UTF-8`);
  }
});

describe('a result that stands', () => {
  test('is not made again, and nothing is made for it on the disk', async () => {
    const project = chain();
    const first = runIdIn((await project.bach(['run', 'shell/b'])).stdout);
    expect(ran(project)).toEqual(['a', 'b']);
    const { stdout } = await project.bach(['run', 'shell/b']);
    expect(ran(project)).toEqual([]);
    expect(stdout).toContain('targets: success=0 cached=2 failed=0');
    const second = runIdIn(stdout);
    expect(readdirSync(project.at('.bach/runs', second))).toEqual([]);
    expect((await project.bach(['logs', second])).stdout).toContain(`==> shell/a (cached) .bach/runs/${first}/shell__a.log <==`);
    expect((await project.bach(['runs', 'inspect', '--json', second])).stdout).toContain(`"log_path": ".bach/runs/${first}/shell__a.log"`);
  });

  test('is one, too, when its input was written again with the same content', async () => {
    const project = chain();
    await run(project);
    project.write('in.txt', 'one');
    utimesSync(project.at('in.txt'), 1, 1);
    expect(await run(project)).toEqual(['shell/a cached', 'shell/b cached']);
  });

  test('is one, too, when its output was written again with the same content', async () => {
    const project = chain();
    await run(project);
    project.write('a.out', 'one');
    expect(await run(project)).toEqual(['shell/a cached', 'shell/b cached']);
  });

  test('needs no log: when the run that made it is gone, its row names none', async () => {
    const project = chain();
    const first = runIdIn((await project.bach(['run', 'shell/b'])).stdout);
    rmSync(project.at('.bach/runs', first), { recursive: true });
    expect(await run(project)).toEqual(['shell/a cached', 'shell/b cached']);
  });

  test('of a failing successor is kept', async () => {
    const project = bachProject(`${copying('a', 'in.txt')}shell "b" {\n  depends_on = [shell.a]\n  command = ["false"]\n}\n`);
    project.write('in.txt', 'one');
    expect((await project.bach(['run', 'shell/b'])).exit).toBe(1);
    expect((await project.bach(['run', 'shell/b'])).stdout).toContain('[shell/a] (cached)');
  });

  test('stands again when what made it stale is undone', async () => {
    const project = bachProject('shell "a" {\n  inputs = ["in.txt"]\n  command = ["grep", "-q", "one", "in.txt"]\n}\n');
    project.write('in.txt', 'one');
    expect((await project.bach(['run', 'shell/a'])).exit).toBe(0);
    project.write('in.txt', 'two');
    expect((await project.bach(['run', 'shell/a'])).exit).toBe(1);
    project.write('in.txt', 'one');
    expect(await verdicts(project, ['run', 'shell/a'])).toEqual(['shell/a cached']);
  });
});

describe('an attempt that did not succeed', () => {
  const building = (folder: string): BachProject => {
    const script = `mkdir -p ${folder}; cp in.txt ${folder}/made; grep -q one in.txt`;
    return bachProject(`shell "a" {\n  inputs = ["in.txt"]\n  outputs = ["dist"]\n  shell = "${script}"\n}\n`);
  };

  test.each([['dist/deep', 'shell/a stale: output changed'], ['dist', 'shell/a stale: output changed']])('leaves a folder that is not taken for what an earlier one made: %s', async (folder, wanted) => {
    const project = building(folder);
    project.write('in.txt', 'one');
    await verdicts(project, ['run', 'shell/a']);
    project.write('in.txt', 'two');
    expect((await project.bach(['run', 'shell/a'])).exit).toBe(1);
    project.write('in.txt', 'one');
    expect(await verdicts(project, ['run', 'shell/a'])).toEqual([wanted]);
    expect(project.read(`${folder}/made`)).toBe('one');
    expect(await verdicts(project, ['run', 'shell/a'])).toEqual(['shell/a cached']);
  });

  test('leaves what can be seen whole and is what it was as it is', async () => {
    const project = bachProject('shell "a" {\n  inputs = ["in.txt"]\n  outputs = ["dist"]\n  shell = "mkdir -p dist; echo made > dist/made; grep -q one in.txt"\n}\n');
    project.write('in.txt', 'one');
    await verdicts(project, ['run', 'shell/a']);
    project.write('in.txt', 'two');
    expect((await project.bach(['run', 'shell/a'])).exit).toBe(1);
    project.write('in.txt', 'one');
    expect(await verdicts(project, ['run', 'shell/a'])).toEqual(['shell/a cached']);
  });

  test('is known to have begun before its command does, so that a kill changes nothing', async () => {
    const project = building('dist/deep');
    project.write('in.txt', 'one');
    project.write('Bachfile', project.read('Bachfile').replace('mkdir', 'test ! -d .bach/runs/once || cp -R .bach then; mkdir -p .bach/runs/once; mkdir'));
    await verdicts(project, ['run', 'shell/a']);
    await verdicts(project, ['run', '--force', 'shell/a']);
    const connection = connectSqlite(project.at('then/state.db'));
    expect(connection.prepare('SELECT path FROM output_record').all()).toEqual([]);
    expect(connection.prepare('SELECT name FROM target_state').all()).toEqual([{ name: 'shell/a' }]);
    connection.close();
  });
});

describe('why a result is not enough', () => {
  const bachfile = (project: BachProject, from: string, to: string): void => project.write('Bachfile', project.read('Bachfile').replace(from, to));

  test.each<[string, (project: BachProject) => void, readonly string[]]>([
    ['nothing', () => undefined, ['shell/a cached', 'shell/b cached']],
    ['the input', (project) => project.write('in.txt', 'two'), ['shell/a stale: changed input', 'shell/b stale: changed input, dependency fingerprint change']],
    ['the input is gone', (project) => rmSync(project.at('in.txt')), ['shell/a stale: changed input', 'shell/b stale: dependency fingerprint change']],
    ['the command', (project) => bachfile(project, 'cp in.txt', 'cp  in.txt'), ['shell/a stale: changed operation', 'shell/b stale: dependency fingerprint change']],
    ['a lock', (project) => bachfile(project, 'outputs = ["a.out"]', 'outputs = ["a.out"]\n  lock = "x"'), ['shell/a lock=x stale: changed operation', 'shell/b stale: dependency fingerprint change']],
    ['the project environment', (project) => bachfile(project, 'project "test" {}', 'project "test" {}\nenv {\n  X = "1"\n}'), ['shell/a stale: changed env var', 'shell/b stale: changed env var, dependency fingerprint change']],
    ['.env', (project) => project.write('.env', 'X=1\n'), ['shell/a stale: changed env var', 'shell/b stale: changed env var, dependency fingerprint change']],
    ['an output is gone', (project) => rmSync(project.at('b.out')), ['shell/a cached', 'shell/b stale: missing output']],
    ['an output is another one', (project) => project.write('a.out', 'mine'), ['shell/a stale: output changed', 'shell/b cached']],
    ['all at once', (project) => (project.write('in.txt', 'two'), rmSync(project.at('a.out')), bachfile(project, 'cp in.txt', 'cp  in.txt')), ['shell/a stale: changed input, changed operation, missing output', 'shell/b stale: changed input, dependency fingerprint change']],
  ])('%s', async (_, change, wanted) => {
    // `cp` of an input that is gone would fail.
    const project = bachProject(`${copying('a', 'in.txt').replace('cp in.txt a.out', 'cp in.txt a.out || true')}${copying('b', 'a.out', '  depends_on = [shell.a]\n')}`);
    project.write('in.txt', 'one');
    await run(project);
    change(project);
    const dry = await verdicts(project, ['run', '-d', 'shell/b']);
    const told = await run(project);
    expect(told).toEqual(wanted);
    // A dry run knows no content that is still to be made.
    expect(dry[0]).toBe(wanted[0]);
    expect((await run(project)).map((line) => line.split(' ').at(-1))).toEqual(['cached', 'cached']);
  });

  test('another profile, and --force', async () => {
    const project = chain();
    project.write('Bachfile', `${project.read('Bachfile')}profile "ci" {\n  env {\n    X = "1"\n  }\n}\n`);
    expect(await run(project)).toEqual(['shell/a stale: no cache record, missing output', 'shell/b stale: no cache record, missing output']);
    expect(await verdicts(project, ['--profile', 'ci', 'run', 'shell/a'])).toEqual(['shell/a stale: changed env var']);
    expect(await verdicts(project, ['--profile', 'ci', 'run', '--force', 'shell/a'])).toEqual(['shell/a stale: forced run']);
  });

  test('what a dependency without a command reads', async () => {
    const project = bachProject(`shell "sources" {\n  inputs = ["in.txt"]\n}\n${copying('b', 'other.txt', '  depends_on = [shell.sources]\n')}`);
    project.write('in.txt', 'one');
    project.write('other.txt', 'one');
    await run(project);
    expect(await run(project)).toEqual(['shell/b cached']);
    project.write('in.txt', 'two');
    expect(await run(project)).toEqual(['shell/b stale: dependency fingerprint change']);
  });

  test('outputs below the run directory are no evidence', async () => {
    const project = bachProject('shell "a" {\n  outputs = ["$(RUN_DIRECTORY)/report.xml"]\n  shell = "echo a >> ran; touch $(RUN_DIRECTORY)/report.xml"\n}\n');
    for (const _ of [1, 2]) expect(await verdicts(project, ['run', 'shell/a'])).toEqual([]);
    expect(ran(project)).toEqual(['a', 'a']);
    const { stdout } = await project.bach(['run', '-d', '--json', 'shell/a']);
    expect(JSON.parse(stdout)).toMatchObject({ targets: [{ cache: { cacheable: false, expectation: 'not_cacheable', fresh: false } }] });
  });
});

describe('what changes while a run goes on', () => {
  test('an input that the target itself writes to: the result is not kept, and that is said', async () => {
    const project = bachProject('shell "a" {\n  inputs = ["in.txt"]\n  shell = "echo more >> in.txt"\n}\nshell "b" {\n  depends_on = [shell.a]\n  inputs = ["in.txt"]\n  command = ["true"]\n}\n');
    project.write('in.txt', 'one\n');
    const { stdout } = await project.bach(['run', 'shell/b']);
    expect(stdout).toContain('[shell/a] not cached: input "in.txt" changed while the target ran\n');
    expect(stdout).toContain('[shell/b] not cached: an input of what it depends on changed during this run\n');
    expect(project.read(`.bach/runs/${runIdIn(stdout)}/shell__a.log`)).toContain('not cached: input "in.txt" changed');
    expect((await run(project)).join()).toContain('shell/a stale: no cache record');
  });

  test('an input that another target writes to before its turn is seen', async () => {
    const project = bachProject(`${copying('a', 'in.txt')}${copying('b', 'shared.txt')}`);
    project.write('in.txt', 'one');
    project.write('shared.txt', 'one');
    await project.bach(['run', 'shell/a', 'shell/b']);
    project.write('Bachfile', project.read('Bachfile').replace('cp in.txt a.out', 'cp in.txt a.out; echo two > shared.txt'));
    expect(await verdicts(project, ['run', '-j', '1', 'shell/a', 'shell/b'])).toEqual(['shell/a stale: changed operation', 'shell/b stale: changed input']);
    expect(project.read('b.out')).toBe('two\n');
  });

  test('what a member of a group rests on is seen by whoever depends on the group', async () => {
    const bachfile = 'shell "gen" {\n  shell = "cat source.txt > in.txt"\n}\ngroup "all" {\n  targets = [shell.a]\n}\n';
    const project = bachProject(`${bachfile}${copying('a', 'in.txt')}${copying('b', 'a.out', '  depends_on = [group.all]\n')}${copying('c', 'other.txt', '  depends_on = [group.all]\n')}pipeline "p" {\n  steps = [shell.gen, shell.a, shell.c]\n}\n`);
    project.write('other.txt', 'one');
    for (const text of ['one', 'two', 'three']) {
      project.write('source.txt', text);
      // Asked for first, the group is looked at before anything ran.
      const told = await verdicts(project, ['run', 'shell/c', 'pipeline/p']);
      if (text !== 'one') expect(told).toEqual(['shell/a stale: changed input', 'shell/c stale: dependency fingerprint change']);
    }
  });

  test('what a dependency without a command reads is looked at again when something ran', async () => {
    const bachfile = 'shell "sources" {\n  inputs = ["in.txt"]\n}\n';
    const writer = 'shell "gen" {\n  depends_on = [shell.b]\n  shell = "cat source.txt > in.txt"\n}\n';
    const on = (more: string): string => `  depends_on = [shell.sources${more}]\n`;
    const project = bachProject(`${bachfile}${writer}${copying('b', 'b.txt', on(''))}${copying('c', 'c.txt', on(', shell.gen'))}`);
    for (const name of ['b.txt', 'c.txt', 'source.txt', 'in.txt']) project.write(name, 'one');
    await verdicts(project, ['run', 'shell/c']);
    project.write('source.txt', 'two');
    expect(await verdicts(project, ['run', 'shell/c'])).toEqual(['shell/b cached', 'shell/c stale: dependency fingerprint change']);
    expect(await verdicts(project, ['run', 'shell/c'])).toEqual(['shell/b stale: dependency fingerprint change', 'shell/c stale: dependency fingerprint change']);
    expect(await verdicts(project, ['run', 'shell/c'])).toEqual(['shell/b cached', 'shell/c cached']);
  });

  test('what a dependency without a command reads changes while the target runs: the result is not kept', async () => {
    const project = bachProject(`shell "sources" {\n  inputs = ["in.txt"]\n}\nshell "b" {\n  depends_on = [shell.sources]\n  outputs = ["b.out"]\n  shell = "cp in.txt b.out; echo two > in.txt"\n}\n`);
    project.write('in.txt', 'one');
    const { stdout } = await project.bach(['run', 'shell/b']);
    expect(stdout).toContain('[shell/b] not cached: an input of what it depends on changed during this run\n');
    project.write('in.txt', 'one');
    expect(await verdicts(project, ['run', 'shell/b'])).toEqual(['shell/b stale: no cache record']);
  });

  test('an input that was written anew with the same bytes is no change', async () => {
    const project = bachProject('shell "a" {\n  inputs = ["in.txt"]\n  shell = "cp in.txt copy; cat copy > in.txt"\n}\n');
    project.write('in.txt', 'one');
    for (const wanted of [['shell/a stale: no cache record'], ['shell/a cached']]) expect(await verdicts(project, ['run', 'shell/a'])).toEqual(wanted);
  });

  test('what it makes is no input of its own', async () => {
    const project = bachProject('shell "a" {\n  inputs = ["src/**"]\n  outputs = ["src/made.txt"]\n  shell = "cat src/in.txt > src/made.txt"\n}\n');
    project.write('src/in.txt', 'one');
    for (const wanted of [['shell/a stale: no cache record, missing output'], ['shell/a cached']]) expect(await verdicts(project, ['run', 'shell/a'])).toEqual(wanted);
  });

  test('outputs that another run begins to write meanwhile are not taken for what was made', async () => {
    const waits = 'while test -e hold; do sleep 0.02; done';
    const second = 'if test -e one; then echo part > o; touch part; while test ! -e on; do sleep 0.02; done; exit 1; fi';
    const project = bachProject(`shell "a" {\n  inputs = ["in.txt"]\n  outputs = ["o"]\n  shell = "${second}; cp in.txt o; touch one; ${waits}"\n}\n`);
    project.write('in.txt', 'one');
    project.write('hold', '');
    const come = (name: string) => expect.poll(() => existsSync(project.at(name)), { timeout: 20_000 }).toBe(true);
    const one = project.bach(['run', 'shell/a']);
    await come('one');
    const two = project.bach(['run', 'shell/a']);
    await come('part');
    rmSync(project.at('hold'));
    expect((await one).stdout).toContain('[shell/a] not cached: another run makes it at the same time\n');
    project.write('on', '');
    expect((await two).exit).toBe(1);
    rmSync(project.at('one'));
    expect(await verdicts(project, ['run', 'shell/a'])).toEqual(['shell/a stale: no cache record']);
    expect(project.read('o')).toBe('one');
    expect(readdirSync(project.at('.bach/runs'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.running'))).toEqual([]);
  });

  test('the same in two targets at once', async () => {
    const project = chain();
    const [one, two] = await Promise.all([project.bach(['run', 'shell/b']), project.bach(['run', 'shell/b'])]);
    expect([one?.exit, two?.exit]).toEqual([0, 0]);
    await run(project);
    expect(await run(project)).toEqual(['shell/a cached', 'shell/b cached']);
    expect(project.read('b.out')).toBe('one');
  });
});

describe('a dry run', () => {
  test('leaves the state as it is, to the byte', async () => {
    const project = chain();
    await run(project);
    project.write('in.txt', 'two');
    const before = snapshot(project);
    await project.bach(['run', '-d', 'shell/b']);
    const { stdout } = await project.bach(['run', '-d', '--json', 'shell/b']);
    expect(snapshot(project)).toEqual(before);
    expect(JSON.parse(stdout)).toMatchObject({
      targets: [{ cache: { cacheable: true, expectation: 'run', fresh: false, reasons: ['changed input'] } }, { cache: { reasons: ['dependency fingerprint change'] } }],
    });
    expect((await run(project))[0]).toBe('shell/a stale: changed input');
  });

  test('makes no state where there is none', async () => {
    const project = chain();
    expect(await verdicts(project, ['run', '-d', 'shell/b'])).toEqual(['shell/a stale: no cache record, missing output', 'shell/b stale: no cache record, missing output']);
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  function snapshot(project: BachProject): readonly string[] {
    const names = readdirSync(project.at('.bach'), { recursive: true, encoding: 'utf8' }).sort();
    return [...names, readFileSync(project.at('.bach/state.db')).toString('hex')];
  }
});

test('a damaged row of the cache stops the run before anything of it starts, and names what to do', async () => {
  const project = chain();
  await run(project);
  ran(project);
  const connection = connectSqlite(project.at('.bach/state.db'));
  connection.prepare("UPDATE output_record SET kind = 'song'").run();
  connection.close();
  const { exit, stdout, stderr } = await project.bach(['run', 'shell/b']);
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
  expect(stderr).toContain('song');
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(ran(project)).toEqual([]);
});

test('without a state everything is made again, and a state that is none is refused', async () => {
  const project = chain();
  await run(project);
  appendFileSync(project.at('in.txt'), 'more');
  const removeState = (): void => ['', '-wal', '-shm'].forEach((rest) => rmSync(project.at(`.bach/state.db${rest}`), { force: true }));
  removeState();
  expect(await run(project)).toEqual(['shell/a stale: no cache record', 'shell/b stale: no cache record']);
  removeState();
  writeFileSync(project.at('.bach/state.db'), 'no database');
  const { exit, stderr } = await project.bach(['run', 'shell/b']);
  expect(exit).toBe(1);
  expect(stderr).toContain('.bach/state.db');
});
