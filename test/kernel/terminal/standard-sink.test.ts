import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chunkedProgram } from '../../support/chunked-program.ts';
import { testNeeding } from '../../support/needs.ts';
import { Screen } from '../../support/tmux.ts';

const program = chunkedProgram(join(import.meta.dirname, 'fixtures/kind.ts'));
let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'drover-kind-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const PLAIN = { terminal: false, columns: 0, waiting: 0, failure: 'none' };

/** What the program saw when the shell gave it this standard output. */
async function kindWith(redirection: string) {
  const line = `${JSON.stringify(process.execPath)} ${JSON.stringify(program.file)} kind.json ${redirection}`;
  const child = spawn('bash', ['-c', line], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { kind: kindSeen(), stdout };
}

function kindSeen(): unknown {
  return JSON.parse(readFileSync(join(folder, 'kind.json'), 'utf8'));
}

describe('standard output of a real process', () => {
  test.each([
    ['a file', '> out', PLAIN],
    ['a file that others append to', '>> out', PLAIN],
    ['the null device', '> /dev/null', PLAIN],
    ['a full device', '> /dev/full', { ...PLAIN, failure: 'ENOSPC' }],
    ['a descriptor open for reading', '1< /dev/null', { ...PLAIN, failure: 'EBADF' }],
    ['a pipe', '| cat', PLAIN],
    ['a pipe that nobody reads', '| true', PLAIN],
  ])('%s', async (_name, redirection, kind) => {
    expect((await kindWith(redirection)).kind).toEqual(kind);
  });

  test('a pipe and a file get the bytes', async () => {
    expect((await kindWith('')).stdout).toBe('written\n');
    rmSync(join(folder, 'kind.json'));
    await kindWith('> out');
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('written\n');
  });

  test('a socket', async () => {
    const server = createServer().listen(join(folder, 'socket'));
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(join(folder, 'socket'));
    const [[peer]] = await Promise.all([accepted, once(client, 'connect')]);
    const argv = [program.file, join(folder, 'kind.json')];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', client, 'inherit'] });
    await once(child, 'exit');
    client.destroy();
    expect(await text(peer)).toBe('written\n');
    server.close();
    expect(kindSeen()).toEqual(PLAIN);
  });

  testNeeding('tmux', 'a terminal, with its width', async () => {
    const argv = ['env', '-u', 'COLUMNS', process.execPath, program.file, join(folder, 'kind.json')];
    const screen = Screen.start(argv, { columns: 63, rows: 5 });
    try {
      const file = join(folder, 'kind.json');
      await screen.until(() => existsSync(file) && readFileSync(file).length > 0);
      expect(kindSeen()).toEqual({ ...PLAIN, terminal: true, columns: 63 });
    } finally {
      screen.close();
    }
  });
});
