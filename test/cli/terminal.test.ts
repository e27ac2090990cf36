import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { chunkedProgram } from '../support/chunked-program.ts';
import { testNeeding } from '../support/needs.ts';
import { Screen } from '../support/tmux.ts';

const program = chunkedProgram(join(import.meta.dirname, 'fixtures/program.ts'));
let screen: Screen | undefined;
afterEach(() => {
  screen?.close();
  screen = undefined;
});

/** A shell that outlives Ctrl-C and shows the exit code below what the program left on the screen. */
function show(...argv: readonly string[]): Screen {
  const line = `trap : INT; "$0" "$@"; echo "exit $?"; sleep 60`;
  screen = Screen.start(['bash', '-c', line, process.execPath, program.file, ...argv], { columns: 40, rows: 10 });
  return screen;
}

describe('a person presses Ctrl-C', () => {
  testNeeding('tmux', 'once: status line and echo go, the verb gives the exit code', async () => {
    const terminal = show('run', 'busy');
    await terminal.until((rows) => rows.at(-1)?.startsWith('1/2 shell/a-long-name') ?? false);
    terminal.keys('C-c');
    const rows = await terminal.until((all) => all.at(-1) === 'exit 130');
    expect(rows).toEqual(['ready', 'asked by SIGINT', 'exit 130']);
  });

  testNeeding('tmux', 'in a short command: it ends by the signal', async () => {
    const terminal = show('list', '-f', 'hang');
    await terminal.until((rows) => rows.at(-1) === 'hanging');
    terminal.keys('C-c');
    const rows = await terminal.until((all) => all.at(-1)?.endsWith('exit 130') ?? false);
    expect(rows).toEqual(['hanging', '^Cexit 130']);
  });
});
