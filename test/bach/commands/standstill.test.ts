import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { changeEntry } from '../store/kept/projects.ts';

const TEXT = `
import "more.bach"
project "p" {}
profile "s" {
  env { FROM_PROFILE = "yes" }
}
input "files" "tree" { srcs = ["src/**/*.txt", "one.txt", "link", "absent.txt"] }
shell "a" {
  description = "first"
  inputs  = [input.files.tree, "folder"]
  outputs = ["out/a.txt", "out/made"]
  shell   = "mkdir -p out/made && echo $SHOWN > out/a.txt && echo x > out/made/x"
}
shell "b" {
  depends_on = [shell.a]
  inputs     = ["one.txt"]
  outputs    = ["out/b.txt"]
  command    = ["cp", "one.txt", "out/b.txt"]
}
shell "other" {
  inputs  = ["one.txt"]
  outputs = ["out/other.txt"]
  command = ["cp", "one.txt", "out/other.txt"]
}
pipeline "all" { steps = [shell.a, shell.b] }
`;

const FILES: Readonly<Record<string, string>> = {
  'more.bach': 'shell "more" { description = "one" }\n',
  'one.txt': 'one',
  'src/a.txt': 'a',
  'src/deep/b.txt': 'b',
  'folder/c.md': 'c',
  'elsewhere.txt': 'linked',
  '.env': 'FROM_FILE=one\n',
  'ci.env': 'FROM_CI=one\n',
};

const WORDS = ['run', 'pipeline/all', '--env-file', 'ci.env'];

function project(text = TEXT): BachProject {
  const made = bachProject(text);
  for (const [path, content] of Object.entries(FILES)) made.write(path, content);
  symlinkSync('elsewhere.txt', made.at('link'));
  return made;
}

function standstills({ at }: BachProject): readonly string[] {
  const folder = at('.bach/cache');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('standstill-')) : [];
}

/** Runs until nothing has to run and that is kept; what is done over from then on says so in its lines. */
async function settle(made: BachProject, words = WORDS, env: Readonly<Record<string, string>> = {}): Promise<void> {
  for (let round = 0; round < 6 && standstills(made).length === 0; round++) {
    expect(await made.bach(words, { env })).toMatchObject({ exit: 0, stderr: '' });
  }
  const [name = 'none'] = standstills(made);
  changeEntry(made.at('.bach/cache', name), (text) => text.replaceAll('(cached)', '(repeated)'));
}

async function how(made: BachProject, words = WORDS, env: Readonly<Record<string, string>> = {}): Promise<'repeated' | 'worked out'> {
  const { exit, stdout, stderr } = await made.bach(words, { env });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout.includes('(repeated)') ? 'repeated' : 'worked out';
}

describe('a run in which nothing has to run is done over', () => {
  test('as long as nothing moves, with lines and rows like those that were worked out', async () => {
    const made = project();
    await made.bach(WORDS);
    await made.bach(WORDS);
    const worked = await made.bach(WORDS);
    await settle(made);
    const again = await made.bach(WORDS);
    expect(again.stdout).toContain('(repeated)');
    expect(timeless(again.stdout.replaceAll('(repeated)', '(cached)'))).toEqual(timeless(worked.stdout));
    expect(await inspected(made, again.stdout)).toEqual(await inspected(made, worked.stdout));
    expect(runIdIn(again.stdout)).not.toBe(runIdIn(worked.stdout));
    const { stdout: listed } = await made.bach(['runs', 'list']);
    expect(listed.split('\n')[0]).toContain(runIdIn(again.stdout));
  });

  test.each([
    ['--yes'],
    ['--verbose'],
    ['--log-only'],
    ['-j', '3'],
  ])('other words (%s %s) are worked out', async (...more) => {
    const made = project();
    await settle(made);
    expect(await how(made, [...WORDS, ...more.filter((word) => word !== undefined)])).toBe('worked out');
    expect(await how(made)).toBe('repeated');
  });

  test('with --force everything runs, and nothing is kept until it stands again', async () => {
    const made = project();
    await settle(made);
    const { stdout } = await made.bach([...WORDS, '--force']);
    expect(standstills(made)).toEqual([]);
    expect(stdout).toContain('success=3 cached=0');
    expect(await how(made)).toBe('worked out');
  });
});

