import { expect, test } from 'vitest';
import { parseDrover } from '../../src/cli/drover-commands.ts';
import { perform } from '../../src/cli/perform.ts';
import { runCli } from '../support/cli.ts';
import { stubDeskVerbs, type Called } from './fixtures/stub-verbs.ts';

const SELF = ['node', '--', 'drover'];

async function called(line: string) {
  const calls: Called[] = [];
  const surface = { width: 80, self: SELF, verbs: stubDeskVerbs(calls) };
  const result = await runCli((words, host) => perform(() => parseDrover(words, surface), host), line.split(' '));
  return { ...result, calls };
}

test.each([
  ['config show', 'configShow', { origin: false, flags: [] }],
  [
    'config show --origin --set a.b=c --set d==',
    'configShow',
    { origin: true, flags: [{ name: 'a.b', text: 'c', flag: '--set a.b' }, { name: 'd', text: '=', flag: '--set d' }] },
  ],
  ['doctor', 'doctor', { flags: [], self: SELF, lockToLookAt: undefined, notify: false }],
  ['doctor --look-at-lock /x', 'doctor', { flags: [], self: SELF, lockToLookAt: '/x', notify: false }],
  ['selftest crash', 'selftestCrash', { scenario: undefined }],
  ['selftest crash --scenario 3', 'selftestCrash', { scenario: 3 }],
  ['doctor --notify', 'doctor', { flags: [], self: SELF, lockToLookAt: undefined, notify: true }],
  ['explain', 'explain', { code: undefined }],
  ['explain disk-full', 'explain', { code: 'disk-full' }],
  ['journal check', 'journalCheck', { files: [] }],
  ['journal check a b -- --c', 'journalCheck', { files: ['a', 'b', '--c'] }],
])('%s', async (line, verb, input) => {
  const { exit, stdout, stderr, calls } = await called(line);
  expect({ exit, stdout, stderr, calls }).toEqual({ exit: 0, stdout: `${verb} text\n`, stderr: '', calls: [{ verb, input }] });
});

test.each(['doctor --json', '--json doctor', '--json config show', 'config --json show', 'explain x --json', 'journal check --json'])(
  '%s asks for the document',
  async (line) => {
    const { stdout, calls } = await called(line);
    expect(JSON.parse(stdout)).toEqual({ verb: calls[0]?.verb });
  },
);
