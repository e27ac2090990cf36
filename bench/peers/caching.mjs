import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { timeOnce } from '../measure.mjs';
import { WIDTH } from '../programs.mjs';
import { findPeer } from './installed.mjs';
import { endMarked, MARK } from './marked.mjs';
import { moonWorkspace, npmStandIn, nxWorkspace, turboWorkspace } from './workspaces.mjs';

/** What of our own surroundings would change how a peer works, or would reach its services. */
const FOREIGN = /^(CI|NX_.*|TURBO_.*|MOON_.*|MOONBASE_.*|PROTO_.*|GIT_.*|NODE_OPTIONS|npm_.*)$/;

const PEERS = [
  {
    name: 'turbo',
    title: 'Turborepo',
    service: 'no daemon (as `turbo run` is by itself), local cache alone',
    makeWorkspace: turboWorkspace,
    words: ['run', 'build', `--concurrency=${WIDTH}`, '--cache=local:rw', '--no-update-notifier'],
    stop: ['daemon', 'stop'],
    settings: { TURBO_TELEMETRY_DISABLED: '1' },
  },
  {
    name: 'nx',
    title: 'Nx',
    service: 'its daemon runs and is warm (as on a developer\'s machine), no cloud',
    makeWorkspace: nxWorkspace,
    words: ['run-many', '-t', 'build', `--parallel=${WIDTH}`],
    stop: ['daemon', '--stop'],
    settings: { NX_DAEMON: 'true', NX_NO_CLOUD: 'true', NX_TUI: 'false' },
  },
  {
    name: 'moon',
    title: 'moon',
    service: 'no daemon (as it is by itself), no remote cache',
    makeWorkspace: moonWorkspace,
    words: ['run', ':build', '--concurrency', WIDTH],
    stop: undefined,
    settings: {},
  },
];

/**
 * The runners that keep results, each with its cache filled. A peer that is missing, fails, or takes too long to fill its cache is
 * said to be so and left out. `end` stops what they left running.
 */
export function cachingPeers({ folder, size, isWanted, primeLimitMs }) {
  if (!isWanted) {
    console.log('peers: not asked for');
    return { commands: [], end: () => undefined };
  }
  const home = join(folder, 'home');
  const environment = peerEnvironment(home);
  const ready = PEERS.map((peer) => prepared(peer, { folder, size, environment, primeLimitMs })).filter((peer) => peer !== undefined);
  const end = () => {
    for (const { start, stop, cwd, env } of ready) {
      if (stop !== undefined) spawnSync(start[0], [...start.slice(1), ...stop], { cwd, env, stdio: 'ignore', timeout: 30_000 });
    }
    endMarked(home);
  };
  return { commands: ready.map(({ command }) => command), end };
}

function prepared(peer, { folder, size, environment, primeLimitMs }) {
  const { name, title, service, makeWorkspace, words, stop, settings } = peer;
  const start = findPeer(name);
  if (start === undefined) {
    console.log(`${title}: missing`);
    return undefined;
  }
  const cwd = makeWorkspace(join(folder, name), size);
  const env = { ...environment, ...settings };
  const command = { name: title, argv: [...start, ...words], cwd, env };
  try {
    commitAll(cwd, env);
    const seconds = timeOnce({ ...command, limitMs: primeLimitMs }) / 1_000;
    console.log(`${title}: ${service}; cache filled in ${seconds.toFixed(0)} s`);
    return { command, start, stop, cwd, env };
  } catch (error) {
    console.log(`${title}: not measured, ${error.message.split('\n')[0]}`);
    endMarked(environment.HOME);
    return undefined;
  }
}

/** Each peer looks at a repository, as those of its users are. */
function commitAll(cwd, env) {
  for (const words of [['init', '-q'], ['add', '-A'], ['commit', '-q', '-m', 'bench']]) {
    const { status, stderr } = spawnSync('git', words, { cwd, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${words[0]}: ${stderr}`);
  }
}

function peerEnvironment(home) {
  const temporary = join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
  return {
    ...own,
    ...folders(home),
    [MARK]: home,
    TMPDIR: temporary,
    PATH: `${npmStandIn(join(home, 'bin'))}:${own.PATH}`,
    DO_NOT_TRACK: '1',
    GIT_AUTHOR_NAME: 'bench',
    GIT_AUTHOR_EMAIL: 'bench@localhost',
    GIT_COMMITTER_NAME: 'bench',
    GIT_COMMITTER_EMAIL: 'bench@localhost',
  };
}

function folders(home) {
  return {
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_STATE_HOME: join(home, 'state'),
    MOON_HOME: join(home, 'moon'),
    PROTO_HOME: join(home, 'proto'),
    NX_NATIVE_FILE_CACHE_DIRECTORY: join(home, 'nx-native'),
  };
}
