import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { commitInCheckout, runGit } from '../../support/git-repository.ts';
import { linesOf, logOf, rowsOf, shell } from './support.ts';

const RISKY = 'shell "risky" {\n  shell = "echo ran"\n  remote = true\n  requires_confirmation = true\n}\n';

describe('aliases', () => {
  const ALIASES = `${shell('new', 'echo ran')}alias "old" {\n  target = shell.new\n  deprecated = "It moved."\n}\nalias "short" {\n  target = "shell.new"\n}\n`;

  test.each([
    ['old', 'alias "old" resolves to "shell/new". It moved.\n'],
    ['short', 'alias "short" resolves to "shell/new". Use shell/new.\n'],
  ])('[bach-run-alias, bach-alias-notice] %s stands for its target everywhere', async (alias, notice) => {
    const project = bachProject(ALIASES);
    const { exit, stdout, stderr } = await project.bach(['run', alias]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: notice });
    expect(stdout).toContain(' success target=shell/new ');
    expect(rowsOf(project, 'SELECT target FROM target_runs')).toEqual([{ target: 'shell/new' }]);
  });

  test('[bach-requests-dedupe-aliases] an alias beside its target is one request', async () => {
    const { stdout } = await bachProject(ALIASES).bach(['run', 'old', 'shell.new', 'short']);
    expect(stdout).toContain(' success target=shell/new ');
    expect(stdout).toContain('targets: success=1 ');
  });

  test('[bach-dry-run-alias] a dry run shows the target', async () => {
    const { stdout, stderr } = await bachProject(ALIASES).bach(['run', '-d', 'old']);
    expect(linesOf(stdout)[0]).toBe('[shell/new] sh -c echo ran');
    expect(stderr).toContain('alias "old" resolves to "shell/new"');
  });
});

