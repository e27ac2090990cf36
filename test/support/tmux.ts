import { execFileSync } from 'node:child_process';

const ATTEMPTS = 200;
const PAUSE_MILLISECONDS = 50;

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** One program on a real terminal of a known size, in a tmux server of its own. */
export class Screen {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Socket names must differ between tests that run at the same time. */
  static start(argv: readonly string[], { columns, rows }: Size): Screen {
    const screen = new Screen(`drover-test-${process.pid}-${columns}-${Math.random().toString(36).slice(2)}`);
    screen.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, ...argv);
    screen.#tmux('set-option', '-g', 'remain-on-exit', 'on');
    return screen;
  }

  /** What the rows show, without the empty ones at the end. */
  rows(): readonly string[] {
    return this.#tmux('capture-pane', '-p').trimEnd().split('\n');
  }

  /** The rows as soon as `isThere` is true of them, or the last ones seen. */
  async until(isThere: (rows: readonly string[]) => boolean): Promise<readonly string[]> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const rows = this.rows();
      if (isThere(rows)) return rows;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
    return this.rows();
  }

  signal(name: NodeJS.Signals): void {
    process.kill(Number(this.#tmux('display-message', '-p', '#{pane_pid}')), name);
  }

  keys(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  resize({ columns, rows }: Size): void {
    this.#tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`);
  }

  close(): void {
    this.#tmux('kill-server');
  }

  #tmux(...args: readonly string[]): string {
    const { TMUX: _outer, ...env } = process.env;
    const options = { encoding: 'utf8', env: { ...env, LC_ALL: 'C.UTF-8' } } as const;
    return execFileSync('tmux', ['-L', this.#socket, ...args], options);
  }
}
