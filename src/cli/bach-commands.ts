import type { Command } from 'commander';
import type { ProjectInput } from '../bach/commands/index.ts';
import { addBackendCommands } from './bach-backend-commands.ts';
import { addLookCommands } from './bach-look-commands.ts';
import type { BachVerbs } from './bach-verbs.ts';
import { addWordCommands } from './bach-word-commands.ts';
import { verbCall, type Call } from './call.ts';
import { describe, parseWith, type Choose } from './command-line.ts';
import { each, nameAndValue, path, wholeNumber, type NameAndValue } from './option-values.ts';

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
  readonly profile?: readonly string[];
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
    .option('-f, --file <path>', 'load this Bachfile', path('--file'), 'Bachfile')
    .option('--var <name=value>', 'set a variable; may be repeated', nameAndValue('--var'))
    .option('--profile <name>', 'select an environment profile; may be repeated, later ones win', each)
    .option('-v, --verbose', 'show more: with list, cost and risks; with run, quiet targets')
    .option('--json', 'print one JSON document');
  describe(program, { purpose: 'Run the targets of a Bachfile.', example: `${parsing.surface.name} run shell/test` });
  addRun(program, parsing);
  addValidate(program, parsing);
  addLookCommands(program, { ...parsing.surface, choose: parsing.choose, project: () => projectInput(program) });
  addRuns(program, parsing);
  addArtifacts(program, parsing);
  addLogs(program, parsing);
  addBackendCommands(program, { ...parsing.surface, choose: parsing.choose });
  addWordCommands(program, { ...parsing.surface, choose: parsing.choose, project: () => projectInput(program) });
}

interface RunOptions {
  readonly jobs?: number;
  readonly envFile?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly logOnly?: boolean;
}

function addRun(program: Command, { surface, choose }: Parsing): void {
  describe(program.command('run [targets...]'), {
    purpose: 'Run targets after everything that they depend on.',
    example: `${surface.name} run shell/lint shell/test -j 4`,
  })
    .option('-j, --jobs <n>', 'targets that run at the same time (default: CPU count)', wholeNumber('--jobs', 1))
    .option('--env-file <path>', 'add the environment of this file, after .env', path('--env-file'))
    .option('-d, --dry-run', 'print what would run, and write nothing')
    .option('--force', 'run also what is cached and fresh')
    .option('-y, --yes', 'confirm targets that require confirmation')
    .option('--log-only', 'keep what commands print out of the terminal; the logs have it')
    .action((targets: readonly string[], { dryRun = false, force = false, yes = false, logOnly = false, jobs, envFile }: RunOptions) => {
      const input = { ...projectInput(program), targets, jobs, envFile, dryRun, force, yes, logOnly };
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
  addRunsList(runs, program, { surface, choose });
  addRunsInspect(runs, program, { surface, choose });
  addRunsPrune(runs, program, { surface, choose });
}

function addRunsList(runs: Command, program: Command, { surface, choose }: Parsing): void {
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

function addRunsInspect(runs: Command, program: Command, { surface, choose }: Parsing): void {
  describe(runs.command('inspect <run-id>'), {
    purpose: 'Say what became of each target of a run, and why.',
    example: `${surface.name} runs inspect --json 20260608T120000.000000000Z`,
  }).action((runId: string) => {
    const input = { ...projectInput(program), runId };
    choose(verbCall({ load: surface.verbs.runsInspect, input, json: input.json }));
  });
}

function addRunsPrune(runs: Command, program: Command, { surface, choose }: Parsing): void {
  describe(runs.command('prune'), {
    purpose: 'Remove runs that are old, not among the newest 50, and not needed.',
    example: `${surface.name} runs prune --dry-run`,
  })
    .option('-d, --dry-run', 'only say what would be removed')
    .action(({ dryRun = false }: { readonly dryRun?: boolean }) => {
      const input = { ...projectInput(program), dryRun };
      choose(verbCall({ load: surface.verbs.runsPrune, input, json: input.json }));
    });
}

function addArtifacts(program: Command, { surface, choose }: Parsing): void {
  describe(program.command('artifacts [run-id]'), {
    purpose: 'List what runs made: logs, files, images.',
    example: `${surface.name} artifacts --target shell/build --runs-limit 0`,
  })
    .option('--runs-limit <n>', 'artifacts to list; 0 for all', wholeNumber('--runs-limit', 0), 10)
    .option('--target <target>', 'only what this target made, or runs of it')
    .option('--status <status>', 'only of runs with this status')
    .option('--since <duration|time>', 'only of runs this young, or started since this time')
    .option('--artifact <path>', 'only artifacts whose path contains this')
    .action((runId: string | undefined, { runsLimit, ...filters }: RunFilters) => {
      const input = { ...projectInput(program), limit: runsLimit, ...filters, ...(runId === undefined ? {} : { runId }) };
      choose(verbCall({ load: surface.verbs.artifacts, input, json: input.json }));
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
  const { file, var: vars = [], profile: profiles = [], json = false, verbose = false } = program.opts<ProjectOptions>();
  return { file, vars, profiles, json, verbose };
}
