import { describe, expect, test } from 'vitest';
import { faults, messages, sound } from './fixtures.ts';

describe('a provider', () => {
  test('is an agent with a command, or opencode without one', () => {
    const { later } = sound(`
provider "any" {
  type    = "agent"
  command = ["run", var.word, "\${var.word}-1"]
}
provider open { type = "opencode" }
provider "null" {
  type    = "opencode"
  command = null
}`);
    expect([...later.providers.values()]).toEqual([
      { name: 'any', type: 'agent', command: ['run', 'word', 'word-1'] },
      { name: 'open', type: 'opencode', command: [] },
      { name: 'null', type: 'opencode', command: [] },
    ]);
  });

  test.each([
    ['no type', 'command = ["x"]', 'provider "p" type must be "agent" or "opencode"'],
    ['another type', 'type = "shell"\ncommand = ["x"]', 'provider "p" type must be "agent" or "opencode"'],
    ['an empty type', 'type = ""', 'provider "p" type must be "agent" or "opencode"'],
    ['an agent without command', 'type = "agent"', 'provider "p" command must not be empty'],
    ['an empty command', 'type = "agent"\ncommand = []', 'provider "p" command must not be empty'],
    [
      'an empty program',
      'type = "agent"\ncommand = ["", "x"]',
      'provider "p" command must not start with an empty string',
    ],
    [
      'opencode with a command',
      'type = "opencode"\ncommand = ["x"]',
      'provider "p" command is not supported for opencode providers',
    ],
    [
      'opencode with an empty command',
      'type = "opencode"\ncommand = []',
      'provider "p" command is not supported for opencode providers',
    ],
  ])('with %s is told', (_, body, message) => {
    expect(messages(`provider "p" {\n${body}\n}`)).toEqual([message]);
  });

  test.each([
    ['a command that is no list', 'type = "agent"\ncommand = {}', 'provider "p" command: an object is not a list'],
    ['a command that names nothing', 'type = "agent"\ncommand = [var.none]', 'none'],
    ['a type that names nothing', 'type = var.none\ncommand = ["x"]', 'none'],
  ])('with %s is told once', (_, body, part) => {
    const told = messages(`provider "p" {\n${body}\n}`);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(part);
  });

  test('is told where it is faulty, with what was meant', () => {
    expect(faults('provider "p" {\n  type = "opencode"\n  comand = ["x"]\n  env {}\n}\nprovider "p" {\n  type = "opencode"\n}')).toEqual([
      '3:3: decode Bachfile: Unsupported argument; An argument named "comand" is not expected here; did you mean "command"?',
      '4:3: decode Bachfile: Unsupported block type; Blocks of type "env" are not expected here',
      '6:1: duplicate provider "p"',
    ]);
  });

  test('needs a name', () => {
    const told = messages('provider {\n  type = "opencode"\n}\nprovider "" {\n  type = "opencode"\n}\nprovider "a" "b" {\n  type = "opencode"\n}');
    expect(told).toEqual([
      expect.stringContaining('Missing name for provider'),
      'provider name must not be empty or hold control characters',
      expect.stringContaining('Extraneous label for provider'),
    ]);
  });
});
