import { defineError } from '../kernel/errors/index.ts';

export const runHeld = defineError<{ path: string }>({
  code: 'run-held',
  means: 'Another process works on this run. A run has one holder at a time, which keeps its lock as long as it lives.',
  message: ({ path }) => `${path}: another process works on this run`,
  remedy: 'wait for that process, or stop it in good order',
});

export const runMissing = defineError<{ path: string }>({
  code: 'run-missing',
  means: 'No run was ever started in this folder: it holds no step log.',
  message: ({ path }) => `${path}: there is no run here`,
  remedy: 'name the folder of a run',
});

export const stepLogBroken = defineError<{ path: string; sequence: number; reason: string }>({
  code: 'step-log-broken',
  means: 'The step log of a run contradicts itself, so that its state cannot be known. Nothing is decided from it.',
  message: ({ path, sequence, reason }) => `${path}: step ${sequence}: ${reason}`,
  remedy: 'keep a copy of the run folder and report it; start the work as a new run',
});

export const stepLogForeign = defineError<{ path: string; found: string; expected: string }>({
  code: 'step-log-foreign',
  means: 'The step log was written by another system or by a later version, and may say what this one cannot read.',
  message: ({ path, found, expected }) => `${path}: expected a step log of ${expected}, found ${found}`,
  remedy: 'use the version that wrote the run, or start the work as a new run',
});

export const badDecision = defineError<{ system: string; reason: string }>({
  code: 'bad-decision',
  means: 'A system answered with steps that cannot be begun. This is a defect of the program, not of your files.',
  message: ({ system, reason }) => `${system}: ${reason}`,
  remedy: 'report it together with the step log of the run',
});

export const stepTableGap = defineError<{ system: string; kind: string; reason: string }>({
  code: 'step-table-gap',
  means: 'A kind of step was registered without everything that a crash needs: perform, reconcile and its row.',
  message: ({ system, kind, reason }) => `${system}: the step kind ${JSON.stringify(kind)} ${reason}`,
  remedy: 'declare what is missing beside the handlers of that system',
});

export const epochUnreadable = defineError<{ path: string }>({
  code: 'epoch-unreadable',
  means: 'The file that names the last holder of a run is damaged, so that nobody can tell who may work on it.',
  message: ({ path }) => `${path}: it does not name the holder of the run`,
  remedy: 'keep a copy of the run folder, then put the file back from a copy; without it the step log tells the epoch',
});

export const epochMissing = defineError<{ path: string }>({
  code: 'epoch-missing',
  means: 'The file that names the holder of a run was deleted, or its folder was moved, while the run was held. Nothing more is begun, since nobody could tell whether the run was taken over.',
  message: ({ path }) => `${path} was deleted or moved while the run was held`,
  remedy: 'find out what did it, and start the run again once its folder is back in its place; the step log tells the epoch',
});

export const leftoversAlive = defineError<{
  processes: readonly { readonly pid: number; readonly name: string }[];
  /** Session records of which nothing here tells whether their program still runs. */
  untold: readonly string[];
}>({
  code: 'leftovers-alive',
  means: 'Programs that an earlier holder of the run started still run, or this system cannot tell. Two of a kind would work on the same files.',
  message: ({ processes, untold }) =>
    [
      ...(processes.length > 0 ? [`still running from an earlier holder of this run: ${processes.map(({ pid, name }) => `${name} (${pid})`).join(', ')}`] : []),
      ...untold.map((record) => `${record}: nothing tells here whether the program of this record still runs`),
    ].join('; '),
  remedy: ({ untold }) =>
    untold.length === 0
      ? 'end these processes yourself, then start the run again'
      : 'see that the processes named there have ended, move these records out of the folder, then start the run again',
});

export const crashProgramFailed = defineError<{ what: string; end: string; log: string }>({
  code: 'selftest-broken',
  means: 'The self-test could not be carried out: one of its own programs did not do its part.',
  message: ({ what, end, log }) => `${what} ${end}${log === '' ? '' : `: ${log}`}`,
  remedy: 'run the self-test again; report it when this happens twice',
});

export const noSuchScenario = defineError<{ number: number; names: readonly string[] }>({
  code: 'selftest-scenario',
  means: 'The self-test was asked for a scenario that it does not have. Scenarios are counted from 1.',
  message: ({ number, names }) => `there is no scenario ${number}, only ${names.map((name, index) => `${index + 1} (${name})`).join(', ')}`,
  remedy: 'name one of these numbers with --scenario',
  exit: 2,
});

export const selftestMissing = defineError<{ path: string }>({
  code: 'selftest-missing',
  means: 'The program that the self-test kills is built beside the executables, and is not there.',
  message: ({ path }) => `${path}: no such file`,
  remedy: 'install drover again, or in a checkout run: npm run build',
});
