import { defineError } from '../../kernel/errors/index.ts';

export const invalidBachfile = defineError<{ lines: readonly string[] }>({
  code: 'invalid-bachfile',
  means: 'The Bachfile has errors, each told with file, line and column. Nothing was run.',
  message: ({ lines }) => lines.join('\n'),
  remedy: 'correct these places; "bach validate" checks the file without running anything',
});

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
