import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import type { CliResult } from '../../support/cli.ts';
import { testUnless } from '../../support/needs.ts';
import { referenceLines, withoutReference } from '../../support/shared-texts.ts';
import { changeState } from './support.ts';

const FILE = `
var "v" { default = "default" }
profile "s" {
  env { P = "profile" }
}
alias "old" { target = shell.a }
shell "a" {
  description = "v=\${var.v}"
  cost        = "low"
  inputs      = ["in.txt"]
  shell       = "echo out $P $E; echo an error"
  outputs     = ["Bachfile"]
}
shell "b" {
  requires_confirmation = true
  quiet                 = true
  shell                 = "echo quiet b"
}
shell "bad" { shell = "echo bad; exit 1" }
policy "gate" {
  subject          = "agent.x"
  required_targets = [shell.a]
}
`;

/** A flag with its value at one verb, and how what the verb does is another with it. */
interface Use {
  readonly verb: string;
  readonly words: readonly string[];
  /** Behind the verb and the flag. */
  readonly rest?: readonly string[];
  readonly changed: (pair: Pair) => void | Promise<void>;
  /** It may stand before the verb. */
  readonly global?: boolean;
}

interface Pair {
  readonly bare: CliResult;
  readonly flagged: CliResult;
  readonly project: BachProject;
}

