import { describe, expect, test } from 'vitest';
import { chooseWorkflow } from '../../../../src/bach/model/later/index.ts';
import { faults, messages, places, sound } from './fixtures.ts';

const BEFORE = `provider "p" {
  type = "agent"
  command = ["run"]
}
agent_template "planner" {
  provider = provider.p
}
agent_template "coder" {
  provider = provider.p
}
agent_template "judge" {
  mode     = "review"
  provider = provider.p
}
shell "deploy" {}
group "check" {}
alias "ship-it" {}
`;

const factory = (body: string): string => `${BEFORE}factory "f" {\n${body}\n}`;
const workflow = (body: string): string => factory(`workflow "w" {\n${body}\n}`);
const trigger = (body: string, more = ''): string =>
  factory(`workflow "w" {}\n${more}\ntriggers {\nprovider "t" {\n${body}\n}\n}`);

describe('a factory', () => {
  test('has workflows with phases, and triggers', () => {
    const { later } = sound(factory(`
  workflow "ship" {
    plan {
      agent_template = agent_template.planner
      path           = "plans/\${work_item.id}/\${work_item.slug}-\${factory.name}-$\${workflow.name}.md"
    }
    implement {
      agent_template = agent_template.coder
    }
    merge {
      target = group.check
    }
    verify "stage" {
      target = "group.check"
    }
    deploy "stage" {
      target = "shell/deploy"
    }
    deploy "live" {
      target            = "ship-it"
      requires_approval = true
    }
  }
  triggers {
    manual {}
    provider "issues" {
      command       = ["bach-github-issue-trigger", var.word]
      poll_interval = "90s"
      config = {
        repo     = "a/b"
        per_page = 50
      }
      route {
        label    = "go"
        workflow = "ship"
      }
    }
  }`));
    const phase = { name: '', target: '', agentTemplate: '', path: '', requiresApproval: false };
    expect(later.factories.get('f')).toEqual({
      name: 'f',
      workflows: [
        {
          name: 'ship',
          plan: {
            ...phase,
            agentTemplate: 'planner',
            path: 'plans/${work_item.id}/${work_item.slug}-${factory.name}-${workflow.name}.md',
            requiresApproval: true,
          },
          implement: { ...phase, agentTemplate: 'coder' },
          merge: { ...phase, target: 'group/check' },
          deploys: [
            { ...phase, name: 'stage', target: 'shell/deploy' },
            { ...phase, name: 'live', target: 'ship-it', requiresApproval: true },
          ],
          verifies: [{ ...phase, name: 'stage', target: 'group/check' }],
        },
      ],
      manualTrigger: true,
      providerTriggers: [
        {
          name: 'issues',
          command: ['bach-github-issue-trigger', 'word'],
          pollIntervalMs: 90_000,
          config: new Map([
            ['per_page', '50'],
            ['repo', 'a/b'],
          ]),
          routes: [{ label: 'go', workflow: 'ship' }],
        },
      ],
    });
  });

  test('needs no phase and no trigger', () => {
    const { later } = sound(factory('workflow "w" {}\nworkflow "v" {}'));
    const nothing = { plan: undefined, implement: undefined, merge: undefined, deploys: [], verifies: [] };
    expect(later.factories.get('f')).toEqual({
      name: 'f',
      workflows: [{ name: 'w', ...nothing }, { name: 'v', ...nothing }],
      manualTrigger: false,
      providerTriggers: [],
    });
  });

  test.each(['a', '_', '0', 'A-b_c.d', '0.1'])('may be called %s, and so may what is in it', (name) => {
    sound(`${BEFORE}factory "${name}" {
  workflow "${name}" {
    deploy "${name}" {
      target = shell.deploy
    }
  }
  triggers {
    provider "${name}" {
      command = ["x"]
    }
  }
}`);
  });

  test.each(['.a', '-a', 'a b', 'a/b', 'ä', 'a:b'])('may not be called %s, and neither may what is in it', (name) => {
    const told = messages(`${BEFORE}factory "${name}" {
  workflow "${name}" {
    deploy "${name}" {
      target = shell.deploy
    }
    verify "${name}" {
      target = shell.deploy
    }
  }
  triggers {
    provider "${name}" {
      command = ["x"]
    }
  }
}`);
    const rule = 'name must be a simple identifier: letters, digits, _, ., and -, beginning with a letter, a digit or _';
    expect(told).toEqual([
      `factory "${name}" ${rule}`,
      `factory "${name}" workflow "${name}" ${rule}`,
      `factory "${name}" workflow "${name}" deploy "${name}" ${rule}`,
      `factory "${name}" workflow "${name}" verify "${name}" ${rule}`,
      `factory "${name}" provider trigger "${name}" ${rule}`,
    ]);
  });

  test.each([
    ['no workflow', factory(''), 'must declare at least one workflow'],
    ['a workflow twice', factory('workflow "w" {}\nworkflow "w" {}'), 'has duplicate workflow "w"'],
    [
      'two blocks of triggers',
      factory('workflow "w" {}\ntriggers {}\ntriggers {}'),
      'must have at most one triggers block',
    ],
    [
      'two manual triggers',
      factory('workflow "w" {}\ntriggers {\nmanual {}\nmanual {}\n}'),
      'must have at most one manual trigger',
    ],
    [
      'a trigger twice',
      factory('workflow "w" {}\ntriggers {\nprovider "t" {\ncommand = ["x"]\n}\nprovider "t" {\ncommand = ["x"]\n}\n}'),
      'has duplicate provider trigger "t"',
    ],
  ])('with %s is told', (_, text, message) => {
    expect(messages(text)).toEqual([`factory "f" ${message}`]);
  });

  test('is the only one of its name', () => {
    expect(faults('factory "f" {\n  workflow "w" {}\n}\nfactory "f" {\n  workflow "w" {}\n}')).toEqual(['4:1: duplicate factory "f"']);
  });

  test.each([
    'queue = 1',
    'workflow "w" {\n  steps = []\n}',
    'workflow "w" {\n  test {}\n}',
    'workflow "w" {\n  plan {\n    agent_template = agent_template.planner\n    path = "a"\n    target = shell.deploy\n  }\n}',
    'workflow "w" {\n  merge {\n    target = shell.deploy\n    targets = []\n  }\n}',
    'triggers {\n  timer {}\n}',
    'triggers {\n  manual {\n    x = 1\n  }\n}',
    'triggers {\n  provider "t" {\n    command = ["x"]\n    interval = "5m"\n  }\n}',
  ])('does not know what is in %j', (body) => {
    const text = factory(body.includes('workflow') ? body : `workflow "w" {}\n${body}`);
    expect(messages(text)).toEqual([expect.stringMatching(/Unsupported (argument|block type)/)]);
  });

  test('keeps apart what a plan and a phase are in the labels they take', () => {
    const told = messages(workflow('plan "x" {}\ndeploy {}\ndeploy "" {}'));
    expect(told).toEqual([
      expect.stringContaining('Extraneous label for plan'),
      expect.stringContaining('Missing name for deploy'),
      'deploy name must not be empty or hold control characters',
    ]);
  });
});

