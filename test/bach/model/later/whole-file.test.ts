import { describe, expect, test } from 'vitest';
import { readBachfile } from '../../../../src/bach/model/bachfile.ts';
import { generatedPolicyNodes } from '../../../../src/bach/model/later/index.ts';
import type { Project } from '../../../../src/bach/model/project.ts';
import { pack } from '../../../../src/bach/store/kept/pack.ts';
import { unpack } from '../../../../src/bach/store/kept/unpack.ts';
import { formatDiagnostic } from '../../../../src/kernel/text/index.ts';

type Files = Readonly<Record<string, string>>;

/** A project of several files; the first is the Bachfile, and imports go by their names. */
function read(files: Files) {
  const bytes = (name: string) => new TextEncoder().encode(files[name] ?? '');
  return readBachfile(bytes('Bachfile'), {
    file: 'Bachfile',
    canonical: '/p/Bachfile',
    overrides: [],
    profiles: [],
    environment: {},
    answers: new Map(),
    readImport: (_, path) => ({ kind: 'file', canonical: `/p/${path}`, shown: path, bytes: bytes(path) }),
  });
}

function projectOf(files: Files): Project | undefined {
  const { decoded, diagnostics } = read(files);
  expect(diagnostics.map(formatDiagnostic)).toEqual([]);
  expect(unpack(pack(decoded) ?? '')).toStrictEqual(decoded);
  return decoded?.project;
}

const FILES = {
  Bachfile: `project "shop" {}

import "agents.bach"

var "area" {
  default = "cart"
}

shell "unit" {
  command = ["make", "unit"]
  outputs = {
    junit = "$(RUN_DIRECTORY)/junit.xml"
  }
}

group "gate" {
  targets = [shell.unit]
}

alias "release" {
  target = group.gate
}

plugin "reader" {
  type    = "quality"
  command = ["./read"]
}

quality "unit" {
  junit {
    path = shell.unit.outputs.junit
  }
  lint {
    path   = "\${var.area}/lint.txt"
    parser = plugin.reader
  }
  quality_gate {
    metric = "tests.failed"
    max    = 0
  }
}

factory "line" {
  workflow "ship" {
    plan {
      agent_template = agent_template.writer
      path           = "plans/\${work_item.id}.md"
    }
    implement {
      agent_template = agent_template.writer
    }
    deploy "live" {
      target = "release"
    }
  }
}
`,
  'agents.bach': `provider "tool" {
  type    = "agent"
  command = ["tool", "--area", var.area]
}

prompt "guide" {
  path = "prompts/guide.md"
}

agent_template "writer" {
  provider = provider.tool
  prompt   = prompt.guide
  policy   = policy.review
  workspace {
    path = ".bach/agents/\${plan.id}"
  }
}

agent "cart" {
  template = agent_template.writer
  plan     = "plans/cart.md"
  workspace {
    path = ".bach/agents/\${var.area}"
  }
}

agent "eyes" {
  mode     = "review"
  provider = provider.tool
}

agent "land" {
  mode     = "merge"
  provider = provider.tool
  subject  = agent.cart
}

agent "land_apart" {
  mode     = "merge"
  provider = provider.tool
  subject  = agent.cart
  lock     = "own"
}

policy "review" {
  reviewers        = [agent.eyes]
  required_targets = [group.gate]
}

policy "merge" {
  subject          = agent.cart
  required_targets = [shell.unit]
}
`,
};

describe('a project with agents, policies, quality and a factory', () => {
  const project = projectOf(FILES);

  test('has them all, also from imported files', () => {
    expect(project?.providers.get('tool')?.command).toEqual(['tool', '--area', 'cart']);
    expect(project?.agentTemplates.get('writer')?.workspace.path).toBe('.bach/agents/${plan.id}');
    expect([...(project?.policies.keys() ?? [])]).toEqual(['review', 'merge@agent.cart']);
    expect(project?.qualities.get('shell/unit')?.reports).toEqual([
      { kind: 'tests', path: '$(RUN_DIRECTORY)/junit.xml', format: 'junit-xml', parser: '' },
      { kind: 'lint', path: 'cart/lint.txt', format: '', parser: 'reader' },
    ]);
    const [workflow] = project?.factories.get('line')?.workflows ?? [];
    expect(workflow?.plan?.path).toBe('plans/${work_item.id}.md');
    expect(workflow?.deploys.map(({ target }) => target)).toEqual(['release']);
  });

  test('has agents among its targets, with their settings, inputs and locks', () => {
    const cart = project?.targets.get('agent/cart');
    expect(cart?.agent).toMatchObject({ mode: 'implement', provider: 'tool', prompt: 'guide', policy: 'review' });
    expect(cart?.agent?.workspace.path).toBe('.bach/agents/cart');
    expect(cart?.inputs).toEqual(['prompts/guide.md', 'plans/cart.md']);
    expect(cart?.lock).toBe('');
    expect(project?.targets.get('agent/land')?.lock).toBe('merge-lane');
    expect(project?.targets.get('agent/land_apart')?.lock).toBe('own');
  });

  test('has the nodes that its policies generate', () => {
    expect(project && generatedPolicyNodes(project).map(({ name }) => name)).toEqual([
      'policy.merge@agent.cart',
      'policy/review@agent.cart',
    ]);
  });

  test('is told of faults in the file in which they are', () => {
    const broken = {
      Bachfile: FILES.Bachfile.replace('plugin.reader', 'plugin.raeder').replace('"release"\n    }', '"relase"\n    }'),
      'agents.bach': FILES['agents.bach'].replace('[agent.eyes]', '[agent.cart]').replace('provider.tool\n  prompt', 'provider.tol\n  prompt'),
    };
    expect(read(broken).diagnostics.map(formatDiagnostic)).toEqual([
      'Bachfile:35:14: target "shell/unit" report "lint" references unknown parser plugin "raeder"; did you mean "reader"?',
      'Bachfile:53:16: factory "line" workflow "ship" deploy "live" target: unknown target "relase"; did you mean "release"?',
      'agents.bach:11:14: agent_template "writer" references unknown provider "tol"; did you mean "tool"?',
      'agents.bach:46:23: policy "review" reviewer "agent/cart" must be mode review',
    ]);
  });

  test('is told of agents in the words of targets', () => {
    const broken = { ...FILES, 'agents.bach': FILES['agents.bach'].replace('plan     =', 'plann    =') };
    expect(read(broken).diagnostics.map(formatDiagnostic)).toEqual([
      'agents.bach:19:1: target "agent/cart" plan is required',
      'agents.bach:21:3: decode agents.bach: Unsupported argument; An argument named "plann" is not expected here; did you mean "plan"?',
    ]);
  });
});