const CHANGES: readonly (readonly [string, (made: BachProject) => Promise<void> | void])[] = [
  ['the content of an input', ({ write }) => write('one.txt', 'other')],
  ['the content of an input, of the same size and time', ({ at, write }) => {
    const { atime, mtime } = statSync(at('src/a.txt'));
    write('src/a.txt', 'A');
    utimesSync(at('src/a.txt'), atime, mtime);
  }],
  ['an input that is put in place of another one', ({ at, write }) => {
    write('next', 'b');
    renameSync(at('next'), at('src/deep/b.txt'));
  }],
  ['a file that a pattern finds', ({ write }) => write('src/deep/new.txt', 'new')],
  ['a folder with a file that a pattern finds', ({ write }) => write('src/more/new.txt', 'new')],
  ['a file in a folder', ({ write }) => write('folder/sub/new.md', 'new')],
  ['an input that is gone', ({ at }) => unlinkSync(at('src/a.txt'))],
  ['an input that is there now', ({ write }) => write('absent.txt', 'there')],
  ['where a link leads', ({ at }) => {
    unlinkSync(at('link'));
    symlinkSync('one.txt', at('link'));
  }],
  ['what a link leads to', ({ write }) => write('elsewhere.txt', 'linked!')],
  ['a folder that became a link', ({ at }) => {
    renameSync(at('src/deep'), at('moved'));
    symlinkSync('../moved', at('src/deep'));
  }],
  ['an output that is gone', ({ at }) => unlinkSync(at('out/b.txt'))],
  ['the content of an output', ({ write }) => write('out/a.txt', 'mine\n')],
  ['an entry of an output', ({ write }) => write('out/made/y', 'y')],
  ['the content of an entry of an output', ({ write }) => write('out/made/x', 'y\n')],
  ['the Bachfile', ({ write, read }) => write('Bachfile', read('Bachfile').replace('first', 'second'))],
  ['an import', ({ write }) => write('more.bach', 'shell "more" { description = "two" }\n')],
  ['.env', ({ write }) => write('.env', 'FROM_FILE=two\n')],
  ['.env that is gone', ({ at }) => unlinkSync(at('.env'))],
  ['--env-file', ({ write }) => write('ci.env', 'FROM_CI=two\n')],
  ['what the cache knows of another target', async (made) => {
    const path = made.at('.bach/cache', standstills(made)[0] ?? '');
    const kept = readFileSync(path);
    await made.bach(['run', 'shell/other']);
    writeFileSync(path, kept, { mode: 0o600 });
  }],
  ['the state', ({ at }) => rmSync(at('.bach/state.db'))],
  ['the run that it was', ({ at }) => sql(at('.bach/state.db'), 'DELETE FROM runs')],
  ['how the run that it was ended', ({ at }) => sql(at('.bach/state.db'), "UPDATE runs SET status = 'failed'")],
  ['what another program writes into the cache', ({ at }) => sql(at('.bach/state.db'), "UPDATE target_state SET fingerprint = 'another' WHERE name = 'shell/b'")],
  ['what another program takes out of the cache', ({ at }) => sql(at('.bach/state.db'), 'DELETE FROM file_hash')],
  ['a stamp that the state lost', ({ at }) => sql(at('.bach/state.db'), 'DELETE FROM cache_stamp')],
  ['what is kept, when a byte of it is another one', (made) => damage(made, (text) => text.replace('shell/a', 'shell/z'))],
  ['what is kept, when it is torn', (made) => damage(made, (text) => text.slice(0, text.length / 2))],
  ['what is kept, when it is of another form', (made) => damage(made, (text) => text.replace('bach-standstill-', 'bach-still-'))],
  ['what is kept, when it is nothing', (made) => damage(made, () => '')],
];

