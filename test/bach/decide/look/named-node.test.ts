import { describe, expect, test } from 'vitest';
import { aliasNotice, namedNode } from '../../../../src/bach/decide/index.ts';
import { implementer, policy, project, target } from './fixtures.ts';

const OLD = { name: 'old', target: 'shell/new', deprecated: 'Use shell.new.' };
const PROJECT = project({
  targets: [target('shell/new'), target('shell/a.b'), target('agent/x', { agent: implementer('merge') })],
  aliases: [OLD, { name: 'shell.older', target: 'shell/new', deprecated: '' }],
  policies: [policy('merge', ['shell/new']), policy('merge', ['shell/new'], { subject: 'agent.y' })],
});

function meaning(name: string): string {
  const found = namedNode(name, PROJECT);
  if (found.kind === 'unknown') return found.error.message;
  if (found.kind === 'policy') return `${found.node.form} ${found.node.name}`;
  return [found.target.name, ...(found.alias === undefined ? [] : [`through ${found.alias.name}`])].join(' ');
}

describe('what a name means', () => {
  test.each([
    ['shell/new', 'shell/new'],
    ['shell.new', 'shell/new'],
    ['shell/a.b', 'shell/a.b'],
    ['shell.a.b', 'shell/a.b'],
    ['old', 'shell/new through old'],
    ['shell.older', 'shell/new through shell.older'],
    ['policy.merge@agent.y', 'standalone policy.merge@agent.y'],
    ['policy/merge@agent.x', 'attached policy/merge@agent.x'],
    ['policy/merge@agent.y', 'standalone policy.merge@agent.y'],
    ['policy.merge@agent.x', 'attached policy/merge@agent.x'],
    ['policy.merge@agent.z', 'unknown target "policy.merge@agent.z"'],
    ['new', 'unknown target "new"; did you mean "shell/new"?'],
    ['olt', 'unknown target "olt"; did you mean "old"?'],
    ['', 'unknown target ""'],
  ])('%j', (name, expected) => {
    expect(meaning(name)).toBe(expected);
  });
});

test('the notice says what to use: the words of the alias, or else its target', () => {
  expect(aliasNotice(OLD)).toBe('alias "old" resolves to "shell/new". Use shell.new.');
  expect(aliasNotice({ ...OLD, deprecated: '' })).toBe('alias "old" resolves to "shell/new". Use shell/new.');
});
