import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBach } from '../../src/cli/bach-commands.ts';
import { parseDrover } from '../../src/cli/drover-commands.ts';
import { perform } from '../../src/cli/perform.ts';
import { runCli } from '../support/cli.ts';
import { stubDeskVerbs, stubVerbs, type Called } from './fixtures/stub-verbs.ts';

const KNOWN = ['run', 'validate', 'list', 'runs', 'logs', 'bach', '-f', '--file', '--var', '--json', '--version', '-h', '-v', 'graph', 'inspect'];
const OPTIONS = ['--help', '-j', '--jobs', '--env-file', '--runs-limit', '--target', '--last', '--failed', '--', '-yd', '--profile'];
const VALUES = ['a=b', '=', '4', '-1', 'shell/a', '', '-', '---', '-xyz', '--=', 'ä', '\n', '\x1b[2J', '__proto__'];

const DROVER = ['config', 'show', 'doctor', 'explain', 'journal', 'check', 'selftest', 'crash', '--scenario', '--origin', '--set', '--look-at-lock', 'disk-full'];

const word = fc.oneof(fc.constantFrom(...KNOWN, ...OPTIONS, ...VALUES), fc.string({ maxLength: 8 }));
const words = fc.array(word, { maxLength: 6 });
const seeded = { seed: 20260616, numRuns: 400 };

test('any words are understood, answered, or refused with two lines and exit code 2', async () => {
  await fc.assert(
    fc.asyncProperty(words, async (argv) => {
      const called: Called[] = [];
      const surface = { name: 'bach', verbs: stubVerbs(called), width: 80 };
      const result = await runCli((given, host) => perform(() => parseBach(given, surface), host), argv);
      expect(shapeOf({ ...result, called: called.length })).toBe('right');
    }),
    seeded,
  );
});

test('the same for drover, whose systems take the rest', async () => {
  const own = fc.oneof(fc.constantFrom(...DROVER), word);
  await fc.assert(
    fc.asyncProperty(fc.array(own, { maxLength: 6 }), async (given) => {
      const argv = given.filter((each) => each !== 'bach');
      const called: Called[] = [];
      const surface = { width: 80, verbs: stubDeskVerbs(called) };
      const result = await runCli((all, host) => perform(() => parseDrover(all, surface), host), argv);
      expect(shapeOf({ ...result, called: called.length })).toBe('right');
    }),
    seeded,
  );
});

interface Seen {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly called: number;
}

function shapeOf({ exit, stdout, stderr, called }: Seen): string {
  if (exit === 0) return stdout !== '' && stderr === '' && called <= 1 ? 'right' : `quiet: ${stdout} ${stderr}`;
  if (exit !== 2 || stdout !== '' || called !== 0) return `exit ${exit}: ${stdout} ${stderr}`;
  const printable = !/[^\P{Cc}\n]/u.test(stderr);
  return stderr.split('\n').length === 3 && printable ? 'right' : `shape: ${JSON.stringify(stderr)}`;
}
