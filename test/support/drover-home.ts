import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drover } from '../../src/cli/drover-program.ts';
import { runCli, type CliOptions, type CliResult } from './cli.ts';
import { temporaryFolder, writeFiles } from './temp.ts';

export interface DroverHome {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  write(path: string, text: string): void;
  /** Makes a program of that name, first on the PATH of `drover`. */
  program(name: string, script: string): void;
  /** Every path with its kind, size and content, to see that nothing was changed. */
  contents(): string;
  drover(argv: readonly string[], options?: CliOptions): Promise<CliResult>;
}

/** A home and a project of their own for the running test. */
export function droverHome(): DroverHome {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  const bin = join(folder, 'bin');
  for (const each of [home, project, bin]) mkdirSync(each);
  const write = (path: string, text: string): void => writeFiles(folder, { [path]: text });
  const env = { HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  return {
    folder,
    home,
    project,
    write,
    program: (name, script) => {
      write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    },
    contents: () => contentsOf(folder),
    drover: (argv, options = {}) => runCli(drover, argv, { cwd: project, ...options, env: { ...env, ...options.env } }),
  };
}

function contentsOf(folder: string): string {
  const paths = readdirSync(folder, { recursive: true }).map(String).toSorted();
  return paths.map((path) => `${path} ${describe(join(folder, path))}`).join('\n');
}

function describe(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? JSON.stringify(readFileSync(path, 'latin1')) : `${stats?.mode}`;
}
