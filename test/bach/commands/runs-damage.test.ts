import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectSqlite } from '../../../src/kernel/sql/index.ts';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import type { CliResult } from '../../support/cli.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { daily, execute, giveAway, placeAt, recordRuns, stateOf } from '../store/recorded-runs.ts';

const FILE = 'shell "test" { shell = "touch ready; while [ ! -e go ]; do sleep 0.05; done" }\n';
const ID = '20260608T120000.000000000Z';

const READING = [['runs', 'list'], ['runs', 'inspect', ID], ['runs', 'prune', '--dry-run'], ['artifacts'], ['artifacts', ID], ['logs', ID]];
const CALLS = [...READING, ['runs', 'prune']];

/** A refusal: nothing on standard output, also where a document was asked for, and in the last line what can be done. */
function expectRefusal({ exit, stdout, stderr }: CliResult, says: RegExp): void {
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
  expect(stderr).toMatch(says);
  expect(stderr.trimEnd().split('\n').length).toBeGreaterThan(1);
  expect(stderr).not.toMatch(/^ {4}at /m);
}

const STATES: readonly (readonly [name: string, arrange: (project: BachProject) => Promise<void> | void, says: RegExp])[] = [
  ['garbage', (project) => writeState(project, 'not a database, but long enough to look like one'.repeat(40)), /state\.db cannot be read as a database: /],
  ['of something else', (project) => otherDatabase(project), /state\.db is a database of something else/],
  [
    'from a newer version',
    async (project) => {
      await recordRuns(placeAt(project.folder), daily(60, 2000));
      execute(project.folder, "INSERT INTO bach_schema_migrations SELECT '999-unknown', applied_at FROM bach_schema_migrations LIMIT 1");
    },
    /state\.db was written by a newer version/,
  ],
  ['a folder', (project) => void mkdirSync(project.at('.bach/state.db'), { recursive: true }), /state\.db/],
];

function writeState(project: BachProject, text: string): void {
  mkdirSync(project.at('.bach'));
  writeFileSync(project.at('.bach/state.db'), text);
}

function otherDatabase(project: BachProject): void {
  mkdirSync(project.at('.bach'));
  const connection = connectSqlite(project.at('.bach/state.db'));
  connection.exec('CREATE TABLE theirs (id TEXT)');
  connection.close();
}

describe.each(STATES)('a state that is %s', (_name, arrange, says) => {
  test.each(CALLS.map((argv) => [argv.join(' '), argv] as const))('is refused by bach %s, and left as it is', async (_, argv) => {
    const project = bachProject(FILE);
    await arrange(project);
    expectRefusal(await project.bach(argv), says);
    expectRefusal(await project.bach([...argv, '--json']), says);
    expect(existsSync(project.at('.bach/state.db'))).toBe(true);
  });
});

test('a state that was written by a newer version keeps its runs', async () => {
  const project = bachProject(FILE);
  await recordRuns(placeAt(project.folder), daily(60, 2000));
  execute(project.folder, "INSERT INTO bach_schema_migrations SELECT '999-unknown', applied_at FROM bach_schema_migrations LIMIT 1");
  await project.bach(['runs', 'prune']);
  expect(stateOf(project.folder).rows).toHaveLength(60);
});

test('a state that is removed while a run is on: nothing is listed, nothing found, nothing made', async () => {
  const project = bachProject(FILE);
  const ended = project.bach(['run', 'shell/test']);
  while (!existsSync(project.at('ready'))) await new Promise((resolve) => setTimeout(resolve, 20));
  rmSync(project.at('.bach/state.db'));
  expect(await project.bach(['runs', 'list', '--json'])).toMatchObject({ exit: 0, stderr: '', stdout: '{\n  "runs": []\n}\n' });
  for (const argv of [['runs', 'inspect', ID], ['logs', ID], ['artifacts', ID]]) expectRefusal(await project.bach([...argv, '--json']), /^not found: run /);
  expect(await project.bach(['runs', 'prune'])).toMatchObject({ exit: 0, stdout: 'removed 0 runs; 0 runs stay\n' });
  expect(existsSync(project.at('.bach/state.db'))).toBe(false);
  project.write('go', '');
  const { exit, stderr } = await ended;
  expect(exit).toBe(1);
  expect(stderr).toMatch(/removed or replaced/);
});

test('a moment that cannot be read in a row is said with the run and the column', async () => {
  const project = bachProject(FILE);
  const [id = ''] = await recordRuns(placeAt(project.folder), [{}]);
  execute(project.folder, "UPDATE runs SET finished_at = 'yesterday'");
  for (const argv of [['runs', 'list'], ['runs', 'inspect', id], ['logs', id], ['artifacts']]) {
    expectRefusal(await project.bach([...argv, '--json']), new RegExp(`^run "${id}" has an unreadable finished_at: "yesterday"`));
  }
});

describe('a project that the user may only read', () => {
  async function closed(): Promise<BachProject> {
    const project = bachProject(FILE);
    await recordRuns(placeAt(project.folder), [...daily(51, 2000), { id: ID }]);
    giveAway(project.folder);
    // Loads the verbs: the ordinary user may have no right to read them here.
    for (const argv of CALLS) await project.bach([...argv, '--help']);
    await project.bach(['runs', 'list']);
    // The database as well: what the real user may do is looked at too, and that may be root.
    chmodSync(project.at('.bach/state.db'), 0o444);
    chmodSync(project.at('.bach'), 0o555);
    return project;
  }

  test('is listed, inspected and looked through for old runs', async () => {
    const project = await closed();
    const answers = await asOrdinaryUser(async () => {
      const found: CliResult[] = [];
      for (const argv of READING) found.push(await project.bach(argv));
      return found;
    });
    expect(answers.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(READING.map(() => ({ exit: 0, stderr: '' })));
    expect(answers[2]?.stdout).toMatch(/would remove 2 runs; 50 runs stay\n$/);
  });

  test('keeps all its runs', async () => {
    const project = await closed();
    const answer = await asOrdinaryUser(() => project.bach(['runs', 'prune', '--json']));
    expectRefusal(answer, /state\.db.*(permission denied|read-only|readonly)/);
    chmodSync(project.at('.bach'), 0o700);
    expect(stateOf(project.folder).rows).toHaveLength(52);
    expect(readFileSync(project.at('.bach/runs', ID, 'shell__test.log'), 'utf8')).toBe(`log of ${ID}\n`);
  });
});
