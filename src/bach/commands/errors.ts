import { defineError } from '../../kernel/errors/index.ts';

export const invalidBachfile = defineError<{ lines: readonly string[] }>({
  code: 'invalid-bachfile',
  message: ({ lines }) => lines.join('\n'),
  remedy: 'correct these places; "bach validate" checks the file without running anything',
});

export const noTargetGiven = defineError<{ file: string }>({
  code: 'no-target',
  message: () => 'no target provided and no default target configured',
  remedy: ({ file }) => `name a target ("bach list" shows them), or set default in the project block of ${file}`,
  exit: 2,
});

export const badSince = defineError<{ text: string }>({
  code: 'bad-since',
  message: ({ text }) => `invalid --since ${JSON.stringify(text)}: use a duration like 24h or an RFC3339 time`,
  remedy: 'for example --since 24h or --since 2026-06-08T12:00:00Z',
  exit: 2,
});

export const badStatus = defineError<{ text: string; known: readonly string[] }>({
  code: 'bad-status',
  message: ({ text, known }) => `invalid --status ${JSON.stringify(text)}: want ${known.join(', ')}`,
  remedy: 'name one of these statuses',
  exit: 2,
});

export const documentNeedsLimit = defineError<object>({
  code: 'document-needs-limit',
  message: () => '--json with --last 0 would hold whole logs in memory',
  remedy: 'give --last a number of lines, or read the files that log_path names',
  exit: 2,
});

export const tooManyLines = defineError<{ last: number; most: number }>({
  code: 'too-many-lines',
  message: ({ last, most }) => `--last ${last}: at most ${most} lines are held`,
  remedy: 'give a smaller number, or --last 0 to print whole logs',
  exit: 2,
});

export const unknownLogTarget = defineError<{ target: string; run: string; known: readonly string[] }>({
  code: 'unknown-log-target',
  message: ({ target, run }) => `run ${run} has no target ${JSON.stringify(target)}`,
  remedy: ({ known }) => (known.length === 0 ? 'nothing of this run was started' : `it ran ${known.join(', ')}`),
});

export const jsonNeedsDryRun = defineError<object>({
  code: 'json-needs-dry-run',
  message: () => '--json is only supported with --dry-run',
  remedy: 'leave --json out; "bach runs list --json" shows what ran',
  exit: 2,
});