describe('confirmation', () => {
  const TOLD = 'requires confirmation (risks: remote, requires_confirmation); run with --dry-run to inspect or --yes to execute';

  test.each([
    ['of the target itself', '', 'shell/risky'],
    ['of a dependency', 'shell "top" {\n  depends_on = [shell.risky]\n}\n', 'shell/top'],
    ['of a step', 'pipeline "top" {\n  steps = [shell.risky]\n}\n', 'pipeline/top'],
    ['of a member', 'group "top" {\n  targets = [shell.risky]\n}\n', 'group/top'],
  ])('[bach-confirmation, bach-confirmation-inherited] %s: nothing runs and nothing is recorded', async (_, more, name) => {
    const project = bachProject(`${RISKY}${more}`);
    const { exit, stdout, stderr } = await project.bach(['run', name]);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(`target "${name}" ${TOLD}\n`);
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test.each(['--yes', '-y'])('[bach-confirmation-yes] %s runs it', async (flag) => {
    expect((await bachProject(RISKY).bach(['run', flag, 'shell/risky'])).exit).toBe(0);
  });

  test('[bach-confirmation-dry-run] a dry run needs none', async () => {
    expect((await bachProject(RISKY).bach(['run', '--dry-run', 'shell/risky'])).exit).toBe(0);
  });

  test('[bach-confirmation] several requests are named together', async () => {
    const { stderr } = await bachProject(`${RISKY}${shell('b', 'true')}`).bach(['run', 'shell/b', 'shell/risky']);
    expect(stderr).toContain('target "shell/b shell/risky" requires confirmation');
  });
});

describe('what the terminal shows', () => {
  test('[bach-log-only] keeps what commands print to the logs, and beats --verbose', async () => {
    const project = bachProject(shell('a', 'echo printed; echo failed >&2; exit 1'));
    const { stdout } = await project.bach(['run', '--log-only', '-v', 'shell/a']);
    expect(linesOf(stdout).slice(0, 2)).toEqual(['[shell/a] sh -c echo printed; echo failed >&2; exit 1', '[shell/a] exit status 1']);
    expect(logOf(project, stdout, 'shell__a')).toContain('\nprinted\nfailed\n');
  });

  test('[bach-quiet] a quiet target tells its log alone, unless --verbose', async () => {
    const project = bachProject(shell('a', 'echo printed', 'quiet = true'));
    const quiet = await project.bach(['run', 'shell/a']);
    expect(linesOf(quiet.stdout)).toHaveLength(2);
    expect(logOf(project, quiet.stdout, 'shell__a')).toContain('sh -c echo printed\nprinted\n');
    const verbose = await project.bach(['run', '--verbose', 'shell/a']);
    expect(linesOf(verbose.stdout).slice(0, 2)).toEqual(['[shell/a] sh -c echo printed', '[shell/a] printed']);
  });
});

describe('the environment of an operation', () => {
  const PROFILES = 'profile "one" {\n  env {\n    A = "one"\n    B = "one"\n  }\n}\nprofile "two" {\n  env {\n    B = "two"\n    C = "two"\n  }\n}\n';

  test('[bach-env-profiles] profiles stand above the project and below the target, later above earlier', async () => {
    const project = bachProject(`env {\n  A = "project"\n  C = "project"\n}\n${PROFILES}${shell('a', 'echo $A $B $C', 'env {\n    C = "target"\n  }')}`);
    project.write('.env', 'B=file\n');
    const { stdout } = await project.bach(['run', 'shell/a', '--profile', 'one', '--profile', 'two']);
    expect(linesOf(stdout)[1]).toBe('[shell/a] one two target');
  });

  test('[bach-git-env, bach-git-env-above] git values stand above profiles and below the target', async () => {
    const script = 'echo $BACH_GIT_BRANCH $BACH_GIT_DIRTY$BACH_GIT_DIRTY_SUFFIX $BACH_GIT_COMMIT [$BACH_GIT_STAGED_FILES] [$BACH_GIT_UNTRACKED_FILES]';
    const profile = 'profile "p" {\n  env {\n    BACH_GIT_BRANCH = "profile"\n  }\n}\n';
    const project = bachProject(`${profile}${shell('a', script)}${shell('b', 'echo $BACH_GIT_BRANCH', 'env {\n    BACH_GIT_BRANCH = "mine"\n  }')}`);
    runGit(project.folder, ['init', '-q', '-b', 'main']);
    const commit = commitInCheckout(project.folder, {});
    project.write('staged.txt', '');
    runGit(project.folder, ['add', 'staged.txt']);
    project.write('unstaged.txt', '');
    const { stdout } = await project.bach(['run', 'shell/a', 'shell/b', '--profile', 'p', '-j', '1']);
    expect(linesOf(stdout)).toContain(`[shell/a] main 1-dirty ${commit} [staged.txt] [unstaged.txt]`);
    expect(linesOf(stdout)).toContain('[shell/b] mine');
  });

  test('[bach-git-env-none] outside of a repository they are empty', async () => {
    const { stdout, stderr } = await bachProject(shell('a', 'echo "<$BACH_GIT_COMMIT$BACH_GIT_DIRTY>"; env | grep -c "^BACH_GIT_.*=$"')).bach(['run', 'shell/a']);
    expect(linesOf(stdout).slice(1, 3)).toEqual(['[shell/a] <>', '[shell/a] 8']);
    expect(stderr).toBe('');
  });
});

describe('tools and preflights', () => {
  test('[bach-tools, bach-tools-message, bach-tools-record] a missing tool ends the run before anything of it starts', async () => {
    const needs = 'tools = [{ name = "nonesuch", version = "2+", fix = "install it" }, { name = "x", command = ["sh", "-c", "echo too old; exit 1"] }]';
    const project = bachProject(`${shell('a', 'touch ran', needs)}${shell('b', 'touch ran')}group "g" {\n  targets = [shell.b, shell.a]\n}\n`);
    const { exit, stdout, stderr } = await project.bach(['run', 'group/g']);
    expect(exit).toBe(1);
    expect(stdout).toContain(' failed target=group/g ');
    expect(stderr).toContain(
      'required tool checks failed:\n- nonesuch for shell/a: missing from PATH (version: 2+); install it\n- x for shell/a: probe failed: too old\n',
    );
    expect(existsSync(project.at('ran'))).toBe(false);
    expect(rowsOf(project, 'SELECT target, status, operation FROM target_runs')).toEqual([
      { target: 'shell/a', status: 'failed', operation: 'required tool check' },
    ]);
    expect(logOf(project, stdout, 'shell__a')).toContain('required tool check failed: nonesuch: missing from PATH');
  });

  test('[bach-preflights, bach-preflights-secret, bach-preflights-record] a failed preflight is distinct, and what it printed is shown nowhere', async () => {
    const project = bachProject(shell('deploy', 'touch ran', 'preflights = [{ name = "session", command = ["sh", "-c", "echo hush; exit 1"], fix = "log in" }]'));
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/deploy']);
    expect(exit).toBe(1);
    expect(stdout).toContain(' preflight-failed target=shell/deploy ');
    expect(stdout).toContain('preflight-failed=1 ');
    expect(stderr).toContain('credential/session preflights failed:\n- session for shell/deploy: probe failed: exit status 1; log in\n');
    expect(`${stdout}${stderr}${logOf(project, stdout, 'shell__deploy')}`).not.toContain('hush');
    expect(rowsOf(project, 'SELECT status, operation FROM target_runs')).toEqual([{ status: 'preflight-failed', operation: 'credential/session preflight' }]);
    expect(rowsOf(project, 'SELECT status FROM runs')).toEqual([{ status: 'preflight-failed' }]);
    expect(existsSync(project.at('ran'))).toBe(false);
  });

  test('[bach-tools-first] preflights are not asked when a tool is missing', async () => {
    const needs = ['tools = [{ name = "nonesuch" }]', 'preflights = [{ name = "p", command = ["touch", "asked"] }]'];
    const project = bachProject(shell('a', 'true', ...needs));
    await project.bach(['run', 'shell/a']);
    expect(existsSync(project.at('asked'))).toBe(false);
  });

  test('[bach-requirements-once] a probe that several targets have in common runs once', async () => {
    const needs = 'preflights = [{ name = "p", command = ["sh", "-c", "echo x >> asked"] }]';
    const project = bachProject(`${shell('a', 'true', needs)}${shell('b', 'true', needs)}`);
    expect((await project.bach(['run', 'shell/a', 'shell/b'])).exit).toBe(0);
    expect(project.read('asked')).toBe('x\n');
  });
});

describe('retry', () => {
  const COUNT = 'echo x >> tries; test $(wc -l < tries) -ge 3';

  test('[bach-retry-attempts, bach-retry-lines] as many attempts as it takes, at most as many as declared', async () => {
    const project = bachProject(shell('a', COUNT, 'retry {\n    attempts = 3\n    backoff = "1ms"\n  }'));
    const { exit, stdout } = await project.bach(['run', 'shell/a']);
    expect(exit).toBe(0);
    expect(linesOf(stdout).slice(1, 5)).toEqual([
      '[shell/a] attempt 1/3 failed: exit status 1; retrying in 1ms',
      '[shell/a] retry attempt 2/3',
      '[shell/a] attempt 2/3 failed: exit status 1; retrying in 1ms',
      '[shell/a] retry attempt 3/3',
    ]);
    expect(logOf(project, stdout, 'shell__a')).toContain('attempt 2/3 failed: exit status 1; retrying in 1ms\nretry attempt 3/3\n');
  });

  test('[bach-retry-exhausted] after the last one it fails', async () => {
    const project = bachProject(shell('a', COUNT, 'retry {\n    attempts = 2\n  }'));
    const { exit, stdout } = await project.bach(['run', 'shell/a']);
    expect(exit).toBe(1);
    expect(project.read('tries')).toBe('x\nx\n');
    expect(linesOf(stdout)[1]).toBe('[shell/a] attempt 1/2 failed: exit status 1; retrying');
  });

  test('[bach-retry-contract] a contract that is not kept is tried again', async () => {
    const contract = 'success_when {\n    output_contains = "third 3"\n  }';
    const project = bachProject(shell('a', 'echo x >> tries; echo third $(wc -l < tries)', 'retry {\n    attempts = 3\n  }', contract));
    const { exit, stdout } = await project.bach(['run', 'shell/a']);
    expect(exit).toBe(0);
    expect(stdout).toContain('attempt 1/3 failed: target "shell/a" success_when not satisfied: output_contains "third 3"; retrying');
  });

  test('[bach-retry-not-requirements] tools and preflights are not', async () => {
    const needs = 'preflights = [{ name = "p", command = ["sh", "-c", "echo x >> asked; exit 1"] }]';
    const project = bachProject(shell('a', 'true', needs, 'retry {\n    attempts = 3\n  }'));
    await project.bach(['run', 'shell/a']);
    expect(project.read('asked')).toBe('x\n');
  });

  test('[bach-timeout-attempts] the timeout bounds all attempts and the waits between them', async () => {
    const project = bachProject(shell('slow', 'exit 1', 'timeout = "300ms"', 'retry {\n    attempts = 2\n    backoff = "10m"\n  }'));
    const { exit, stderr } = await project.bach(['run', 'shell/slow']);
    expect(exit).toBe(1);
    expect(stderr).toContain('target "shell/slow" timed out after 300ms\n');
  });
});

describe('completion contracts', () => {
  test.each([
    ['output that must not be', 'echo ROLL; printf BACK', 'fail_when {\n    output_contains = "ROLL\\nBACK"\n  }', 'fail_when matched: output_contains "ROLL\\nBACK"'],
    ['output that must be', 'echo no', 'success_when {\n    output_contains = "done"\n  }', 'success_when not satisfied: output_contains "done"'],
    ['a file that must be', 'true', 'success_when {\n    file_exists = "dist/app"\n  }', 'success_when not satisfied: file_exists "dist/app"'],
    ['a command that must succeed', 'true', 'success_when {\n    command = ["test", "-f", "no"]\n  }', 'success_when not satisfied: command test -f no'],
    ['a command that must not', 'true', 'fail_when {\n    command = ["true"]\n  }', 'fail_when matched: command true'],
  ])('[bach-contract, bach-contract-messages] %s', async (_, script, contract, told) => {
    const { exit, stderr } = await bachProject(shell('x', script, contract)).bach(['run', 'shell/x']);
    expect(exit).toBe(1);
    expect(stderr).toContain(`target "shell/x" ${told}\n`);
  });

  test('[bach-contract-kept] when all is as it must be, it is a success', async () => {
    const checks = ['fail_when {\n    output_contains = "BAD"\n  }', 'success_when {\n    file_exists = "made"\n  }', 'success_when {\n    command = ["grep", "$WORD", "made"]\n  }'];
    const project = bachProject(shell('x', 'echo word > made', ...checks, 'env {\n    WORD = "word"\n  }'));
    const { exit, stdout } = await project.bach(['run', 'shell/x']);
    expect(exit).toBe(0);
    expect(logOf(project, stdout, 'shell__x')).toContain('[contract] grep word made\nword\n');
    expect(stdout).not.toContain('[contract]');
  });

  test('[bach-contract-printed-only] a text in the command itself is not what it printed', async () => {
    const project = bachProject(shell('x', 'true || echo DONE', 'success_when {\n    output_contains = "DONE"\n  }'));
    expect((await project.bach(['run', 'shell/x'])).exit).toBe(1);
  });

  test('[bach-contract-unmasked] a secret that is printed is found, and shown nowhere', async () => {
    const project = bachProject(shell('x', 'echo $API_TOKEN', 'success_when {\n    output_contains = "s3cr3t-value-0123"\n  }'));
    project.write('.env', 'API_TOKEN=s3cr3t-value-0123\n');
    const { exit, stdout } = await project.bach(['run', 'shell/x']);
    expect(exit).toBe(0);
    expect(`${stdout}${logOf(project, stdout, 'shell__x')}`).not.toContain('s3cr3t');
  });

  test('[bach-contract-after-success] after a failure nothing is checked', async () => {
    const project = bachProject(shell('x', 'exit 3', 'success_when {\n    command = ["touch", "checked"]\n  }'));
    await project.bach(['run', 'shell/x']);
    expect(existsSync(project.at('checked'))).toBe(false);
  });

  test('[bach-timeout-contract] the timeout bounds the checks, too', async () => {
    const project = bachProject(shell('x', 'true', 'timeout = "300ms"', 'success_when {\n    command = ["sleep", "600"]\n  }'));
    expect((await project.bach(['run', 'shell/x'])).stderr).toContain('target "shell/x" timed out after 300ms\n');
  });
});

describe('images', () => {
  const IMAGE = 'image "app" {\n  builder = "./builder"\n  image = "example/app"\n  tags = ["latest", "other:1"]\n  push = true\n  build_args = {\n    B = "$BACH_GIT_BRANCH"\n    A = "1"\n  }\n}\n';

  test('[bach-image-build, bach-image-push, bach-image-tags-recorded] builds, then pushes each tag, and records the tags', async () => {
    const project = bachProject(IMAGE);
    project.write('builder', '#!/bin/sh\necho "$@" >> calls\n');
    chmodSync(project.at('builder'), 0o755);
    const { exit, stdout } = await project.bach(['run', 'image/app']);
    expect(exit).toBe(0);
    const build = 'build --file Dockerfile --tag example/app:latest --tag other:1 --build-arg A=1 --build-arg B= .';
    expect(project.read('calls')).toBe(`${build}\npush example/app:latest\npush other:1\n`);
    expect(linesOf(stdout)[0]).toBe(`[image/app] ./builder ${build} && ./builder push example/app:latest && ./builder push other:1`);
    const tags = rowsOf(project, "SELECT path, value FROM artifacts WHERE kind = 'image-tag' ORDER BY id");
    expect(tags).toEqual([
      { path: '', value: 'example/app:latest' },
      { path: '', value: 'other:1' },
    ]);
  });

  test('[bach-image-build-fails] nothing is pushed, and no tag is recorded', async () => {
    const project = bachProject(IMAGE);
    project.write('builder', '#!/bin/sh\necho "$1" >> calls\nexit 2\n');
    chmodSync(project.at('builder'), 0o755);
    const { exit } = await project.bach(['run', 'image/app']);
    expect(exit).toBe(1);
    expect(project.read('calls')).toBe('build\n');
    expect(rowsOf(project, "SELECT value FROM artifacts WHERE kind = 'image-tag'")).toEqual([]);
  });
});

describe('what a later release does', () => {
  const AGENT = 'provider "p" {\n  type = "agent"\n  command = ["p"]\n}\nagent "x" {\n  provider = "p"\n  mode = "review"\n}\n';

  test.each([
    ['an agent', AGENT, 'agent.x', 'agent targets (agent/x)'],
    ['a target with a quality block', 'quality "shell.a" {\n  quality_gate {\n    metric = "m"\n    max = 1\n  }\n}\n', 'shell.a', 'targets with a quality block (shell/a)'],
  ])('[bach-run-later] %s is refused by name before anything runs', async (_, block, reference, told) => {
    const project = bachProject(`${shell('a', 'touch ran')}shell "top" {\n  depends_on = [${reference}, shell.a]\n}\n${block}`);
    const { exit, stderr } = await project.bach(['run', 'shell/top']);
    expect(exit).toBe(1);
    expect(stderr).toContain(`not in this release of bach: ${told}\n`);
    expect(readdirSync(project.folder)).toEqual(['Bachfile']);
  });
});

describe('a target that leaves something running', () => {
  test('[bach-survivors] is ended with all of it when its time is over', async () => {
    const project = bachProject('shell "s" {\n  command = ["sh", "s.sh"]\n  timeout = "400ms"\n}\n');
    project.write('s.sh', 'sleep 600 & echo $! > child; wait\n');
    const { exit, stderr } = await project.bach(['run', 'shell/s']);
    expect(exit).toBe(1);
    expect(stderr).toContain('timed out after 400ms');
    const child = Number(project.read('child'));
    expect(child).toBeGreaterThan(1);
    expect(!existsSync(`/proc/${child}`) || / Z /.test(readFileSync(`/proc/${child}/stat`, 'utf8'))).toBe(true);
  });
});
