import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { printedBy, refusalOf, runIdOf, shell } from './support.ts';

const LATER = `
provider "p" {
  type    = "agent"
  command = ["agent"]
}
prompt "do" { path = "do.md" }
agent_template "t" { provider = provider.p }
factory "f" {
  workflow "w" {
    plan {
      agent_template = "t"
      path           = "plan.md"
    }
  }
  triggers {
    manual {}
  }
}
resource "r" {}
input "file" "i" { src = "a" }
shell "only" {}
`;

const RISKY = `
shell "apply" {
  cost   = "high"
  when   = "after the render"
  remote = true
}
shell "wipe" { destructive = true }
group "both" { targets = [shell.apply, shell.wipe] }
pipeline "p" { steps = [group.both] }
shell "all" { depends_on = [pipeline.p] }
`;

describe('list', () => {
  test('[bach-list-never] what is no target is not listed, with whatever flags', async () => {
    const project = bachProject(LATER);
    project.write('do.md', 'Do it.\n');
    expect(await printedBy(project, 'list')).toBe('shell/only\n');
    expect(await printedBy(project, 'list', '-a', '--generated')).toBe('shell/only\n');
    expect(JSON.parse(await printedBy(project, 'list', '--json'))).toMatchObject({ targets: [{ name: 'shell/only' }] });
  });
});

describe('explain', () => {
  test.each([
    ['shell/all', 'Risks: remote, destructive'],
    ['pipeline/p', 'Risks: remote, destructive'],
    ['group/both', 'Risks: remote, destructive'],
    ['shell/wipe', 'Risks: destructive'],
  ])('[bach-explain-risks] %s has the risks of what it runs, and not its cost', async (name, risks) => {
    const lines = (await printedBy(bachProject(RISKY), 'explain', name)).split('\n');
    expect(lines.slice(0, 3)).toEqual([`Target: ${name}`, risks, expect.stringMatching(/^Depends on:/)]);
  });

  test('[bach-explain-risks] cost and when of the target that has them', async () => {
    expect((await printedBy(bachProject(RISKY), 'explain', 'shell.apply')).split('\n').slice(1, 4)).toEqual(['When: after the render', 'Cost: high', 'Risks: remote']);
  });

  test('[bach-explain-group] steps are those of a pipeline', async () => {
    const project = bachProject(RISKY);
    expect(await printedBy(project, 'explain', 'pipeline/p')).toContain('\nSteps:\n  - group/both\n');
    expect(await printedBy(project, 'explain', 'group/both')).not.toContain('Steps');
  });
});

describe('graph', () => {
  test('[bach-graph-json-metadata] what is set of a node, and nothing else', async () => {
    const text = 'shell "a" {\n  description = "First"\n  cost = "low"\n  lock = "l"\n  destructive = true\n}\nshell "b" { depends_on = [shell.a] }\n';
    const { nodes } = JSON.parse(await printedBy(bachProject(text), 'graph', '--format', 'json')) as { nodes: unknown };
    expect(nodes).toEqual([
      { name: 'shell/a', kind: 'shell', description: 'First', cost: 'low', lock: 'l', destructive: true, risks: ['destructive'] },
      { name: 'shell/b', kind: 'shell', destructive: true, risks: ['destructive'] },
    ]);
  });

  test('[bach-graph-json] --json is the same document, mermaid the form that is named or not', async () => {
    const project = bachProject(RISKY);
    expect(await printedBy(project, 'graph', '--json')).toBe(await printedBy(project, 'graph', '--format', 'json'));
    expect(await printedBy(project, 'graph', '--format', 'mermaid')).toBe(await printedBy(project, 'graph'));
  });
});

describe('aliases', () => {
  const ALIASED = `${shell('new', 'echo ran', 'inputs = ["a"]')}alias "old" { target = shell.new }\n`;

  test('[bach-alias-no-node] no node, no line, nothing that a path affects', async () => {
    const project = bachProject(ALIASED);
    expect(await printedBy(project, 'list')).toBe('shell/new\n');
    expect(await printedBy(project, 'graph')).toBe('flowchart TD\n  n0["shell/new\\nshell"]\n');
    expect(await printedBy(project, 'affected', 'a')).toBe('shell/new 1 a\n');
    expect(await printedBy(project, 'validate')).toBe('Bachfile valid: 1 targets, 1 aliases, 0 inputs, 0 profiles\n');
  });

  test('[bach-alias-names] history and logs name the target', async () => {
    const project = bachProject(ALIASED);
    const id = await runIdOf(project, 'old');
    expect(readdirSync(project.at('.bach/runs', id))).toContain('shell__new.log');
    expect(await printedBy(project, 'runs', 'list', '--target', 'shell/new')).toMatch(new RegExp(`^${id} success  run          shell/new `));
    expect(await printedBy(project, 'logs', id)).toMatch(/^==> shell\/new \(success\) /);
  });
});

describe('every verb that looks', () => {
  test('[bach-look-state-free] leaves nothing behind', async () => {
    const project = bachProject(RISKY);
    const lines = ['list', 'list --json', 'explain shell/all', 'graph', 'affected a', 'provenance a', 'runs list', 'runs prune', 'artifacts', 'validate', 'reference', 'completion bash'];
    for (const line of lines) await printedBy(project, ...line.split(' '));
    for (const line of ['logs x', 'runs inspect x', 'artifacts x']) await refusalOf(project, 1, ...line.split(' '));
    expect(readdirSync(project.folder)).toEqual(['Bachfile']);
  });

  test.each(['list', 'explain shell/all', 'graph', 'affected a', 'provenance a', 'runs list', 'artifacts', 'validate', 'reference project', 'run -d shell/all'])(
    '[bach-json-indented] %s: two blanks, and a newline at the end',
    async (line) => {
      const text = await printedBy(bachProject(RISKY), ...line.split(' '), '--json');
      expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    },
  );
});

describe('positionals', () => {
  test.each([
    ['explain', 'explain <target>'],
    ['explain a b', 'explain <target>'],
    ['provenance', 'provenance <path> [path ...]'],
    ['runs inspect', 'runs inspect'],
    ['runs inspect a b', 'runs inspect'],
    ['runs list a', 'runs list'],
    ['runs prune a', 'runs prune'],
    ['artifacts a b', 'artifacts'],
    ['logs', 'logs'],
    ['logs a b', 'logs'],
    ['list a', 'list'],
    ['graph a', 'graph'],
    ['validate a', 'validate'],
    ['completion', 'completion'],
  ])('[bach-positionals-missing] bach %s', async (line, usage) => {
    expect(await refusalOf(bachProject(RISKY), 2, ...line.split(' '))).toContain(`usage: bach ${usage}`);
  });
});
