import type { Command } from 'commander';
import type { ProjectInput } from '../bach/commands/index.ts';
import type { BachVerbs } from './bach-verbs.ts';
import { verbCall, type Call } from './call.ts';
import { describe, parseWith, type Choose } from './command-line.ts';
import { nameAndValue, wholeNumber, type NameAndValue } from './option-values.ts';

/** What differs between the programs that offer these commands. */
export interface BachSurface {
  /** How the user calls it: `bach` or `drover bach`. */
  readonly name: string;
  readonly verbs: BachVerbs;
  /** Columns of the terminal. */
  readonly width: number | undefined;
}

interface Parsing {
  readonly surface: BachSurface;
  readonly choose: Choose;
}

interface ProjectOptions {
  readonly file: string;
  readonly var?: readonly NameAndValue[];
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Reads the command line of `bach`. Throws what is wrong with it as an error with exit code 2. */
export function parseBach(argv: readonly string[], surface: BachSurface): Call {
  const { name, width } = surface;
  return parseWith(argv, { name, version: 'bach', width }, (program, choose) => addCommands(program, { surface, choose }));
}

function addCommands(program: Command, parsing: Parsing): void {
  program
    .option('-f, --file <path>', 'load this Bachfile', 'Bachfile')
    .option('--var <name=value>', 'set a variable; may be repeated', nameAndValue('--var'))
    .option('-v, --verbose', 'show more: with list, cost and risks')
    .option('--json', 'print one JSON document');
  describe(program, { purpose: 'Run the targets of a Bachfile.', example: `${parsing.surface.name} run shell/test` });
  addRun(program, parsing);
  addValidate(program, parsing);
  addList(program, parsing);
  addRuns(program, parsing);
  addLogs(program, parsing);
}

function addRun(program: Command, { surface, choose }: Parsing): void {
  describe(program.command('run [targets...]'), {
    purpose: 'Run targets after everything that they depend on.',
    example: `${surface.name} run shell/lint shell/test -j 4`,
  })
    .option('-j, --jobs <n>', 'targets that run at the same time (default: CPU count)', wholeNumber('--jobs', 1))
    .option('--env-file <path>', 'add the environment of this file, after .env')
    .action((targets: readonly string[], own: { readonly jobs?: number; readonly envFile?: string }) => {
      const input = { ...projectInput(program), targets, jobs: own.jobs, envFile: own.envFile };
      choose(verbCall({ load: surface.verbs.run, input, json: input.json, stoppable: true }));
    });
}

function addValidate(program: Command, { surface, choose }: Parsing): void {
  describe(program.command('validate'), {
    purpose: 'Check the Bachfile and say what is wrong with it.',
    example: `${surface.name} validate --json`,
  }).action(() => {
    const input = projectInput(program);
    choose(verbCall({ load: surface.verbs.validate, input, json: input.json }));
  });
}

function addList(program: Command, { surface, choose }: Parsing): void {
  describe(program.command('list'), {
    purpose: 'List the targets of the Bachfile.',
    example: `${surface.name} list -f build/Bachfile`,
  }).action(() => {
    const input = projectInput(program);
    choose(verbCall({ load: surface.verbs.list, input, json: input.json }));
  });
}

interface RunFilters {
  readonly runsLimit: number;
  readonly target?: string;
  readonly status?: string;
  readonly since?: string;
  readonly artifact?: string;
}

function addRuns(program: Command, { surface, choose }: Parsing): void {
  const runs = describe(program.command('runs'), {
    purpose: 'Look at the runs that are recorded.',
    example: `${surface.name} runs list`,
  });
  describe(runs.command('list'), {
    purpose: 'List the recorded runs, newest first.',
    example: `${surface.name} runs list --status failed --since 24h`,
  })
    .option('--runs-limit <n>', 'runs to list; 0 for all', wholeNumber('--runs-limit', 0), 10)
    .option('--target <target>', 'only runs of this target')
    .option('--status <status>', 'only runs with this status')
    .option('--since <duration|time>', 'only runs this young, or started since this time')
    .option('--artifact <path>', 'only runs with an artifact whose path contains this')
    .action(({ runsLimit, ...filters }: RunFilters) => {
      const input = { ...projectInput(program), limit: runsLimit, ...filters };
      choose(verbCall({ load: surface.verbs.runsList, input, json: input.json }));
    });
}

interface LogsOptions {
  readonly failed?: boolean;
  readonly target?: string;
  readonly last: number;
  readonly errors?: boolean;
}

function addLogs(program: Command, { surface, choose }: Parsing): void {
  describe(program.command('logs <run-id>'), {
    purpose: 'Print the end of the log of each target of a run.',
    example: `${surface.name} logs 20260608T120000.000000000Z --failed`,
  })
    .option('--failed', 'only targets that failed')
    .option('--target <target>', 'only this target')
    .option('--last <n>', 'lines for each target', wholeNumber('--last', 0), 20)
    .option('--errors', 'only lines that look like errors')
    .action((runId: string, { failed = false, errors = false, ...own }: LogsOptions) => {
      const input = { ...projectInput(program), runId, failed, errors, ...own };
      choose(verbCall({ load: surface.verbs.logs, input, json: input.json }));
    });
}

function projectInput(program: Command): ProjectInput {
  const { file, var: vars = [], json = false, verbose = false } = program.opts<ProjectOptions>();
  return { file, vars, json, verbose };
}