const gains = (text: string | RegExp) => ({ bare, flagged }: Pair) => {
  expect(bare.stdout).not.toMatch(text);
  expect(flagged).toMatchObject({ exit: 0, stdout: expect.stringMatching(text) });
};
const loses = (text: string | RegExp) => ({ bare, flagged }: Pair) => {
  expect(bare.stdout).toMatch(text);
  expect(flagged.exit).toBe(0);
  expect(flagged.stdout).not.toMatch(text);
};
const isDocument = ({ bare, flagged }: Pair) => {
  expect(bare.stdout).not.toMatch(/^\{/);
  expect(JSON.parse(flagged.stdout)).toBeTypeOf('object');
};
const succeeds = ({ bare, flagged }: Pair) => {
  expect(bare.exit).toBe(1);
  expect(flagged.exit).toBe(0);
};

const LISTED = 'RUN';
const RUN_FILTERS = (verb: string): readonly (readonly [flag: string, use: Use])[] => [
  ['--runs-limit', { verb, words: ['1'], changed: ({ bare, flagged }) => expect(linesIn(flagged)).toBeLessThan(linesIn(bare)) }],
  ['--target', { verb, words: ['shell.bad'], changed: loses(/shell\/a /) }],
  ['--status', { verb, words: ['failed'], changed: ({ bare, flagged }) => expect(linesIn(flagged)).toBeLessThan(linesIn(bare)) }],
  ['--since', { verb, words: ['24h'], changed: loses(LISTED) }],
  ['--artifact', { verb, words: ['bad'], changed: loses(LISTED) }],
];

/** By the long form. */
const USES: readonly (readonly [flag: string, use: Use])[] = [
  ['--file', { verb: 'list', words: ['other.bach'], global: true, changed: gains('shell/other') }],
  ['--file', { verb: 'init', words: ['new/Bachfile'], rest: ['--dry-run'], global: true, changed: succeeds }],
  ['--aliases', { verb: 'list', words: [], changed: gains('old -> shell/a') }],
  ['--generated', { verb: 'list', words: [], changed: gains('policy.gate@agent.x') }],
  ['--verbose', { verb: 'list', words: [], global: true, changed: gains(/^TARGET +COST/) }],
  ['--verbose', { verb: 'run', words: [], rest: ['-y', 'shell/b'], global: true, changed: gains('] quiet b\n') }],
  ...RUN_FILTERS('runs list'),
  ...RUN_FILTERS('artifacts'),
  ['--failed', { verb: 'logs', words: [], rest: ['MIXED'], changed: loses('==> shell/a ') }],
  ['--target', { verb: 'logs', words: ['shell/bad'], rest: ['MIXED'], changed: loses('==> shell/a ') }],
  ['--last', { verb: 'logs', words: ['1'], rest: ['MIXED'], changed: ({ bare, flagged }) => expect(linesIn(flagged)).toBeLessThan(linesIn(bare)) }],
  ['--errors', { verb: 'logs', words: [], rest: ['MIXED'], changed: loses(/^out/m) }],
  ['--dry-run', { verb: 'run', words: [], rest: ['shell/bad'], changed: succeeds }],
  ['--dry-run', { verb: 'init', words: [], rest: ['-f', 'newer/Bachfile'], changed: ({ flagged, project }) => {
    expect(flagged.stdout).toContain('would create ');
    expect(existsSync(project.at('newer/dry'))).toBe(false);
  } }],
  ['--provider', { verb: 'init', words: ['opencode'], rest: ['-d', '-f', 'new/Bachfile'], changed: gains('would run opencode run') }],
  ['--force', { verb: 'run', words: [], rest: ['shell/a'], changed: async ({ flagged, project }) => {
    expect(flagged.exit).toBe(0);
    expect((await project.bach(['runs', 'list', '--runs-limit', '1'])).stdout).toContain(' run,force ');
  } }],
  ['--yes', { verb: 'run', words: [], rest: ['shell/b'], changed: succeeds }],
  ['--env-file', { verb: 'run', words: ['more.env'], rest: ['--force', 'shell/a'], changed: gains('out  more') }],
  ['--profile', { verb: 'run', words: ['s'], rest: ['--force', 'shell/a'], global: true, changed: gains('out profile') }],
  ['--log-only', { verb: 'run', words: [], rest: ['--force', 'shell/a'], changed: loses('] an error\n') }],
  ['--jobs', { verb: 'run', words: ['1'], rest: ['-d', 'shell/a'], changed: ({ flagged }) => expect(flagged.exit).toBe(0) }],
  ['--var', { verb: 'list', words: ['v=given'], global: true, changed: gains('v=given') }],
  ['--json', { verb: 'run', words: [], rest: ['-d', 'shell/a'], global: true, changed: isDocument }],
  ['--json', { verb: 'runs inspect', words: [], rest: ['MIXED'], global: true, changed: isDocument }],
  ['--json', { verb: 'provenance', words: [], rest: ['in.txt'], global: true, changed: isDocument }],
  ['--json', { verb: 'validate', words: [], global: true, changed: isDocument }],
  ['--format', { verb: 'graph', words: ['json'], changed: isDocument }],
  ['--version', { verb: '', words: [], changed: gains(/^bach dev\n$/) }],
];

const SHORT: Readonly<Record<string, string>> = {
  '--file': '-f', '--aliases': '-a', '--verbose': '-v', '--dry-run': '-d', '--provider': '-p', '--yes': '-y', '--jobs': '-j',
};

/** Flags of verbs that a later release brings. */
const LATER = ['--workflow', '--title', '--body', '--body-file', '--priority', '--label', '--dedupe-key', '--plan', '--reason', '--phase', '--poll-interval', '--renew-interval', '--lease-ttl'];

/** With a run from long ago and two from now for verbs that look at runs; `mixed` is one of two targets. */
async function projectFor(verb: string): Promise<{ readonly project: BachProject; readonly mixed: string }> {
  const project = bachProject(FILE);
  project.write('other.bach', 'project "other" {}\nshell "other" {}\n');
  project.write('in.txt', '');
  project.write('more.env', 'E=more\n');
  return { project, mixed: /^(runs|logs|artifacts)/.test(verb) ? await record(project) : '' };
}

async function record(project: BachProject): Promise<string> {
  const old = runIdIn((await project.bach(['run', 'shell/a'])).stdout);
  const mixed = runIdIn((await project.bach(['run', '--force', 'shell/a', 'shell/bad', '-j', '1'])).stdout);
  await project.bach(['run', 'shell/bad']);
  changeState(
    project,
    `BEGIN; PRAGMA defer_foreign_keys = ON;
     UPDATE runs SET id = '${LISTED}', started_at = '2020-01-01T00:00:00.000000000Z', finished_at = '2020-01-01T00:00:01.000000000Z' WHERE id = '${old}';
     UPDATE target_runs SET run_id = '${LISTED}' WHERE run_id = '${old}'; UPDATE artifacts SET run_id = '${LISTED}', created_at = '2020-01-01T00:00:00.000000000Z' WHERE run_id = '${old}'; COMMIT`,
  );
  return mixed;
}

function linesIn({ stdout }: CliResult): number {
  return stdout.split('\n').length;
}

describe('the flags of the reference', () => {
  test.each(USES.map(([flag, use]) => [flag, use.verb, use] as const))('%s of bach %s is accepted, told on its page, and changes what is done', async (flag, verb, use) => {
    const { project, mixed } = await projectFor(verb);
    const words = verb === '' ? [] : verb.split(' ');
    const rest = (use.rest ?? []).map((word) => (word === 'MIXED' ? mixed : word));
    for (const form of [flag, ...(SHORT[flag] === undefined ? [] : [SHORT[flag]])]) {
      const bare = await project.bach([...words, ...rest]);
      const flagged = await project.bach([...words, form, ...use.words, ...rest]);
      await use.changed({ bare, flagged, project });
      expect((await project.bach([...words, '--help'])).stdout).toMatch(new RegExp(`(^|[ ,])${form}\\b`, 'm'));
      if (verb === '') continue;
      const before = await project.bach([form, ...use.words, ...words, ...rest]);
      if (use.global === true) await use.changed({ bare, flagged: before, project });
      else expect({ form, exit: before.exit }).toEqual({ form, exit: 2 });
    }
  });

  testUnless(withoutReference, 'are all in this table, skipped where the reference is absent', () => {
    const lines = referenceLines();
    const listed = lines.slice(lines.indexOf('Supported flags:'), lines.indexOf('Exit codes')).filter((line) => line.startsWith('• -'));
    const flags = listed.map((line) => (line.slice(2).split(':')[0] ?? '').split(', ').map((form) => form.split(' ')[0] ?? ''));
    expect(flags.length).toBeGreaterThan(30);
    const known = new Set([...USES.flatMap(([flag]) => [flag, SHORT[flag] ?? '']), ...LATER]);
    expect(flags.flat().filter((form) => !known.has(form))).toEqual([]);
  });

  test.each(LATER)('%s belongs to a verb of a later release', async (flag) => {
    const { exit, stdout } = await bachProject(FILE).bach(['list', flag, 'x']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  });
});
