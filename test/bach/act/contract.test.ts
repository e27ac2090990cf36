import { describe, expect, test } from 'vitest';
import { brokenContract, searchedTexts, type CheckAnswer } from '../../../src/bach/act/contract.ts';
import { TextSearch } from '../../../src/bach/act/text-search.ts';
import type { CompletionCheck, Target } from '../../../src/bach/model/project.ts';

const contains = (text: string): CompletionCheck => ({ kind: 'output_contains', text });
const exists = (path: string): CompletionCheck => ({ kind: 'file_exists', path });
const command = (...argv: readonly [string, ...string[]]): CompletionCheck => ({ kind: 'command', argv });

interface Case {
  readonly failWhen?: readonly CompletionCheck[];
  readonly successWhen?: readonly CompletionCheck[];
  readonly printed?: string;
  readonly files?: readonly string[];
  readonly answers?: Readonly<Record<string, CheckAnswer>>;
}

async function broken({ failWhen = [], successWhen = [], printed = '', files = [], answers = {} }: Case) {
  const target = { name: 'shell/x', failWhen, successWhen } as Target;
  const search = new TextSearch(searchedTexts(target));
  search.write(Buffer.from(printed));
  const asked: string[] = [];
  const message = await brokenContract(target, {
    printed: search,
    fileExists: (path) => files.includes(path),
    run: async ([program]) => {
      asked.push(program);
      return answers[program] ?? 'false';
    },
  });
  return { message, asked };
}

describe('a contract', () => {
  test.each<[string, Case, string | undefined]>([
    ['nothing is asked for', {}, undefined],
    ['a text must not be printed, and is not', { failWhen: [contains('BAD')], printed: 'good' }, undefined],
    ['a text must not be printed', { failWhen: [contains('BAD')], printed: 'so BAD' }, 'target "shell/x" fail_when matched: output_contains "BAD"'],
    ['a text must be printed, and is', { successWhen: [contains('done')], printed: 'all done' }, undefined],
    ['a text must be printed', { successWhen: [contains('done')] }, 'target "shell/x" success_when not satisfied: output_contains "done"'],
    ['a file must not be there', { failWhen: [exists('core')], files: ['core'] }, 'target "shell/x" fail_when matched: file_exists "core"'],
    ['a file must be there', { successWhen: [exists('app')] }, 'target "shell/x" success_when not satisfied: file_exists "app"'],
    ['a command must succeed, and does', { successWhen: [command('ok')], answers: { ok: 'true' } }, undefined],
    ['a command must succeed', { successWhen: [command('ok', '-v')] }, 'target "shell/x" success_when not satisfied: command ok -v'],
    ['a command must not succeed', { failWhen: [command('bad')], answers: { bad: 'true' } }, 'target "shell/x" fail_when matched: command bad'],
    [
      'a command that must not succeed cannot be started',
      { failWhen: [command('gone')], answers: { gone: { error: 'command not found: gone' } } },
      'target "shell/x" fail_when could not be checked: command gone: command not found: gone',
    ],
    [
      'a command that must succeed cannot be started',
      { successWhen: [command('gone')], answers: { gone: { error: 'command not found: gone' } } },
      'target "shell/x" success_when could not be checked: command gone: command not found: gone',
    ],
  ])('%s', async (_, given, expected) => {
    expect((await broken(given)).message).toBe(expected);
  });

  test('what must not be comes first, and nothing is looked at after the first that is against it', async () => {
    const failWhen = [command('first'), command('second'), command('third')];
    const { message, asked } = await broken({ failWhen, successWhen: [command('last')], answers: { second: 'true' } });
    expect(message).toContain('fail_when matched: command second');
    expect(asked).toEqual(['first', 'second']);
  });

  test('a check that is cut is the last', async () => {
    const { message, asked } = await broken({ failWhen: [command('cut'), command('next')], answers: { cut: 'cut' } });
    expect(message).toBeDefined();
    expect(asked).toEqual(['cut']);
  });
});
