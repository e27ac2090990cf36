import { describe, expect, test } from 'vitest';
import { startDialogue, type Dialogue } from '../../../src/kernel/process/index.ts';
import { isRunning } from '../../support/process/workbench.ts';
import { temporaryFolder } from '../../support/temp.ts';

interface Talk {
  readonly dialogue: Dialogue;
  readonly printed: () => string;
  readonly told: () => string;
}

function talkTo(...argv: readonly [string, ...string[]]): Talk {
  const output: Uint8Array[] = [];
  const errors: Uint8Array[] = [];
  const dialogue = startDialogue({
    argv,
    origin: 'project',
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'] ?? '' },
    marker: 'test',
    graceMs: 200,
    onOutput: (chunk) => output.push(chunk),
    onErrors: (chunk) => errors.push(chunk),
  });
  return { dialogue, printed: () => Buffer.concat(output).toString(), told: () => Buffer.concat(errors).toString() };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a dialogue', () => {
  test('question and answer, until its input ends', async () => {
    const { dialogue, printed, told } = talkTo('sh', '-c', 'while read -r line; do echo "<$line>"; echo "heard" >&2; done; exit 3');
    await dialogue.write(Buffer.from('one\n'));
    await until(() => printed() === '<one>\n');
    await dialogue.write(Buffer.from('two\n'));
    dialogue.endInput();
    expect(await dialogue.exit).toEqual({ kind: 'exited', code: 3 });
    expect([printed(), told()]).toEqual(['<one>\n<two>\n', 'heard\nheard\n']);
    // Nobody reads any more.
    await dialogue.write(Buffer.from('three\n'));
  });

  test('what it cannot start is told', async () => {
    for (const program of ['no-such-program', '']) {
      const { dialogue } = talkTo(program);
      await dialogue.write(Buffer.from('x'));
      dialogue.stop();
      expect(await dialogue.exit).toMatchObject({ kind: 'not-started' });
    }
  });

  test('a stop ends it with what it started, though both ignore TERM', async () => {
    const { dialogue, printed } = talkTo('sh', '-c', 'trap "" TERM; sleep 1000 & echo "$!"; while :; do sleep 0.05; done');
    await until(() => printed().includes('\n'));
    const pid = Number(printed());
    expect(pid).toBeGreaterThan(1);
    dialogue.stop();
    expect(await dialogue.exit).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    expect(isRunning(pid)).toBe(false);
  });
});
