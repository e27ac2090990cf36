import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onOneLine } from '../../kernel/text/index.ts';
import type { Check, CheckPlace, CommandEnd, Verdict } from '../contract.ts';
import { requireSound, type CheckCommand } from './command.ts';
import { folderIn } from './folder.ts';
import { judge, type Judgement } from './judgement.ts';
import { readOutput, type OutputEnd } from './output.ts';
import { runCommand, type CommandRun } from './run-command.ts';
import { shortageAt } from './shortage.ts';

const MOST_SUMMARY = 500;
const NO_OUTPUT: OutputEnd = { detail: '', tail: '' };

/**
 * A check that runs a command on the files, to the end of everything that it started, and judges it by its exit code.
 * - `environment`: it could not be started, an exit code or its output says that the machine is at fault, there is no
 *   room on the disk, or something of it could not be ended.
 * - `failed`: any other end but 0, also a time limit that is over; and a folder of its own that the files do not have,
 *   or that a link leads out of them: that is of their making.
 *
 * An abort ends the command and is thrown once it is gone, in place of a verdict.
 * Throws `check-invalid`, `check-folder-outside`.
 *
 * @example
 * const check = commandCheck({ name: 'test', command: { shell: 'npm test' }, origin: 'user', env, timeoutMs: 300_000, logFolder, host });
 * const verdict = await check.run({ path: workspace, tree }, signal);
 */
export function commandCheck(command: CheckCommand): Check {
  requireSound(command);
  return { name: command.name, run: (place, signal) => runCheck(command, place, signal) };
}

async function runCheck(command: CheckCommand, place: CheckPlace, signal: AbortSignal): Promise<Verdict> {
  signal.throwIfAborted();
  const folder = folderIn(place.path, command.cwd);
  if ('outcome' in folder) return verdictOf(command, { judgement: folder });
  const shortage = await shortageAt([place.path, command.logFolder], command.host);
  if (shortage !== undefined) return verdictOf(command, { judgement: notBegun(shortage) });
  const log = join(command.logFolder, logName(command));
  signal.throwIfAborted();
  const ended = await runCommand(command, { cwd: folder.path, log, signal });
  signal.throwIfAborted();
  const output = await readOutput(log, command);
  const judgement = await judge(command, { place, ended, tail: output.tail });
  signal.throwIfAborted();
  return verdictOf(command, { judgement, ended, output, log: existsSync(log) ? log : undefined });
}

function notBegun(said: string): Judgement {
  return { outcome: 'environment', said: `could not be started: ${said}`, how: { kind: 'not-started', reason: 'disk-reserve' } };
}

/** Whatever a check is called, its log stays in the folder. */
function logName({ name, host }: CheckCommand): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return `${plain.slice(0, 60) || 'check'}-${host.ids.next()}.log`;
}

interface Found {
  readonly judgement: Judgement;
  readonly ended?: CommandRun;
  readonly output?: OutputEnd;
  readonly log?: string | undefined;
}

function verdictOf({ name, host }: CheckCommand, { judgement, ended, output = NO_OUTPUT, log }: Found): Verdict {
  const { outcome, said, how } = judgement;
  const summary = onOneLine(host.redaction.redactText(`${name} ${said}`));
  const command: CommandEnd = { how, durationMs: ended?.durationMs ?? 0, bytes: ended?.bytes ?? 0 };
  return {
    check: name,
    outcome,
    summary: summary.length > MOST_SUMMARY ? `${summary.slice(0, MOST_SUMMARY)}...` : summary,
    detail: outcome === 'passed' ? '' : output.detail,
    log,
    command,
  };
}
