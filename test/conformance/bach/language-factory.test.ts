import { describe, expect, test } from 'vitest';
import { chooseWorkflow } from '../../../src/bach/model/later/index.ts';
import { projectOf as decoded } from '../../bach/model/reading.ts';
import { told } from './told.ts';

const BEFORE = `provider "p" {
  type    = "agent"
  command = ["run"]
}
agent_template "planner" { provider = provider.p }
agent_template "judge" {
  mode     = "review"
  provider = provider.p
}
shell "deploy" {}
alias "ship-it" { target = shell.deploy }
`;

const factory = (body: string) => `${BEFORE}factory "f" {\n${body}\n}\n`;
const workflow = (body: string) => factory(`workflow "w" {\n${body}\n}`);
const trigger = (body: string, more = '') => factory(`workflow "w" {}\n${more}\ntriggers {\nprovider "t" {\n${body}\n}\n}`);
const fault = async (text: string) => (await told(text)).map((message) => message.replace('factory "f" ', ''));

/** The decoded factory of a file without faults. */
const factoryOf = (text: string) => decoded(text).factories.get('f');

const PLAN = 'plan {\nagent_template = agent_template.planner\npath = "plans/${work_item.id}.md"\n}';

describe('factories', () => {
  test('[bach-factory-duplicate] a name that is taken', async () => {
    expect(await told('factory "f" {\n  workflow "w" {}\n}\n«factory "f"» {\n  workflow "w" {}\n}\n')).toEqual(['duplicate factory "f"']);
  });

  test.each(['.a', '-a', 'a b', 'a/b', 'ä'])('[bach-factory-identifiers] %s is no name', async (name) => {
    const simple = expect.stringMatching(/^factory ".*name must be a simple identifier/);
    const label = `«"${name}"»`;
    expect(await told(`factory ${label} {\n  workflow "w" {}\n}\n`)).toEqual([simple]);
    expect(await told(factory(`workflow ${label} {}`))).toEqual([expect.stringContaining(`workflow "${name}" name must be a simple identifier`)]);
    for (const phase of ['deploy', 'verify']) {
      expect(await told(workflow(`${phase} ${label} {\ntarget = shell.deploy\n}`))).toEqual([
        expect.stringContaining(`workflow "w" ${phase} "${name}" name must be a simple identifier`),
      ]);
    }
    expect(await told(factory(`workflow "w" {}\ntriggers {\nprovider ${label} {\ncommand = ["x"]\n}\n}`))).toEqual([
      expect.stringContaining(`provider trigger "${name}" name must be a simple identifier`),
    ]);
  });

  test.each(['a', '_', '0', 'A-b_c.d'])('[bach-factory-identifiers] %s is one', async (name) => {
    expect(await told(`factory "${name}" {\n  workflow "${name}" {}\n}\n`)).toEqual([]);
  });

  test('[bach-factory-workflows] one at least, each name once', async () => {
    expect(await told('«factory "f"» {}\n')).toEqual(['factory "f" must declare at least one workflow']);
    expect(await fault(factory('workflow "w" {}\n«workflow "w"» {}'))).toEqual(['has duplicate workflow "w"']);
  });

  test.each([
    '«queue» = 1\nworkflow "w" {}',
    'workflow "w" { «steps» = [] }',
    'workflow "w" {\n«test» {}\n}',
    'workflow "w" {\nmerge {\ntarget = shell.deploy\n«targets» = []\n}\n}',
    'workflow "w" {}\ntriggers {\n«timer» {}\n}',
    'workflow "w" {}\ntriggers {\nmanual { «x» = 1 }\n}',
    'workflow "w" {}\ntriggers {\nprovider "t" {\ncommand = ["x"]\n«interval» = "5m"\n}\n}',
    'workflow "w" {}\ntriggers {\nprovider "t" {\ncommand = ["x"]\nroute {\nlabel = "l"\nworkflow = "w"\n«x» = 1\n}\n}\n}',
  ])('[bach-factory-unknown-field] %j', async (body) => {
    expect(await fault(factory(body))).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: Unsupported (argument|block type); /)]);
  });
});

