import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJournal } from '../../../src/kernel/journal/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';
import { droverHome, type DroverHome } from '../../support/drover-home.ts';

/** A journal of two records by each writer. */
async function journalAt(path: string, writers: readonly string[] = ['one']): Promise<string> {
  mkdirSync(join(path, '..'), { recursive: true });
  for (const writer of writers) {
    const journal = await openJournal(path, { clock: systemClock(), writer });
    await journal.append({ kind: 'begin' });
    await journal.append({ kind: 'end' });
    await journal.close();
  }
  return path;
}

function change(path: string, edit: (text: string) => string): void {
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

async function check(home: DroverHome, ...argv: readonly string[]) {
  const before = home.contents();
  const result = await home.drover(['journal', 'check', ...argv]);
  expect(home.contents()).toBe(before);
  return result;
}

describe('a name', () => {
  test('that holds a newline or an escape cannot pass for a line of ours', async () => {
    const home = droverHome();
    const name = 'a\n\u001b[31mx: no damage';
    await journalAt(join(home.project, name));
    const { exit, stdout } = await check(home, name);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '"a\\n\\u001b[31mx: no damage": 2 records of 1 writer, no damage\n' });
    const { journals } = JSON.parse((await check(home, name, '--json')).stdout) as { journals: { path: string }[] };
    expect(journals[0]?.path).toBe(name);
  });

  test('nor can one of a folder, beside what cannot be read', async () => {
    const home = droverHome();
    const folder = join(home.project, '.drover/a\nb: no damage');
    mkdirSync(folder, { recursive: true });
    symlinkSync('nowhere', join(folder, 'journal.jsonl'));
    expect((await check(home)).stderr).toMatch(/^cannot use .+a\\nb: no damage\/journal\.jsonl: a symbolic link .+\n.+\n$/);
  });

  test('that is empty is wrong usage', async () => {
    const { exit, stdout, stderr } = await check(droverHome(), '');
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('"": no such file');
  });
});

describe('what is told of a journal', () => {
  test('nothing wrong', async () => {
    const home = droverHome();
    await journalAt(join(home.project, 'journal.jsonl'), ['one', 'two']);
    expect(await check(home, 'journal.jsonl')).toEqual({
      exit: 0,
      stdout: 'journal.jsonl: 4 records of 2 writers, no damage\n',
      stderr: '',
    });
  });

  test('a torn end, told and no fault; repaired by the next writer, told and no fault', async () => {
    const home = droverHome();
    const path = await journalAt(join(home.project, 'journal.jsonl'));
    change(path, (text) => text.slice(0, -10));
    const torn = await check(home, 'journal.jsonl');
    expect(torn).toMatchObject({ exit: 0, stderr: '' });
    expect(torn.stdout).toMatch(/^journal\.jsonl: 1 record of 1 writer, torn at its end \(line 2, \d+ bytes, never acknowledged\), no damage\n$/);
    await journalAt(path, ['two']);
    const repaired = await check(home, 'journal.jsonl');
    expect(repaired).toMatchObject({ exit: 0, stderr: '' });
    expect(repaired.stdout).toMatch(/^journal\.jsonl: 3 records of 2 writers, 1 torn line repaired, no damage\n$/);
  });

  test('lines of other tools', async () => {
    const home = droverHome();
    home.write('project/journal.jsonl', '{"ts":1}\n\n{"ts":2}\n');
    expect((await check(home, 'journal.jsonl')).stdout).toBe(
      'journal.jsonl: 2 records of 0 writers, 2 records of other tools, no damage\n',
    );
  });

  test('damage, with file and line, and the exit code says so', async () => {
    const home = droverHome();
    const path = await journalAt(join(home.project, 'a/journal.jsonl'));
    await journalAt(join(home.project, 'b/journal.jsonl'));
    change(path, (text) => text.replace('begin', 'begun'));
    const { exit, stdout, stderr } = await check(home, 'a/journal.jsonl', 'b/journal.jsonl');
    expect(exit).toBe(1);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^a\/journal\.jsonl: \d records? of 1 writer, \d damaged lines?$/),
      expect.stringMatching(/^a\/journal\.jsonl:1: \S/),
      ...(stdout.includes('a/journal.jsonl:2:') ? [expect.stringMatching(/^a\/journal\.jsonl:2: \S/)] : []),
      'b/journal.jsonl: 2 records of 1 writer, no damage',
      '',
    ]);
    expect(stderr).toMatch(/^1 of 2 journals damaged\nnothing was changed/);
  });

  test('as one document', async () => {
    const home = droverHome();
    const path = await journalAt(join(home.project, 'journal.jsonl'));
    expect(JSON.parse((await check(home, 'journal.jsonl', '--json')).stdout)).toEqual({
      journals: [
        {
          path: 'journal.jsonl',
          records: 2,
          foreign: 0,
          writers: [{ writer: 'one', records: 2, last_counter: 2, restarts: 0 }],
          repairs: 0,
          repaired: [],
          torn_tail: null,
          damage: [],
        },
      ],
      unread: [],
      ok: true,
    });
    change(path, (text) => text.replace('end', 'END'));
    const damaged = await check(home, 'journal.jsonl', '--json');
    expect(damaged.exit).toBe(1);
    expect(JSON.parse(damaged.stdout)).toMatchObject({
      journals: [{ damage: [{ line: 2, problem: 'checksum', reason: expect.stringMatching(/\S/) }] }],
      ok: false,
    });
  });
});

