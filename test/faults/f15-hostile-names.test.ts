import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  changedPaths,
  commitTree,
  displayPath,
  emptyTree,
  findInTree,
  listTree,
  patchBetween,
  pathBytes,
  pathFromBytes,
  readBlob,
  readStatus,
  recordCommit,
  snapshotFiles,
  writeBlob,
  writeTree,
  type GitPath,
  type Repository,
  type TreeEdit,
} from '../../src/kernel/git/index.ts';
import { emptyStage, runGit, SIGNATURE, WHO } from '../support/git-repository.ts';
import { faultCount } from '../support/fault-counts.ts';

const latin1 = (text: string): GitPath => pathFromBytes(Buffer.from(text, 'latin1'));

/** Names that a program could take for something else than the one file of that name. */
const NAMES = [
  'line\nbreak', '\n', 'end\r', '\r\n', 'tab\t', ' leading', 'trailing ', ' ', 'bell\x07', '\x1b[31mred', '\x7f',
  '-', '--', '-rf', '--all', '--pathspec-from-file=x', '-m', '--help',
  '*', '?', '[x]', '[x]*?', '[!a]', '**', '{a,b}', 'a*', 'x?',
  ':/x', ':(glob)**', ':(exclude)a', ':(top)x', ':!a', ':^a', ':0:a', ':(literal)*',
  '"', "'", '"quoted"', '\\', '\\n', 'a\\', '$HOME', '$(touch x)', '`id`', ';', '&', '|', '#', '!', '~', '%00', '^{tree}', '@{u}', '@', 'HEAD', 'main', 'HEAD:a',
  'case', 'CASE', 'Case', '\xe9', '\xc3\xa9', 'e\xcc\x81', '\xff', '\xfe\xfe', '\xc3', '\xed\xa0\x80', '\xe2\x80\xae-rtl', '\xef\xbb\xbfbom', '\xe2\x80\xa8',
  'git', '.gi', '.gitx', 'x.git', '.git-', 'git~', 'git~12', 'gitmodules', '..x', '...', '.x', 'con', 'aux.txt', 'nul', 'lock.lock', 'index.lock',
  '=>', 'a => b', '{a => b}', 'a/\xff/b', 'deep/-x/*/:(glob)', 'R100', '? x', '! x', '1 .M', 'u', '\u0001', '1', '0',
];
/** What git itself takes into no tree, since a checkout could be led into its own folder by it. */
const REFUSED = ['.GIT/config', '.Git/x', 'git~1', 'GIT~1/x', 'sub/.gIt/config', '.git /x', '.git./x', 'sub/.git::$INDEX_ALLOCATION/x'];

/** The list above, filled up to `count` by pairs and by names of 255 bytes. */
function paths(count: number): readonly GitPath[] {
  const all = new Set<GitPath>(NAMES.map(latin1));
  for (let n = 0; all.size < count; n += 1) {
    const [one = '', two = ''] = [NAMES[n % NAMES.length], NAMES[(n * 7 + 3) % NAMES.length]];
    if (n % 3 === 0) all.add(latin1(`folder ${n}/${one.replaceAll('/', '_')}`));
    if (n % 3 === 1) all.add(latin1(`${n}${one}${two}`.replaceAll('/', '_')));
    if (n % 3 === 2) all.add(latin1(`${n}${two.replaceAll('/', '_')}`.padEnd(255, two.replaceAll('/', '_') || 'x').slice(0, 255)));
  }
  return [...all].slice(0, count).sort();
}

const onDisk = (folder: string, path: GitPath): Buffer => Buffer.concat([Buffer.from(`${folder}/`), pathBytes(path)]);

function put(folder: string, path: GitPath, text: string): void {
  const parts = path.split('/').slice(0, -1).join('/');
  if (parts !== '') mkdirSync(onDisk(folder, parts as GitPath), { recursive: true });
  writeFileSync(onDisk(folder, path), text);
}

const COUNT = 200;
/** Each of so many is taken by what looks at one path at a time. */
const STEP = faultCount({ ci: 16, full: 1 });
const ALL = paths(COUNT);
const textOf = (path: GitPath, round: number): string => `${round} ${Buffer.from(path, 'latin1').toString('hex')}\n`;

async function stage() {
  const { repository, folder } = await emptyStage();
  for (const path of ALL) put(folder, path, textOf(path, 1));
  return { repository, folder };
}

/** Each path has the file that was written under it, and no other. */
async function expectContent(repository: Repository, tree: string, wanted: ReadonlyMap<GitPath, string>): Promise<void> {
  const found = (await listTree(repository, tree)).map(({ path, id }) => [path, id]);
  expect(found).toEqual([...wanted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, text]) => [path, idOf(text)]));
}

function idOf(text: string): string {
  return createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
}

