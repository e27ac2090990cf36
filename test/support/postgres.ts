import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const READY = 'database system is ready to accept connections';

/** Without a sync, since no test pulls the plug; what was acknowledged is written all the same, and survives a crash. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=150', 'shared_buffers=32MB'];

/** A server of its own for the tests of one file. */
export interface PostgresServer {
  /** As the superuser, to the database `postgres`, over loopback. */
  readonly url: string;
  readonly port: number;
  /** Ends it at once as a crash would (`SIGQUIT`), or after its connections were cut (`SIGINT`). */
  stop(how: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts it again where it was. */
  start(): Promise<void>;
}

/** Why tests on PostgreSQL are skipped here, or `undefined`. */
export const withoutPostgres: string | undefined = reasonWithoutPostgres();

/** Starts a server before the tests of the file that calls this, and ends it after them; nothing where there is none. */
export function postgresServer(): PostgresServer {
  const server = new ThrowAwayServer();
  beforeAll(() => (withoutPostgres === undefined ? server.create() : undefined));
  afterAll(() => server.remove());
  return server;
}

/** An address of another database or user on the server. */
export function postgresUrl({ port }: { readonly port: number }, { user = 'postgres', password = '', database = 'postgres' } = {}): string {
  return `postgres://${user}${password === '' ? '' : `:${password}`}@127.0.0.1:${port}/${database}`;
}

class ThrowAwayServer implements PostgresServer {
  port = 0;
  #folder = '';
  #child: ChildProcess | undefined;

  get url(): string {
    return postgresUrl(this);
  }

  async create(): Promise<void> {
    this.#folder = mkdtempSync(join(reachableFolder(), 'drover-postgres-'));
    chmodSync(this.#folder, 0o755);
    const owner = serverUser();
    if (owner !== undefined) chownSync(this.#folder, owner.uid, owner.gid);
    const argv = ['-D', this.#data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C'];
    execFileSync(programOf('initdb'), argv, { ...owner, cwd: this.#folder, stdio: ['ignore', 'ignore', 'inherit'] });
    await this.#startOnFreePort();
  }

  /** Between the look for a port and the start somebody else may take it. */
  async #startOnFreePort(): Promise<void> {
    for (;;) {
      this.port = await freePort();
      try {
        return await this.start();
      } catch (error) {
        if (!(error instanceof Error && error.message.includes('Address already in use'))) throw error;
      }
    }
  }

  async start(): Promise<void> {
    const places = ['listen_addresses=127.0.0.1', `port=${this.port}`, `unix_socket_directories=${this.#folder}`];
    const argv = ['-D', this.#data, ...[...SETTINGS, ...places].flatMap((setting) => ['-c', setting])];
    const child = spawn(programOf('postgres'), argv, { ...serverUser(), cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    const said: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      said.push(line);
      if (line.includes(READY)) break;
    }
    child.stderr.resume();
    if (child.exitCode !== null || !said.at(-1)?.includes(READY)) throw new Error(`postgres did not start:\n${said.join('\n')}`);
  }

  async stop(how: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill(how);
    await ended;
  }

  async remove(): Promise<void> {
    if (this.#folder === '') return;
    await this.stop('SIGINT');
    const left = processesIn(this.#data);
    rmSync(this.#folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`the server left processes behind: ${left.join(', ')}`);
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }
}

function reasonWithoutPostgres(): string | undefined {
  const missing = ['initdb', 'postgres'].find((program) => findProgram(program) === undefined);
  if (missing !== undefined) return `${missing} is not installed (Debian: apt-get install postgresql)`;
  const needsUser = process.getuid?.() === 0 && serverUser() === undefined;
  return needsUser ? 'PostgreSQL does not run as root, and there is no user postgres' : undefined;
}

function programOf(name: string): string {
  return findProgram(name) ?? name;
}

/** Debian keeps the server's programs out of the path, one folder for each version. */
function findProgram(name: string): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  return [...debianFolders(), ...onPath].map((folder) => join(folder, name)).find(isExecutable);
}

function debianFolders(): readonly string[] {
  try {
    const versions = readdirSync(DEBIAN_FOLDER).toSorted((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  } catch {
    // Another system, or nothing installed.
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Absent or not executable: another folder may have it.
    return false;
  }
}

/** Root gives its rights away, which the server insists on; everybody else starts it as himself. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const numberOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: numberOf('-u'), gid: numberOf('-g') };
  } catch {
    // There is no such user.
    return undefined;
  }
}

/** The temporary folder, unless another user cannot get into it. */
function reachableFolder(): string {
  const folder = realpathSync(tmpdir());
  for (let place = folder; place !== dirname(place); place = dirname(place)) {
    if ((statSync(place).mode & 0o001) === 0) return '/tmp';
  }
  return folder;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Each process of a server works in the folder of its data. */
function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
    } catch {
      // Ended meanwhile.
      return false;
    }
  });
}
