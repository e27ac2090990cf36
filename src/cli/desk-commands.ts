import type { Command } from 'commander';
import type { FlagValue } from '../kernel/config/index.ts';
import { plainName } from '../kernel/text/index.ts';
import { verbCall, type Call } from './call.ts';
import { describe, parseWith, type Choose } from './command-line.ts';
import type { DeskVerbs } from './desk-verbs.ts';
import { nameAndValue, wholeNumber, type NameAndValue } from './option-values.ts';

export interface DeskSurface {
  readonly verbs: DeskVerbs;
  /** Columns of the terminal. */
  readonly width: number | undefined;
  /** The words that start this program again; nothing where it is no process of its own. */
  readonly self?: readonly string[] | undefined;
}

interface Parsing {
  readonly surface: DeskSurface;
  readonly choose: Choose;
  /** Whether a document is asked for, once all words are read. */
  readonly json: () => boolean;
}

/** Reads the command line of `drover` when its first word is no system. Throws what is wrong with it, with exit code 2. */
export function parseDesk(argv: readonly string[], surface: DeskSurface): Call {
  const look = { name: 'drover', version: 'drover', width: surface.width };
  return parseWith(argv, look, (program, choose) => {
    program.option('--json', 'print one JSON document');
    describe(program, { purpose: 'Have coding agents do written work, and land what passed its checks.', example: 'drover doctor' });
    const parsing = { surface, choose, json: () => program.opts<{ readonly json?: boolean }>().json === true };
    addConfig(program, parsing);
    addDoctor(program, parsing);
    addExplain(program, parsing);
    addJournal(program, parsing);
    addSelftest(program, parsing);
  });
}

interface SetOption {
  readonly set?: readonly NameAndValue[];
}

const SET = ['--set <name=value>', 'set a key for this command; may be repeated', nameAndValue('--set')] as const;

function addConfig(program: Command, { surface, choose, json }: Parsing): void {
  const config = describe(program.command('config'), {
    purpose: 'Look at the configuration.',
    example: 'drover config show --origin',
  });
  describe(config.command('show'), {
    purpose: 'Show every setting as it is in the end.',
    example: 'drover config show --origin',
  })
    .option('--origin', 'show the file and line, the variable or the option that each comes from')
    .option(...SET)
    .action(({ origin = false, set }: SetOption & { readonly origin?: boolean }) => {
      choose(verbCall({ settings: 'tell', load: surface.verbs.configShow, input: { origin, flags: flagsOf(set) }, json: json() }));
    });
}

function addDoctor(program: Command, { surface, choose, json }: Parsing): void {
  const { verbs, self } = surface;
  const doctor = describe(program.command('doctor'), {
    purpose: 'Look whether this machine has what drover needs.',
    example: 'drover doctor --json',
  });
  doctor
    .option('--notify', 'send a test notice on each channel that is configured')
    .option(...SET)
    .addOption(doctor.createOption('--look-at-lock <file>').hideHelp())
    .action(({ set, lookAtLock, notify = false }: SetOption & { readonly lookAtLock?: string; readonly notify?: boolean }) => {
      const input = { flags: flagsOf(set), self, lockToLookAt: lookAtLock, notify };
      choose(verbCall({ settings: 'tell', load: verbs.doctor, input, json: json(), stoppable: true }));
    });
}

function addExplain(program: Command, { surface, choose, json }: Parsing): void {
  describe(program.command('explain [code]'), {
    purpose: 'Say what an error means and what to do; all codes without one.',
    example: 'drover explain disk-full',
  }).action((code: string | undefined) => {
    choose(verbCall({ settings: 'tell', load: surface.verbs.explain, input: { code }, json: json() }));
  });
}

function addJournal(program: Command, { surface, choose, json }: Parsing): void {
  const journal = describe(program.command('journal'), {
    purpose: 'Look at the journals of runs.',
    example: 'drover journal check',
  });
  describe(journal.command('check [files...]'), {
    purpose: 'Check journals for damage; without files, all that are found.',
    example: 'drover journal check .drover/journal.jsonl',
  }).action((files: readonly string[]) => {
    choose(verbCall({ settings: 'tell', load: surface.verbs.journalCheck, input: { files }, json: json(), stoppable: true }));
  });
}

function addSelftest(program: Command, { surface, choose, json }: Parsing): void {
  const selftest = describe(program.command('selftest'), {
    purpose: 'Try out on this machine what drover promises.',
    example: 'drover selftest crash',
  });
  describe(selftest.command('crash'), {
    purpose: 'Kill a small system at each of its durable points, and look whether it comes to the same end.',
    example: 'drover selftest crash --scenario 2 --json',
  })
    .option('--scenario <n>', 'the scenario to play, from 1 (default: 1)', wholeNumber('--scenario', 1))
    .action(({ scenario }: { readonly scenario?: number }) => {
      choose(verbCall({ settings: 'tell', load: surface.verbs.selftestCrash, input: { scenario }, json: json(), stoppable: true }));
    });
}

function flagsOf(set: readonly NameAndValue[] = []): readonly FlagValue[] {
  return set.map(({ name, value }) => ({ name, text: value, flag: `--set ${plainName(name)}` }));
}
