import { describe, expect, test } from 'vitest';
import { refuseLaterNames } from '../../../src/bach/act/refusals.ts';
import type { DroverError } from '../../../src/kernel/errors/index.ts';
import { projectOf } from '../model/reading.ts';

const FILE = `
shell "gate" { command = ["true"] }
alias "policy.old@agent.x" { target = shell.gate }
provider "p" {
  type    = "agent"
  command = ["run"]
}
policy "review" { required_targets = [shell.gate] }
policy "merge" {
  subject          = "agent.elsewhere"
  required_targets = [shell.gate]
}
agent "work" {
  provider = provider.p
  plan     = "plan.md"
  policy   = policy.review
}
factory "delivery" {
  workflow "ship" {
    plan {
      agent_template = agent_template.t
      path           = "plans/x.md"
    }
    implement { agent_template = agent_template.t }
  }
}
agent_template "t" { provider = provider.p }
`;

describe('what a later release can run', () => {
  const project = projectOf(FILE);

  test.each([
    ['policy.merge@agent.elsewhere', 'generated policy nodes (policy.merge@agent.elsewhere)'],
    ['policy/merge@agent.elsewhere', 'generated policy nodes (policy/merge@agent.elsewhere)'],
    ['policy/review@agent.work', 'generated policy nodes (policy/review@agent.work)'],
    ['policy.review@agent.work', 'generated policy nodes (policy.review@agent.work)'],
    ['factory.delivery', 'factories (factory.delivery)'],
    ['factory/delivery', 'factories (factory/delivery)'],
  ])('%s is refused by its name, with a way out', (name, what) => {
    const refusal = thrownBy(() => refuseLaterNames(project, ['shell/gate', name]));
    expect([refusal.code, refusal.message]).toEqual(['not-in-this-release', `not in this release of bach: ${what}`]);
    expect(refusal.remedy).toContain('bach list');
  });

  test.each(['shell/gate', 'shell.gate', 'agent/work', 'policy.old@agent.x', 'shell/gone', 'policy.gone@agent.work', 'factory/gone', 'policy.review'])(
    '%s is for others to judge',
    (name) => {
      expect(() => refuseLaterNames(project, [name])).not.toThrow();
    },
  );
});

function thrownBy(run: () => void): DroverError {
  try {
    run();
  } catch (error) {
    return error as DroverError;
  }
  throw new Error('nothing was thrown');
}