describe('phases', () => {
  test.each([
    ['«plan» { path = "a" }', 'plan.agent_template is required'],
    ['«plan» { agent_template = agent_template.planner }', 'plan.path is required'],
    ['«implement» {}', 'implement.agent_template is required'],
    ['«merge» {}', 'merge.target is required'],
    ['«deploy "d"» {}', 'deploy "d" target is required'],
    ['«verify "v"» {}', 'verify "v" target is required'],
    [`${PLAN}\n${PLAN.replace('plan', '«plan»')}`, 'must have at most one plan block'],
    ['implement { agent_template = "planner" }\n«implement» { agent_template = "planner" }', 'must have at most one implement block'],
    ['merge { target = shell.deploy }\n«merge» { target = shell.deploy }', 'must have at most one merge block'],
    ['deploy "d" { target = shell.deploy }\n«deploy "d"» { target = shell.deploy }', 'has duplicate deploy "d"'],
    ['verify "v" { target = shell.deploy }\n«verify "v"» { target = shell.deploy }', 'has duplicate verify "v"'],
  ])('[bach-factory-phases] %j', async (body, message) => {
    expect(await fault(workflow(body))).toEqual([`workflow "w" ${message}`]);
  });

  test('[bach-factory-phases] all of them, and none', async () => {
    const body = `${PLAN}
implement { agent_template = agent_template.planner }
merge { target = shell.deploy }
deploy "a" { target = shell.deploy }
deploy "b" { target = shell.deploy }
verify "a" { target = shell.deploy }
`;
    expect(await told(workflow(body))).toEqual([]);
    expect(await told(workflow(''))).toEqual([]);
  });

  test.each(['/a.md', '../a.md'])('[bach-factory-plan-path] %s', async (path) => {
    expect(await fault(workflow(`plan {\nagent_template = agent_template.planner\npath = «"${path}"»\n}`))).toEqual([
      'workflow "w" plan.path must be project-relative',
    ]);
  });

  test('[bach-factory-requires-approval] true for a plan, false for a deployment, where nothing is said', () => {
    const found = (approval: string) => {
      const [first] = factoryOf(workflow(`${PLAN.replace('\n}', `\n${approval}\n}`)}\ndeploy "d" {\ntarget = shell.deploy\n${approval}\n}`))?.workflows ?? [];
      return [first?.plan?.requiresApproval, first?.deploys[0]?.requiresApproval];
    };
    expect(found('')).toEqual([true, false]);
    expect(found('requires_approval = true')).toEqual([true, true]);
    expect(found('requires_approval = false')).toEqual([false, false]);
  });

  test.each([
    ['implement {\nagent_template = agent_template.planner\n«requires_approval» = true\n}', 'implement does not support requires_approval'],
    ['merge {\ntarget = shell.deploy\n«requires_approval» = false\n}', 'merge does not support requires_approval'],
    ['verify "v" {\ntarget = shell.deploy\n«requires_approval» = true\n}', 'verify "v" does not support requires_approval'],
  ])('[bach-factory-requires-approval] %j', async (body, message) => {
    expect(await fault(workflow(body))).toEqual([`workflow "w" ${message}`]);
  });

  test.each(['shell.deploy', '"shell.deploy"', '"shell/deploy"', '"ship-it"'])('[bach-factory-phase-target] target = %s', async (target) => {
    expect(await told(workflow(`merge {\ntarget = ${target}\n}`))).toEqual([]);
  });

  test.each([
    ['shell.deplo', '[unknown-target-reference] ', 'unknown target "shell/deplo"; did you mean "shell/deploy"?'],
    ['"ship-that"', '[unknown-target-reference] ', 'unknown target "ship-that"; did you mean "ship-it"?'],
    ['task.x', '[unknown-target-reference] ', 'invalid target reference "task.x": unknown target type "task"'],
  ])('[bach-factory-phase-target] %s', async (target, code, message) => {
    expect(await fault(workflow(`merge {\ntarget = «${target}»\n}`))).toEqual([`${code}workflow "w" merge.target: ${message}`]);
    expect(await fault(workflow(`deploy "d" {\ntarget = «${target}»\n}`))).toEqual([`${code}workflow "w" deploy "d" target: ${message}`]);
  });

  test.each([
    ['plan {\nagent_template = «agent_template.plannr»\npath = "a"\n}', 'plan.agent_template: unknown agent template "plannr"; did you mean "planner"?'],
    ['implement {\nagent_template = «agent_template.none»\n}', 'implement.agent_template: unknown agent template "none"'],
    ['implement {\nagent_template = «agent_template.judge»\n}', 'implement.agent_template: agent template "judge" must be implement mode'],
  ])('[bach-factory-phase-template] %j', async (body, message) => {
    expect(await fault(workflow(body))).toEqual([`workflow "w" ${message}`]);
  });
});