// Each of the 200 paths is looked at in each way, with some two hundred calls of git.
describe(`${COUNT} hostile names in one repository`, () => {
  test('status tells each by its very bytes', async () => {
    const { repository } = await stage();
    expect(await readStatus(repository)).toEqual(ALL.map((path) => ({ path, kind: 'untracked' })));
    expect(new Set(ALL.map(displayPath)).size).toBe(COUNT);
    for (const path of ALL) expect(displayPath(path)).not.toMatch(/[\p{Cc}\u202e\ufeff\u2028]/u);
  });

  test('a snapshot, its listing, the blobs, a change of every second, and a removal of every third', async () => {
    const { repository, folder } = await stage();
    const first = await snapshotFiles(repository, { index: 'trusted' });
    expect(first.missed).toEqual([]);
    const wanted = new Map(ALL.map((path) => [path, textOf(path, 1)]));
    await expectContent(repository, first.tree, wanted);

    const changed = ALL.filter((_, at) => at % 2 === 0);
    for (const path of changed) put(folder, path, textOf(path, 2));
    const removed = ALL.filter((_, at) => at % 3 === 0);
    for (const path of removed) rmSync(onDisk(folder, path));
    for (const path of changed) wanted.set(path, textOf(path, 2));
    for (const path of removed) wanted.delete(path);
    const second = await snapshotFiles(repository, { index: 'doubted' });
    await expectContent(repository, second.tree, wanted);

    const changes = await changedPaths(repository, { before: first.tree, after: second.tree });
    expect(changes.map(({ path }) => path)).toEqual(ALL.filter((path) => changed.includes(path) || removed.includes(path)));
    expect(changes.filter(({ after }) => after === undefined).map(({ path }) => path)).toEqual(removed);
    const patch = await patchBetween(repository, { before: first.tree, after: second.tree, maxBytes: 2 ** 24 });
    runGit(folder, ['read-tree', first.tree]);
    runGit(folder, ['apply', '--cached'], { input: patch });
    expect(runGit(folder, ['write-tree'])).toBe(second.tree);
  });

  test('trees are written and searched by the very name', async () => {
    const { repository } = await emptyStage();
    const ids = await Promise.all([writeBlob(repository, 'one'), writeBlob(repository, 'two')]);
    const edits = ALL.map((path, at): TreeEdit => ({ path, kind: 'file', id: ids[at % 2] ?? '' }));
    const tree = await writeTree(repository, edits);
    for (const [at, path] of ALL.entries()) {
      if (at % STEP !== 0) continue;
      expect(await findInTree(repository, tree, path)).toEqual(edits[at]);
    }
    const gone = await writeTree(repository, ALL.map((path): TreeEdit => ({ path, kind: 'absent' })), { base: tree });
    expect(gone).toBe(emptyTree(repository));
    const text = await readBlob(repository, ids[0], { maxBytes: 3 });
    expect(text.toString()).toBe('one');
  });

  test('one path that is committed takes no other along', async () => {
    const { repository } = await stage();
    let tree = emptyTree(repository);
    const commit = await commitTree(repository, { tree, parents: [], author: SIGNATURE, committer: SIGNATURE, message: 'x\n' });
    runGit(repository.commonDir, ['update-ref', 'refs/heads/main', commit]);
    const patterns = ALL.filter((path) => /^[:*?[-]/.test(path));
    const picked = STEP === 1 ? ALL : patterns.filter((_, at) => at % 3 === 0);
    expect(picked.length).toBeGreaterThan(7);
    for (const path of picked) {
      const outcome = await recordCommit(repository, { paths: [path], author: SIGNATURE, who: WHO, message: 'x\n' });
      expect([displayPath(path), outcome.kind]).toEqual([displayPath(path), 'committed']);
      if (outcome.kind !== 'committed') continue;
      const changes = await changedPaths(repository, { before: tree, after: outcome.commit });
      expect(changes.map((change) => change.path)).toEqual([path]);
      tree = outcome.commit;
    }
  });

  test('names that lead into a git folder are refused by name, and stop no other', async () => {
    const { repository, folder } = await emptyStage();
    for (const path of REFUSED) put(folder, latin1(path), 'x');
    put(folder, latin1('fine'), 'x');
    const { tree, missed } = await snapshotFiles(repository, { index: 'trusted' });
    expect([...missed].sort()).toEqual(REFUSED.map(latin1).sort());
    expect((await listTree(repository, tree)).map(({ path }) => path)).toEqual(['fine']);
    const id = await writeBlob(repository, 'x');
    for (const path of REFUSED) {
      await expect(writeTree(repository, [{ path: latin1(path), kind: 'file', id }])).rejects.toMatchObject({ code: 'path-refused' });
    }
    expect(readdirSync(folder)).toContain('git~1');
  });
});
