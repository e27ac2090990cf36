import { fail, ok, warn, type Check, type Finding } from './check.ts';
import { versionOf, type Answer } from './program-version.ts';

interface Version {
  readonly major: number;
  readonly minor: number;
}

const NODE_FLOOR = { major: 20, minor: 19 };
const GIT_FLOOR = { major: 2, minor: 34 };
/** From here on git merges trees without a checkout. */
const GIT_WHOLE = { major: 2, minor: 38 };

export const node: Check = {
  name: 'node',
  run: () => Promise.resolve(judgeNode(process.versions.node)),
};

export const git: Check = {
  name: 'git',
  run: async (patient) => judgeGit(await versionOf(['git', '--version'], patient)),
};

export const tmux: Check = {
  name: 'tmux',
  run: async (patient) => judgeTmux(await versionOf(['tmux', '-V'], patient)),
};

/** Exported for its test. */
export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (isBelow({ major, minor }, NODE_FLOOR)) return fail(`${version}; at least 20.19 is needed`, 'install a newer Node.js');
  return ok(version);
}

/** Exported for its test. */
export function judgeGit(answer: Answer): Finding {
  if (answer.kind === 'missing') return fail('not on PATH', 'install git 2.38 or newer');
  if (answer.kind === 'broken') return fail(answer.reason, 'run "git --version" by hand and mend what it shows');
  if (isBelow(answer, GIT_FLOOR)) return fail(`${answer.text}; at least 2.34 is needed`, 'install git 2.38 or newer');
  if (isBelow(answer, GIT_WHOLE)) return warn(`${answer.text}; it works, and some merges take longer`, 'install git 2.38 or newer');
  return ok(answer.text);
}

/** Exported for its test. */
export function judgeTmux(answer: Answer): Finding {
  if (answer.kind === 'version') return ok(answer.text);
  if (answer.kind === 'missing') return warn('not on PATH; sessions that one can attach to need it', 'install tmux to use them');
  return warn(answer.reason, 'run "tmux -V" by hand and mend what it shows');
}

function isBelow({ major, minor }: Version, floor: Version): boolean {
  return major < floor.major || (major === floor.major && minor < floor.minor);
}
