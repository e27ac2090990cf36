import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { chunkedProgram } from '../../support/chunked-program.ts';
import { testNeeding } from '../../support/needs.ts';
import { Screen } from '../../support/tmux.ts';

const program = chunkedProgram(join(import.meta.dirname, 'fixtures/screen.ts'));
let screen: Screen | undefined;

afterEach(() => {
  screen?.close();
  screen = undefined;
});

function show(columns: number, rows: number, ...environment: readonly string[]): Screen {
  screen = Screen.start(['env', '-u', 'NO_COLOR', ...environment, process.execPath, program.file], { columns, rows });
  return screen;
}

const ends = (text: string) => (rows: readonly string[]) => rows.at(-1) === text;
const numbered = (from: number) =>
  Array.from({ length: 31 - from }, (_, index) => `[shell/build] line ${from + index}`);

const FIRST_LINE = '10:00 [shell/build] compiling';

describe('80 columns, 24 rows', () => {
  testNeeding('tmux', 'lines scroll above one status line', async () => {
    const terminal = show(80, 24);
    const status = '1/12 shell/build 1m05s, shell/test-unit 45s, shell/test-browser 25s, +1';
    expect(await terminal.until(ends(status))).toEqual([FIRST_LINE, status]);

    terminal.signal('SIGUSR2');
    const later = '5/12 shell/構建 1m05s, redname 45s';
    expect(await terminal.until(ends(later))).toEqual([...numbered(9), 'careful: two things', later]);

    terminal.signal('SIGUSR2');
    const last = ['[shell/build] stays below', 'run success'];
    expect(await terminal.until(ends('run success'))).toEqual([...numbered(11), 'careful: two things', ...last]);
  });

  testNeeding('tmux', 'TERM=dumb shows lines alone', async () => {
    const terminal = show(80, 24, 'TERM=dumb');
    await terminal.until(ends(FIRST_LINE));
    terminal.signal('SIGUSR2');
    await terminal.until(ends('careful: two things'));
    terminal.signal('SIGUSR2');
    const rows = await terminal.until(ends('run success'));
    expect(rows.slice(-3)).toEqual(['careful: two things', '[shell/build] stays below', 'run success']);
    expect(rows.join('\n')).not.toContain('/12');
  });
});

describe('40 columns, 10 rows', () => {
  testNeeding('tmux', 'the status line is cut and never wraps', async () => {
    const terminal = show(40, 10);
    const status = '1/12 shell/build 1m05s, +3';
    expect(await terminal.until(ends(status))).toEqual([FIRST_LINE, status]);

    terminal.signal('SIGUSR2');
    const later = '5/12 shell/構建 1m05s, redname 45s';
    expect(await terminal.until(ends(later))).toEqual([...numbered(23), 'careful: two things', later]);
  });

  testNeeding('tmux', 'a wider window is used', async () => {
    const terminal = show(40, 10);
    await terminal.until(ends('1/12 shell/build 1m05s, +3'));
    terminal.resize({ columns: 60, rows: 10 });
    const wider = '1/12 shell/build 1m05s, shell/test-unit 45s, +2';
    expect(await terminal.until(ends(wider))).toEqual([FIRST_LINE, wider]);
  });
});
