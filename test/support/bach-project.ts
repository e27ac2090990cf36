import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bach } from '../../src/cli/bach-program.ts';
import { runCli, type CliOptions, type CliResult } from './cli.ts';
import { temporaryFolder } from './temp.ts';

export interface BachProject {
  readonly folder: string;
  at(...names: readonly string[]): string;
  write(path: string, text: string | Uint8Array): void;
  read(path: string): string;
  bach(argv: readonly string[], options?: CliOptions): Promise<CliResult>;
}

/** A project for the running test: `text` is its Bachfile, with a project block put before it unless it has one. */
export function bachProject(text: string): BachProject {
  const folder = temporaryFolder();
  const project: BachProject = {
    folder,
    at: (...names) => join(folder, ...names),
    write: (path, content) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    bach: (argv, options = {}) => runCli(bach, argv, { cwd: folder, ...options }),
  };
  project.write('Bachfile', /^project\b/m.test(text) ? text : `project "test" {}\n${text}`);
  return project;
}

/** The id of the run that a summary line names. */
export function runIdIn(stdout: string): string {
  const found = /^run (\S+) /m.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`no summary line in ${JSON.stringify(stdout)}`);
  return found;
}