describe('a phase', () => {
  test.each([
    ['plan without template', 'plan {\npath = "a"\n}', 'plan.agent_template is required'],
    ['plan without path', 'plan {\nagent_template = agent_template.planner\n}', 'plan.path is required'],
    [
      'plan with an empty path',
      'plan {\nagent_template = agent_template.planner\npath = ""\n}',
      'plan.path is required',
    ],
    [
      'plan elsewhere',
      'plan {\nagent_template = agent_template.planner\npath = "../a"\n}',
      'plan.path must be project-relative',
    ],
    [
      'absolute plan',
      'plan {\nagent_template = agent_template.planner\npath = "/project/a"\n}',
      'plan.path must be project-relative',
    ],
    [
      'plan with a placeholder that is not known yet',
      'plan {\nagent_template = agent_template.planner\npath = "${plan.id}.md"\n}',
      'plan.path contains unsupported placeholder "${plan.id}"; those supported are ${work_item.id}, ${work_item.slug}, ${factory.name}, ${workflow.name}',
    ],
    [
      'plan of an unknown template',
      'plan {\nagent_template = agent_template.plannr\npath = "a"\n}',
      'plan.agent_template: unknown agent template "plannr"; did you mean "planner"?',
    ],
    ['implementation without template', 'implement {}', 'implement.agent_template is required'],
    [
      'implementation of an unknown template',
      'implement {\nagent_template = "none"\n}',
      'implement.agent_template: unknown agent template "none"',
    ],
    [
      'implementation by a reviewer',
      'implement {\nagent_template = agent_template.judge\n}',
      'implement.agent_template: agent template "judge" must be implement mode',
    ],
    [
      'approved implementation',
      'implement {\nagent_template = agent_template.coder\nrequires_approval = true\n}',
      'implement does not support requires_approval',
    ],
    ['merge without target', 'merge {}', 'merge.target is required'],
    [
      'merge of an unknown target',
      'merge {\ntarget = shell.deplo\n}',
      'merge.target: unknown target "shell/deplo"; did you mean "shell/deploy"?',
    ],
    ['merge of an unknown alias', 'merge {\ntarget = "ship-that"\n}', 'merge.target: unknown target "ship-that"; did you mean "ship-it"?'],
    [
      'merge of an unknown word',
      'merge {\ntarget = ship_it\n}',
      'merge.target: invalid target reference "ship_it": use type.name, for example shell.test',
    ],
    [
      'approved merge',
      'merge {\ntarget = shell.deploy\nrequires_approval = false\n}',
      'merge does not support requires_approval',
    ],
    ['deployment without target', 'deploy "d" {}', 'deploy "d" target is required'],
    [
      'deployment of an unknown target',
      'deploy "d" {\ntarget = "shell/none"\n}',
      'deploy "d" target: unknown target "shell/none"',
    ],
    [
      'deployment of another kind',
      'deploy "d" {\ntarget = task.x\n}',
      'deploy "d" target: invalid target reference "task.x": unknown target type "task"',
    ],
    ['verification without target', 'verify "v" {\ntarget = ""\n}', 'verify "v" target is required'],
    [
      'approved verification',
      'verify "v" {\ntarget = shell.deploy\nrequires_approval = true\n}',
      'verify "v" does not support requires_approval',
    ],
    [
      'second plan',
      'plan {\nagent_template = "planner"\npath = "a"\n}\nplan {\nagent_template = "planner"\npath = "a"\n}',
      'must have at most one plan block',
    ],
    [
      'second implementation',
      'implement {\nagent_template = "coder"\n}\nimplement {\nagent_template = "coder"\n}',
      'must have at most one implement block',
    ],
    [
      'second merge',
      'merge {\ntarget = "shell.deploy"\n}\nmerge {\ntarget = "shell.deploy"\n}',
      'must have at most one merge block',
    ],
    [
      'second deployment of a name',
      'deploy "d" {\ntarget = "shell.deploy"\n}\ndeploy "d" {\ntarget = "shell.deploy"\n}',
      'has duplicate deploy "d"',
    ],
    [
      'second verification of a name',
      'verify "v" {\ntarget = "shell.deploy"\n}\nverify "v" {\ntarget = "shell.deploy"\n}',
      'has duplicate verify "v"',
    ],
  ])('%s is told', (_, body, message) => {
    expect(messages(workflow(body))).toEqual([`factory "f" workflow "w" ${message}`]);
  });

  test.each([
    ['plan {\nagent_template = "planner"\npath = "a"\nrequires_approval = false\n}', 'plan', false],
    ['plan {\nagent_template = "planner"\npath = "a"\nrequires_approval = null\n}', 'plan', true],
    ['plan {\nagent_template = "planner"\npath = "a"\nrequires_approval = "true"\n}', 'plan', true],
  ])('%j waits for approval as it says', (body, phase, waits) => {
    const found = sound(workflow(body)).later.factories.get('f')?.workflows[0];
    expect(phase === 'plan' && found?.plan?.requiresApproval).toBe(waits);
  });

  test('is told of a value that is no bool', () => {
    expect(messages(workflow('deploy "d" {\ntarget = shell.deploy\nrequires_approval = "yes"\n}'))).toEqual([
      expect.stringContaining('Incorrect attribute value type'),
    ]);
  });

  test('is told of at its place', () => {
    const text = workflow('plan {\npath = "/a"\n}\nimplement {\nagent_template = agent_template.none\n}\nverify "v" {\nrequires_approval = true\ntarget = shell.none\n}');
    expect(places(text)).toEqual(['plan', '"/a"', 'agent_template.none', 'requires_approval', 'shell.none']);
  });
});

