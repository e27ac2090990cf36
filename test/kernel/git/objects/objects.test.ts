import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  commitTree,
  emptyTree,
  findInTree,
  gitPath,
  isAncestor,
  listTree,
  mergeBases,
  readBlob,
  readCommit,
  writeBlob,
  writeTree,
  type GitPath,
  type Repository,
  type TreeEdit,
} from '../../../../src/kernel/git/index.ts';
import { parseCommit } from '../../../../src/kernel/git/objects/commit.ts';
import { commitOf, emptyStage, put, runGit, SIGNATURE } from '../../../support/git-repository.ts';

const MISSING = '1'.repeat(40);

describe('files', () => {
  test('come back byte for byte, and are what git itself would store', async () => {
    const { repository, folder } = await emptyStage();
    put(join(folder, '.gitattributes'), '* text eol=crlf\n');
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256));
    const id = await writeBlob(repository, bytes);
    expect(id).toBe(runGit(folder, ['hash-object', '--no-filters', '--stdin'], { input: bytes }));
    await expect(readBlob(repository, id, { maxBytes: 512 })).resolves.toEqual(bytes);
    await expect(readBlob(repository, await writeBlob(repository, ''), { maxBytes: 0 })).resolves.toHaveLength(0);
  });

  test('larger than asked for, missing, of another kind, badly named', async () => {
    const { repository } = await emptyStage();
    const id = await writeBlob(repository, 'x'.repeat(1_000));
    await expect(readBlob(repository, id, { maxBytes: 999 })).rejects.toMatchObject({ code: 'git-output-too-large' });
    await expect(readBlob(repository, MISSING, { maxBytes: 1 })).rejects.toMatchObject({ code: 'object-missing' });
    await expect(readBlob(repository, emptyTree(repository), { maxBytes: 1 })).rejects.toMatchObject({ code: 'object-missing' });
    for (const bad of ['--help', 'HEAD', id.slice(1), id.toUpperCase(), `${id}\n`]) {
      await expect(readBlob(repository, bad, { maxBytes: 1 })).rejects.toMatchObject({ code: 'bad-object-id' });
    }
  });

  test('a damaged object is an error that names it, and never empty', async () => {
    const { repository } = await emptyStage();
    const id = await writeBlob(repository, 'precious');
    const folder = join(repository.commonDir, 'objects', id.slice(0, 2));
    for (const cut of [5, 0]) {
      truncateSync(join(folder, readdirSync(folder)[0] ?? ''), cut);
      await expect(readBlob(repository, id, { maxBytes: 100 })).rejects.toMatchObject({ code: 'object-missing', message: expect.stringContaining(id) });
    }
  });
});

const kinds = ['file', 'executable', 'link'] as const;
/** Names of arbitrary bytes that a tree may have. */
const nameBytes = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll(/[/\0\\.~:]|git/gi, '_'));

describe('trees', () => {
  test('any paths, of any bytes, come back as they went in', async () => {
    const { repository } = await emptyStage();
    const id = await writeBlob(repository, 'x');
    const property = fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.array(nameBytes, { minLength: 1, maxLength: 3 }), fc.constantFrom(...kinds)), {
        selector: ([names]) => names[0],
        maxLength: 8,
      }),
      async (wanted) => {
        const edits = wanted.map(([names, kind]) => ({ path: names.join('/') as GitPath, kind, id }));
        const tree = await writeTree(repository, edits);
        const sorted = edits.toSorted((one, other) => (one.path < other.path ? -1 : 1));
        expect(await listTree(repository, tree)).toEqual(sorted);
        for (const edit of edits.slice(0, 2)) expect(await findInTree(repository, tree, edit.path)).toEqual(edit);
      },
    );
    await fc.assert(property, { numRuns: 8 });
  });

  test('edits of a base: added, changed, taken out, a folder for a file', async () => {
    const { repository } = await emptyStage();
    const [one, two] = [await writeBlob(repository, '1'), await writeBlob(repository, '2')];
    const entry = (path: string, id: string): TreeEdit => ({ path: gitPath(path), kind: 'file', id });
    const base = await writeTree(repository, [entry('a', one), entry('b/c', one), entry('d', one)]);
    const gone: TreeEdit = { path: gitPath('b/c'), kind: 'absent' };
    const tree = await writeTree(repository, [entry('a', two), gone, { path: gitPath('d'), kind: 'absent' }, entry('d/e', two)], { base });
    expect((await listTree(repository, tree)).map(({ path, id }) => [path, id])).toEqual([['a', two], ['d/e', two]]);
    expect(await findInTree(repository, tree, gitPath('d'))).toMatchObject({ kind: 'folder' });
    expect(await findInTree(repository, tree, gitPath('a/x'))).toBeUndefined();
    expect(await findInTree(repository, tree, gitPath('d/x'))).toBeUndefined();
    expect(await writeTree(repository, [])).toBe(emptyTree(repository));
  });

  test('paths that no checkout may have are refused, not left out', async () => {
    const { repository } = await emptyStage();
    const id = await writeBlob(repository, 'x');
    for (const path of ['.git/config', '.GIT/config', 'git~1', '../up', 'a/../b', '/etc/passwd', 'a//b', './a', '']) {
      const edits: TreeEdit[] = ['fine', path].map((name) => ({ path: gitPath(name), kind: 'file', id }));
      await expect(writeTree(repository, edits)).rejects.toMatchObject({ code: 'path-refused' });
    }
  });

  test('missing ones are named', async () => {
    const { repository } = await emptyStage();
    await expect(listTree(repository, MISSING)).rejects.toMatchObject({ code: 'object-missing', message: expect.stringContaining(MISSING) });
  });

  test('the empty tree of sha256', async () => {
    const { repository } = await emptyStage({ format: 'sha256' });
    expect(await writeTree(repository, [])).toBe(emptyTree(repository));
  });
});

