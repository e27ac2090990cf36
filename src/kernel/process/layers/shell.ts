import type { Wrapper } from '../launch.ts';

/** Variables that a shell makes or changes on its own, and would hand to the program. */
const OF_THE_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];
const SHELL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface ShellOptions {
  readonly shell: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** `$1` and so on, before the program. */
  readonly args?: readonly string[];
  /** What starts the shell, e.g. `unshare --pid --`. */
  readonly before?: readonly [string, ...string[]];
}

/** A script of ours that gets the program as its last arguments; it sees to it that the environment passes unchanged. */
export function throughShell({ shell, script, env, args = [], before }: ShellOptions): Wrapper {
  const [file, ...rest] = [...(before ?? []), shell, '-c', `${restoring(env)}${script}`, 'drover', ...args];
  return { file: file ?? shell, args: rest };
}

/** Most shells drop a variable whose name they could not use themselves. */
export function shellKeeps(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).every((name) => SHELL_NAME.test(name));
}

/** Commands that undo what a shell did to the environment when it started. */
export function restoring(env: Readonly<Record<string, string>>): string {
  const commands = OF_THE_SHELL.map((name) => {
    const value = env[name];
    return value === undefined ? `unset ${name} 2>/dev/null` : `export ${name}=${quoted(value)}`;
  });
  return `${commands.join('; ')}; `;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