describe('what it rested on is looked at each time', () => {
  test.each(CHANGES)('%s', async (_, change) => {
    const made = project();
    await settle(made, WORDS, { SHOWN: 'one' });
    expect(await how(made, WORDS, { SHOWN: 'one' })).toBe('repeated');
    await change(made);
    expect(await how(made, WORDS, { SHOWN: 'one' })).toBe('worked out');
  });

  test('a variable that a line shows, and no other', async () => {
    const made = project();
    await settle(made, WORDS, { SHOWN: 'one', LEVEL: '1' });
    expect(await how(made, WORDS, { SHOWN: 'one', LEVEL: '2' })).toBe('repeated');
    expect(await how(made, WORDS, { SHOWN: 'two', LEVEL: '1' })).toBe('worked out');
    expect(await how(made, WORDS, { LEVEL: '1' })).toBe('worked out');
  });

  test('what the Bachfile asks of files', async () => {
    const made = project(`${TEXT}\nshell "asks" { description = file_hash("note.txt") }\n`);
    made.write('note.txt', 'one');
    await settle(made);
    expect(await how(made)).toBe('repeated');
    made.write('note.txt', 'two');
    expect(await how(made)).toBe('worked out');
  });

  test('random changes: nothing is done over that would run', async () => {
    const paths = ['one.txt', 'src/a.txt', 'src/new.txt', 'src/deep/b.txt', 'folder/c.md', 'out/a.txt', 'out/b.txt', 'out/made/x', 'absent.txt', 'unrelated.md'];
    const edit = fc.record({ path: fc.constantFrom(...paths), content: fc.constantFrom('a', 'b', undefined) });
    const isRepeated: boolean[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(edit, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 }), async (rounds) => {
        const made = project();
        // Runs without an edit between: the last of them is done over.
        for (const edits of rounds.flatMap((each) => [each, [], [], []])) {
          for (const { path, content } of edits) {
            if (content === undefined) rmSync(made.at(path), { force: true });
            else made.write(path, content);
          }
          const { stdout: plan } = await made.bach([...WORDS, '--dry-run', '--json']);
          const { stdout } = await made.bach(WORDS);
          isRepeated.push(stdout.includes('(repeated)'));
          if (isRepeated.at(-1) === true) expect(plan).not.toContain('"fresh":false');
          for (const name of standstills(made)) changeEntry(made.at('.bach/cache', name), (text) => text.replaceAll('(cached)', '(repeated)'));
        }
      }),
      { numRuns: 4 },
    );
    expect(new Set(isRepeated)).toEqual(new Set([true, false]));
  });
});

describe('nothing is kept', () => {
  const shell = (attributes: string) => `shell "a" {\n  inputs  = ["one.txt"]\n  outputs = ["a.txt"]\n  ${attributes}\n}\n`;
  const COPY = 'command = ["cp", "one.txt", "a.txt"]';

  test.each([
    ['of a run that names itself', shell('shell = "cp one.txt a.txt; echo $DROVER_RUN"'), ['shell/a']],
    ['where git is shown', shell('shell = "cp one.txt a.txt; echo $BACH_GIT_BRANCH"'), ['shell/a']],
    ['where a secret is shown', shell('shell = "cp one.txt a.txt; echo $API_TOKEN"'), ['shell/a']],
    ['of preflights, which ask each time', `${shell(`${COPY}\n  preflights = [{ name = "p", command = ["true"], fix = "none" }]`)}`, ['shell/a']],
    ['by an alias, which is told each time', `${shell(COPY)}alias "x" { target = shell.a }\n`, ['x']],
    ['of a project with prompts', `${shell(COPY)}prompt "p" { path = "one.txt" }\n`, ['shell/a']],
    ['of a run with something that always runs', `${shell(COPY)}shell "b" {\n  depends_on = [shell.a]\n  command = ["true"]\n}\n`, ['shell/b']],
  ])('%s', async (_, text, targets) => {
    const made = project(text);
    for (let round = 0; round < 4; round++) {
      const { exit } = await made.bach(['run', ...targets], { env: { API_TOKEN: 'a-secret-of-some-length' } });
      expect(exit).toBe(0);
    }
    expect(standstills(made)).toEqual([]);
  });

  test('by a dry run, nor does it use what is kept', async () => {
    const made = project();
    await settle(made);
    const before = readFileSync(made.at('.bach/cache', standstills(made)[0] ?? ''));
    expect((await made.bach([...WORDS, '--dry-run'])).stdout).not.toContain('(repeated)');
    expect(readFileSync(made.at('.bach/cache', standstills(made)[0] ?? ''))).toEqual(before);
  });

  test('of more than eight ways to ask', async () => {
    const made = project();
    await settle(made);
    for (let jobs = 1; jobs <= 10; jobs++) await made.bach([...WORDS, '-j', String(jobs)]);
    expect(standstills(made)).toHaveLength(8);
  });
});

function timeless(stdout: string): string {
  return stdout.replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, 'TIME').replaceAll(/\d{8}T\d{6}\.\d+Z/g, 'RUN').replaceAll(/duration=\S+/g, 'duration=D');
}

async function inspected(made: BachProject, stdout: string): Promise<unknown> {
  const { stdout: text } = await made.bach(['--json', 'runs', 'inspect', runIdIn(stdout)]);
  const { run_id: _, started_at: __, finished_at: ___, log_dir: ____, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return rest;
}

async function sql(path: string, statement: string): Promise<void> {
  const database = await openDatabase(path, { clock: systemClock(), busyTimeoutMs: 1000 });
  database.run(statement);
  database.close();
}

function damage(made: BachProject, change: (text: string) => string): void {
  const path = made.at('.bach/cache', standstills(made)[0] ?? '');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
