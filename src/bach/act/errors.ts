import { defineError } from '../../kernel/errors/index.ts';

export const notInThisRelease = defineError<{ targets: readonly string[]; what: string }>({
  code: 'not-in-this-release',
  means: 'The Bachfile is right, and a target of the run needs what a later release of bach can do: agents, quality reports and their thresholds, or policies. Nothing was run.',
  message: ({ targets, what }) => `not in this release of bach: ${what} (${targets.join(', ')})`,
  remedy: 'run targets that do without; "bach validate" and "bach list" know these blocks already',
});

export const needsConfirmation = defineError<{ label: string; risks: readonly string[] }>({
  code: 'needs-confirmation',
  means: 'Something that the run covers has requires_confirmation = true, itself or by what it depends on or contains. Nothing was run.',
  message: ({ label, risks }) =>
    `target ${JSON.stringify(label)} requires confirmation (risks: ${risks.join(', ')}); run with --dry-run to inspect or --yes to execute`,
  remedy: 'look at it with --dry-run; then --yes says that you mean it',
});

export const pluginsFailed = defineError<{ faults: readonly string[] }>({
  code: 'plugin-failed',
  means: 'A graph plugin of the Bachfile did not end well, took too long, printed too much, or printed something else than its document. Nothing was run.',
  message: ({ faults }) => faults.join('\n'),
  remedy: 'run the command of the plugin by hand to see what it prints; "bach validate" checks the Bachfile without plugins',
});
