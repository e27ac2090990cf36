import { defineError } from '../../kernel/errors/index.ts';
import type { Misnamed } from '../model/index.ts';

export const invalidBachfile = defineError<{ lines: readonly string[] }>({
  code: 'invalid-bachfile',
  means: 'The Bachfile has errors, each told with file, line and column. Nothing was run.',
  message: ({ lines }) => lines.join('\n'),
  remedy: 'correct these places; "bach validate" checks the file without running anything',
});

const MOST_LISTED = 20;

export const undeclaredName = defineError<{ file: string; misnamed: readonly Misnamed[] }>({
  code: 'undeclared-name',
  means: '--profile or --var names something that no block of the Bachfile or its imports declares. Nothing was done.',
  message: ({ misnamed }) => misnamed.map(({ option, message }) => `${option}: ${message}`).join('\n'),
  remedy: ({ file, misnamed }) => [...new Set(misnamed.map((each) => whatThereIs(file, each)))].join('; '),
});

function whatThereIs(file: string, { option, declared }: Misnamed): string {
  const what = option === '--profile' ? 'profile' : 'var';
  if (declared.length === 0) return `${file} declares no ${what}`;
  const further = declared.length > MOST_LISTED ? ` and ${declared.length - MOST_LISTED} others` : '';
  return `${file} declares ${what} ${declared.slice(0, MOST_LISTED).join(', ')}${further}`;
}

export const noTargetGiven = defineError<{ file: string }>({
  code: 'no-target',
  means: 'bach run was given no target, and the project block names no default.',
  message: () => 'no target provided and no default target configured',
  remedy: ({ file }) => `name a target ("bach list" shows them), or set default in the project block of ${file}`,
  exit: 2,
});

export const badSince = defineError<{ text: string }>({
  code: 'bad-since',
  means: '--since takes an age, or a moment in RFC 3339.',
  message: ({ text }) => `invalid --since ${JSON.stringify(text)}: use a duration like 24h or an RFC3339 time`,
  remedy: 'for example --since 24h or --since 2026-06-08T12:00:00Z',
  exit: 2,
});

export const badStatus = defineError<{ text: string; known: readonly string[] }>({
  code: 'bad-status',
  means: '--status takes one of the statuses that a run can have.',
  message: ({ text, known }) => `invalid --status ${JSON.stringify(text)}: want ${known.join(', ')}`,
  remedy: 'name one of these statuses',
  exit: 2,
});

export const documentNeedsLimit = defineError<object>({
  code: 'document-needs-limit',
  means: 'A JSON document is made in memory, and --last 0 asks for whole logs of any size.',
  message: () => '--json with --last 0 would hold whole logs in memory',
  remedy: 'give --last a number of lines, or read the files that log_path names',
  exit: 2,
});

export const tooManyLines = defineError<{ last: number; most: number }>({
  code: 'too-many-lines',
  means: '--last asks for more lines than are held in memory.',
  message: ({ last, most }) => `--last ${last}: at most ${most} lines are held`,
  remedy: 'give a smaller number, or --last 0 to print whole logs',
  exit: 2,
});

export const unknownLogTarget = defineError<{ target: string; run: string; known: readonly string[] }>({
  code: 'unknown-log-target',
  means: 'The run is recorded, and the target that was named is not among those it ran.',
  message: ({ target, run }) => `run ${run} has no target ${JSON.stringify(target)}`,
  remedy: ({ known }) => (known.length === 0 ? 'nothing of this run was started' : `it ran ${known.join(', ')}`),
});

export const jsonNeedsDryRun = defineError<object>({
  code: 'json-needs-dry-run',
  means: 'A run prints lines while it goes on, so that it has no document; only a dry run has one.',
  message: () => '--json is only supported with --dry-run',
  remedy: 'leave --json out; "bach runs list --json" shows what ran',
  exit: 2,
});

export const noReferenceEntry = defineError<{ query: string; hint: string }>({
  code: 'no-reference-entry',
  means: 'No page or schema of the reference has these words as a heading, in its text or as its name.',
  message: ({ query, hint }) => `no reference entries matched ${JSON.stringify(query)}${hint}`,
  remedy: 'see the headings there are with: bach reference',
});

export const initTakesNoWords = defineError<{ words: readonly string[] }>({
  code: 'init-takes-no-words',
  means: 'bach init makes its files in the current folder, or where --file says, and takes no other words.',
  message: () => 'init does not accept positional arguments',
  remedy: ({ words }) => `to make a Bachfile elsewhere: bach init --file ${words[0]}/Bachfile`,
  exit: 2,
});

export const unknownInitProvider = defineError<{ provider: string }>({
  code: 'unknown-init-provider',
  means: 'The program that bach init should hand the work to is not one that it knows how to call.',
  message: ({ provider }) => `unsupported: init provider ${JSON.stringify(provider)}`,
  remedy: 'use --provider opencode, or leave --provider out for plain starter files',
  exit: 2,
});

export const initProviderFailed = defineError<{ provider: string; how: string; log: string }>({
  code: 'init-provider-failed',
  means: 'The program that should write the starter files did not end well. Nothing was installed.',
  message: ({ provider, how }) => `init provider ${provider} failed: ${how}`,
  remedy: ({ log }) => `what it printed is in ${log}; "bach init" without --provider needs no other program`,
});

export const initProviderNotStarted = defineError<{ provider: string; reason: string; advice: string }>({
  code: 'init-provider-not-started',
  means: 'The program that should write the starter files could not be started, so that it printed nothing. Nothing was installed.',
  message: ({ provider, reason }) => `init provider ${provider} was not started: ${reason}`,
  remedy: ({ advice }) => `${advice}; "bach init" without --provider needs no other program`,
});

export const unsupportedGraphFormat = defineError<{ format: string }>({
  code: 'unsupported-graph-format',
  means: 'bach graph draws a flowchart or prints a document, and was asked for something else.',
  message: ({ format }) => `unsupported graph format ${JSON.stringify(format)}`,
  remedy: 'use --format mermaid or --format json',
  exit: 2,
});

export const noProvenancePath = defineError<object>({
  code: 'no-provenance-path',
  means: 'bach provenance tells where files come from, and none was named.',
  message: () => 'provenance requires at least one path',
  remedy: 'usage: bach provenance <path> [path ...]',
  exit: 2,
});

export const noChangesKnown = defineError<{ reason: string }>({
  code: 'no-changes-known',
  means: 'Without paths bach affected takes the files that git sees as changed, and git cannot tell.',
  message: ({ reason }) => `no paths were given, and git cannot tell what changed: ${reason}`,
  remedy: 'name the changed files: bach affected <path> [path ...]',
});

export const noStandardInput = defineError<object>({
  code: 'no-standard-input',
  means: 'bach backend sqlite is spoken to over its standard input, and was called where there is none.',
  message: () => 'there is no standard input to read requests from',
  remedy: 'start it as a process of its own',
});