describe('commits', () => {
  async function write(repository: Repository, message: string, name = 'Jörg') {
    const author = { ...SIGNATURE, name, date: { seconds: 1_700_000_000, offsetMinutes: -570 } };
    return commitTree(repository, { tree: emptyTree(repository), parents: [], author, committer: SIGNATURE, message });
  }

  test('all fields come back, and the same input gives the same commit', async () => {
    const { repository, folder } = await emptyStage();
    put(join(folder, '.git/config'), '[i18n]\n\tcommitEncoding = latin1\n[commit]\n\tgpgSign = true\n');
    const first = await write(repository, 'Grüße\n\nBody\n');
    const second = await commitTree(repository, { ...(await readCommit(repository, first)), parents: [first] });
    expect(await write(repository, 'Grüße\n\nBody\n')).toBe(first);
    expect(await readCommit(repository, second)).toEqual({
      id: second,
      tree: emptyTree(repository),
      parents: [first],
      author: { ...SIGNATURE, name: 'Jörg', date: { seconds: 1_700_000_000, offsetMinutes: -570 } },
      committer: SIGNATURE,
      message: 'Grüße\n\nBody\n',
    });
  });

  test.each(['', '\n', '# not a comment\n', '-m\n', 'no line break', 'tab\tand\u0007bell\n'])('the message %j is kept', async (message) => {
    const { repository } = await emptyStage();
    const { message: kept } = await readCommit(repository, await write(repository, message));
    expect(kept.trimEnd()).toBe(message.trimEnd());
  });

  test('what is no commit, and a message that no commit can have', async () => {
    const { repository } = await emptyStage();
    await expect(readCommit(repository, await writeBlob(repository, 'x'))).rejects.toMatchObject({ code: 'object-missing' });
    await expect(write(repository, 'a\0b')).rejects.toMatchObject({ code: 'git-failed', message: expect.stringContaining('NUL') });
    await expect(write(repository, 'x', '')).rejects.toMatchObject({ code: 'git-failed', message: expect.stringContaining('ident') });
  });

  test('odd commits of others: signed, in another encoding, damaged', () => {
    const head = (extra: string, name = 'A B') => `tree ${MISSING}\nauthor ${name} <a@b> 1 +0000\ncommitter C <c@d> 2 -0130\n${extra}`;
    const signed = parseCommit('x', Buffer.from(head('gpgsig -----BEGIN\n tree 0\n -----END\n\nmessage\n\ntree 1\n')));
    expect(signed).toMatchObject({ tree: MISSING, message: 'message\n\ntree 1\n', committer: { date: { offsetMinutes: -90 } } });
    const latin1 = parseCommit('x', Buffer.from(head('encoding ISO-8859-1\n\nGr\xfc\xdfe\n', 'J\xf6rg'), 'latin1'));
    expect(latin1).toMatchObject({ message: 'Grüße\n', author: { name: 'Jörg' } });
    expect(parseCommit('x', Buffer.from(head('encoding klingon\n\nGr\xfc\n'), 'latin1'))).toMatchObject({ message: 'Grü\n' });
    expect(parseCommit('x', Buffer.from(head('')))).toMatchObject({ message: '' });
    for (const broken of ['', '\n\nx', 'tree 1\n\nx', head('').replace('author', 'auther'), head('').replace('2 -0130', 'now')]) {
      expect(parseCommit('x', Buffer.from(broken))).toBeUndefined();
    }
  });
});

describe('histories', () => {
  test('ancestors and merge bases', async () => {
    const { repository } = await emptyStage();
    const root = await commitOf(repository, { a: '0' });
    const [left, right] = [await commitOf(repository, { a: '1' }, [root]), await commitOf(repository, { a: '2' }, [root])];
    const crossed = [await commitOf(repository, { a: '3' }, [left, right]), await commitOf(repository, { a: '4' }, [right, left])] as const;
    const stranger = await commitOf(repository, { z: '9' });
    expect(await isAncestor(repository, { ancestor: root, descendant: crossed[0] })).toBe(true);
    expect(await isAncestor(repository, { ancestor: root, descendant: root })).toBe(true);
    expect(await isAncestor(repository, { ancestor: left, descendant: right })).toBe(false);
    expect(await mergeBases(repository, left, right)).toEqual([root]);
    expect((await mergeBases(repository, ...crossed)).toSorted()).toEqual([left, right].toSorted());
    expect(await mergeBases(repository, root, stranger)).toEqual([]);
    await expect(isAncestor(repository, { ancestor: MISSING, descendant: root })).rejects.toMatchObject({ code: 'git-failed' });
  });

  test('are not rewritten by grafts or replacements that somebody left', async () => {
    const { repository, folder } = await emptyStage();
    const root = await commitOf(repository, { a: '0' });
    const [left, right] = [await commitOf(repository, { a: '1' }, [root]), await commitOf(repository, { a: '2' }, [root])];
    put(join(folder, '.git/info/grafts'), `${right} ${left}\n`);
    runGit(folder, ['replace', left, right]);
    expect(await isAncestor(repository, { ancestor: left, descendant: right })).toBe(false);
    expect((await readCommit(repository, left)).tree).not.toBe((await readCommit(repository, right)).tree);
  });
});