describe('without files', () => {
  test('all that are found by their names, in the state folder and in the project', async () => {
    const home = droverHome();
    const places = [
      'home/.local/state/drover/x/steps.jsonl',
      'project/.drover/journal.jsonl',
      'project/.ratchet/batches/b/run/journal.jsonl',
      'project/.git/drover/receipts.jsonl',
    ];
    for (const place of places) await journalAt(join(home.folder, place));
    home.write('project/.bach/other.jsonl', 'no journal');
    home.write('project/.bach/node_modules/journal.jsonl', 'no journal');
    home.write('project/elsewhere/journal.jsonl', 'no journal');
    home.write('outside/journal.jsonl', 'no journal');
    symlinkSync(join(home.folder, 'outside'), join(home.project, '.bach/link'));
    const { exit, stdout, stderr } = await check(home);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const found = stdout.trimEnd().split('\n').map((line) => line.replace(`${home.folder}/`, '').replace(/: .*/, ''));
    expect(found).toEqual(places);
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path), 'it is a directory'],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'is a pipe, a socket or a device'],
    ['a link that leads nowhere', (path: string) => symlinkSync('nowhere', path), 'a symbolic link stands in the way'],
    ['a link to another journal', (path: string) => symlinkSync('../.bach/journal.jsonl', path), 'a symbolic link stands in the way'],
  ])('%s in the place of one is told, and the others are checked', async (_, make, reason) => {
    const home = droverHome();
    const path = join(home.project, '.drover/journal.jsonl');
    await journalAt(join(home.project, '.bach/journal.jsonl'));
    mkdirSync(join(path, '..'));
    make(path);
    const { exit, stdout, stderr } = await check(home);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: `${home.project}/.bach/journal.jsonl: 2 records of 1 writer, no damage\n` });
    expect(stderr).toMatch(/^.+\n.+\n$/);
    expect(stderr).toContain(path);
    expect(stderr).toContain(reason);
    expect(JSON.parse((await check(home, '--json')).stdout)).toMatchObject({
      journals: [{ records: 2 }],
      unread: [{ path, message: expect.stringContaining(reason), remedy: expect.stringMatching(/\S/) }],
      ok: false,
    });
  });

  testUnless(notOnLinux, 'a socket in the place of one is told', async () => {
    const home = droverHome();
    const path = join(home.project, '.drover/journal.jsonl');
    mkdirSync(join(path, '..'));
    const server = createServer().listen(path);
    await once(server, 'listening');
    const { exit, stderr } = await check(home);
    server.close();
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(`${path} is a pipe, a socket or a device`) });
  });

  test('where the user keeps the state', async () => {
    const home = droverHome();
    await journalAt(join(home.folder, 'kept/journal.jsonl'));
    const { stdout } = await home.drover(['journal', 'check'], { env: { DROVER_STATE_FOLDER: join(home.folder, 'kept') } });
    expect(stdout).toContain('kept/journal.jsonl: 2 records');
  });

  test('none at all: it says where it looked', async () => {
    const home = droverHome();
    home.write('project/.ratchet', 'a file in the place of the folder');
    const { exit, stdout, stderr } = await check(home);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toContain(`no journals found in\n  ${home.home}/.local/state/drover\n  ${home.project}/.drover\n`);
    expect(JSON.parse((await check(home, '--json')).stdout)).toEqual({ journals: [], unread: [], ok: true });
  });

  test('nowhere to look without a home', async () => {
    const { exit, stdout, stderr } = await droverHome().drover(['journal', 'check'], { env: { HOME: '' } });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toBe('cannot tell where the state folder is: HOME is not set\nset HOME to an absolute path, or XDG_STATE_HOME, or state.folder\n');
  });
});

describe('what is refused, with nothing on standard output', () => {
  test.each([[[]], [['--json']]])('files that do not exist, all named at once %j', async (form) => {
    const home = droverHome();
    await journalAt(join(home.project, 'journal.jsonl'));
    const { exit, stdout, stderr } = await check(home, ...form, 'a.jsonl', 'journal.jsonl', 'b/c.jsonl');
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toBe(
      'a.jsonl: no such file\nb/c.jsonl: no such file\ncorrect the path, or name no file to check all journals that are found\n',
    );
  });

  test('a folder', async () => {
    const home = droverHome();
    expect(await check(home, '.')).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining(home.project) });
  });
});