describe('triggers', () => {
  test.each([
    ['triggers {}\n«triggers» {}', 'must have at most one triggers block'],
    ['triggers {\nmanual {}\n«manual» {}\n}', 'must have at most one manual trigger'],
    ['triggers {\nprovider "t" { command = ["x"] }\n«provider "t"» { command = ["x"] }\n}', 'has duplicate provider trigger "t"'],
  ])('[bach-factory-triggers] %j', async (body, message) => {
    expect(await fault(factory(`workflow "w" {}\n${body}`))).toEqual([message]);
  });

  test('[bach-factory-trigger-command] a command', async () => {
    const message = 'provider trigger "t" command is required';
    expect(await fault(factory('workflow "w" {}\ntriggers {\n«provider "t"» {}\n}'))).toEqual([message]);
    expect(await fault(trigger('command = «[]»'))).toEqual([message]);
  });

  test.each([
    ['', 300_000],
    ['poll_interval = "2h"', 7_200_000],
    ['poll_interval = "100ms"', 1000],
  ])('[bach-factory-poll-interval] with %j it is %d ms', (line, wanted) => {
    expect(factoryOf(trigger(`command = ["x"]\n${line}`))?.providerTriggers).toMatchObject([{ pollIntervalMs: wanted }]);
  });

  test('[bach-factory-poll-interval] no duration', async () => {
    expect(await fault(trigger('command = ["x"]\npoll_interval = «"often"»'))).toEqual([
      expect.stringMatching(/^provider trigger "t" poll_interval is not a valid duration: "often"/),
    ]);
  });

  test.each([
    ['«route» { workflow = "w" }', 'route.label is required'],
    ['«route» { label = "l" }', 'route.workflow is required'],
    ['route {\nlabel = "l"\nworkflow = «"gone"»\n}', 'route.workflow "gone" is not a declared workflow'],
    ['route {\nlabel = "l"\nworkflow = "w"\n}\nroute {\nlabel = «"l"»\nworkflow = "w"\n}', 'has duplicate route label "l"'],
  ])('[bach-factory-routes] %j', async (route, message) => {
    expect(await fault(trigger(`command = ["x"]\n${route}`))).toEqual([`provider trigger "t" ${message}`]);
  });

  test('[bach-factory-routes] several workflows want them', async () => {
    const text = (route: string, mark: string) => factory(`workflow "w" {}\nworkflow "v" {}\ntriggers {\n${mark} {\ncommand = ["x"]\n${route}\n}\n}`);
    expect(await fault(text('', '«provider "t"»'))).toEqual(['provider trigger "t" requires route rules because the factory has multiple workflows']);
    expect(await fault(text('route {\nlabel = "l"\nworkflow = "v"\n}', 'provider "t"'))).toEqual([]);
  });

  test('[bach-factory-trigger-config] an object of texts', async () => {
    expect(factoryOf(trigger('command = ["x"]\nconfig = { repo = "a/b", per_page = 50 }'))?.providerTriggers[0]?.config).toEqual(
      new Map([['per_page', '50'], ['repo', 'a/b']]),
    );
    expect(await fault(trigger('command = ["x"]\nconfig = «["a"]»'))).toEqual([expect.stringContaining('Incorrect attribute value type')]);
  });

  test('[bach-factory-workflow-choice] which workflow is meant', () => {
    const one = factoryOf(factory('workflow "ship" {}'));
    const two = factoryOf(factory('workflow "ship" {}\nworkflow "fix" {}'));
    if (one === undefined || two === undefined) throw new Error('a factory was not read');
    expect(chooseWorkflow(one, '')).toMatchObject({ workflow: { name: 'ship' } });
    expect(chooseWorkflow(two, 'fix')).toMatchObject({ workflow: { name: 'fix' } });
    expect(chooseWorkflow(two, '')).toEqual({ fault: 'factory "f" has multiple workflows; --workflow is required' });
    expect(chooseWorkflow(one, 'missing')).toEqual({ fault: 'not found: factory "f" workflow "missing"' });
  });
});