describe('a provider trigger', () => {
  test.each([
    ['', 300_000],
    ['poll_interval = "2h"', 7_200_000],
    ['poll_interval = "1500ms"', 1500],
    ['poll_interval = "100ms"', 1000],
    ['poll_interval = "0"', 1000],
    ['poll_interval = "-5m"', 1000],
  ])('with %j polls every %d ms', (line, wanted) => {
    const [found] = sound(trigger(`command = ["x"]\n${line}`)).later.factories.get('f')?.providerTriggers ?? [];
    expect(found).toEqual({ name: 't', command: ['x'], pollIntervalMs: wanted, config: new Map(), routes: [] });
  });

  test.each([
    ['no command', '', 'command is required'],
    ['an empty command', 'command = []', 'command is required'],
    ['an empty program', 'command = [""]', 'command is required'],
    [
      'an interval that is none',
      'command = ["x"]\npoll_interval = "often"',
      'poll_interval is not a valid duration: "often"; want one such as 30s, 5m or 1h',
    ],
    ['a route without label', 'command = ["x"]\nroute {\nworkflow = "w"\n}', 'route.label is required'],
    ['a route without workflow', 'command = ["x"]\nroute {\nlabel = "l"\n}', 'route.workflow is required'],
    [
      'a route to nowhere',
      'command = ["x"]\nroute {\nlabel = "l"\nworkflow = "v"\n}',
      'route.workflow "v" is not a declared workflow',
    ],
    [
      'two routes for one label',
      'command = ["x"]\nroute {\nlabel = "l"\nworkflow = "w"\n}\nroute {\nlabel = "l"\nworkflow = "w"\n}',
      'has duplicate route label "l"',
    ],
  ])('with %s is told', (_, body, message) => {
    expect(messages(trigger(body))).toEqual([`factory "f" provider trigger "t" ${message}`]);
  });

  test('needs routes where there are several workflows', () => {
    expect(messages(trigger('command = ["x"]', 'workflow "other" {}'))).toEqual([
      'factory "f" provider trigger "t" requires route rules because the factory has multiple workflows',
    ]);
    sound(trigger('command = ["x"]\nroute {\nlabel = "l"\nworkflow = "other"\n}', 'workflow "other" {}'));
  });

  test.each(['"x"', '["a"]', '{ a = ["b"] }', '{ a = null }'])('takes no %s for its config', (config) => {
    expect(messages(trigger(`command = ["x"]\nconfig = ${config}`))).toHaveLength(1);
  });

  test('is told of at its place', () => {
    const text = trigger('command = []\npoll_interval = "x"\nroute {\nlabel = "l"\nworkflow = "ww"\n}');
    expect(places(text)).toEqual(['[]', '"x"', '"ww"']);
  });
});

describe('the workflow of a work item', () => {
  const one = sound(factory('workflow "ship" {}')).later.factories.get('f');
  const two = sound(factory('workflow "ship" {}\nworkflow "fix" {}')).later.factories.get('f');

  test('is the only one, or the one that is named', () => {
    expect(one && chooseWorkflow(one, '')).toMatchObject({ workflow: { name: 'ship' } });
    expect(one && chooseWorkflow(one, 'ship')).toMatchObject({ workflow: { name: 'ship' } });
    expect(two && chooseWorkflow(two, 'fix')).toMatchObject({ workflow: { name: 'fix' } });
  });

  test('has to be named where there are several, and to exist', () => {
    expect(two && chooseWorkflow(two, '')).toEqual({ fault: 'factory "f" has multiple workflows; --workflow is required' });
    expect(one && chooseWorkflow(one, 'missing')).toEqual({ fault: 'not found: factory "f" workflow "missing"' });
    expect(two && chooseWorkflow(two, 'fixx')).toEqual({ fault: 'not found: factory "f" workflow "fixx"; did you mean "fix"?' });
  });
});
