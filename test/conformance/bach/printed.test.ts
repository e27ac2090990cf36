import { expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { changeState } from './support.ts';

const PRINTED_RUN = '20260608T120000.000000000Z';

const FILE = `# vim: set ft=hcl :
var "release_version" {
  default = ""
}
shell "test" { shell = "echo an error" }
shell "build" { shell = "true" }
shell "docs-generate" { command = ["true"] }
shell "github-release" { command = ["echo", var.release_version] }
group "ci" { targets = [shell.test, shell.build] }
pipeline "deploy-staging" {
  timeout = "15m"
  steps = [
    shell.build,
    shell.test,
  ]
}
`;

/** A project with a run that has the id which the reference prints. */
async function recordedProject(): Promise<BachProject> {
  const project = bachProject(FILE);
  const id = runIdIn((await project.bach(['run', 'shell/test'])).stdout);
  changeState(
    project,
    `BEGIN; PRAGMA defer_foreign_keys = ON;
     UPDATE runs SET id = '${PRINTED_RUN}' WHERE id = '${id}';
     UPDATE target_runs SET run_id = '${PRINTED_RUN}'; UPDATE artifacts SET run_id = '${PRINTED_RUN}'; COMMIT`,
  );
  return project;
}

/** Each line as the reference prints it, with what running it prints. */
const LINES: readonly (readonly [line: string, prints: RegExp])[] = [
  ['bach list', /^shell\/docs-generate$/m],
  ['bach validate', /^Bachfile valid: 6 targets, /],
  ['bach --version', /^bach dev\n$/],
  ['bach run <target> [target ...]', / success target=shell\/test shell\/build /],
  ['bach run group/ci', / success target=group\/ci /],
  ['bach run pipeline/deploy-staging', / success target=pipeline\/deploy-staging /],
  ['bach run shell/docs-generate', / success target=shell\/docs-generate /],
  ['bach run shell/build', / success target=shell\/build /],
  ['bach --var release_version=v0.1.0 run shell/github-release', /\[shell\/github-release\] v0\.1\.0\n/],
  ['bach runs list', new RegExp(`^${PRINTED_RUN} `, 'm')],
  ['bach runs list --runs-limit 0', new RegExp(`^${PRINTED_RUN} `, 'm')],
  ['bach logs <run-id>', /^==> shell\/test \(success\) /],
  [`bach logs ${PRINTED_RUN} --failed --last 80`, /^$/],
  [`bach logs ${PRINTED_RUN} --target shell/test --errors`, /\nan error\n/],
];

/** What stands for the reader's own words in these lines. */
const VALUES: readonly (readonly [printed: string, value: string])[] = [
  ['<target>', 'shell/test'],
  ['[target ...]', 'shell/build'],
  ['<run-id>', PRINTED_RUN],
];

test('[bach-printed-command-lines] each runs as printed', async () => {
  const project = await recordedProject();
  for (const [line, prints] of LINES) {
    const filled = VALUES.reduce((text, [printed, value]) => text.replace(printed, value), line);
    const [program, ...argv] = filled.split(' ');
    expect(program).toBe('bach');
    const { exit, stdout, stderr } = await project.bach(argv);
    expect({ line, exit, stderr }).toEqual({ line, exit: 0, stderr: '' });
    expect(stdout).toMatch(prints);
  }
});
