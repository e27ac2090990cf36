import { resolve } from 'node:path';
import type { Redaction } from '../../kernel/redact/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { canonicalName, FAILED_STATUSES, type TargetRunRecord } from '../model/index.ts';
import { eachLine, lastLines, runNotFound, RunStore } from '../store/index.ts';
import { documentNeedsLimit, tooManyLines, unknownLogTarget } from './errors.ts';
import type { LogsInput } from './inputs.ts';
import { loadReadable } from './load-project.ts';
import { RECORDS_WORLD } from './project-world.ts';
import { goneLine, logRedaction } from './recorded-logs.ts';

/** More are not held in memory; whole logs are printed as they are read. */
const MOST_LINES = 100_000;

const LIKELY_ERRORS = ['error', 'failed', 'fail', 'panic'];

interface TargetLogFile {
  readonly target: TargetRunRecord;
  /** Absolute. */
  readonly path: string;
}

interface Reading {
  readonly input: LogsInput;
  readonly out: VerbContext['out'];
  readonly redaction: Redaction;
}

/** `bach logs`: the last lines that each target of a run wrote. Reads only. */
export async function logsVerb(input: LogsInput, context: VerbContext): Promise<VerbResult> {
  // A document is held in memory whole, and a log may have any size.
  if (input.json && input.last === 0) throw documentNeedsLimit({});
  if (input.last > MOST_LINES) throw tooManyLines({ last: input.last, most: MOST_LINES });
  const loaded = await loadReadable(input, context, RECORDS_WORLD);
  const { place } = loaded;
  const targets = await targetsOf(input, await RunStore.openExisting(place));
  const logs = targets
    .filter(({ logPath }) => logPath !== '')
    .map((target) => ({ target, path: resolve(place.root, target.logPath) }));
  const reading: Reading = { input, out: context.out, redaction: logRedaction(loaded, context) };
  return input.last === 0 ? printWhole(logs, reading) : tails(logs, reading);
}

async function targetsOf(input: LogsInput, store: RunStore | undefined): Promise<readonly TargetRunRecord[]> {
  if (store === undefined) throw runNotFound({ id: input.runId });
  try {
    const targets = store.targetRuns(store.run(input.runId));
    const chosen = input.target === undefined ? targets : named(targets, input);
    return input.failed ? chosen.filter(({ status }) => FAILED_STATUSES.includes(status)) : chosen;
  } finally {
    store.close();
  }
}

function named(targets: readonly TargetRunRecord[], { target = '', runId }: LogsInput): readonly TargetRunRecord[] {
  const name = canonicalName(target);
  const found = targets.filter((each) => each.target === name);
  if (found.length > 0) return found;
  throw unknownLogTarget({ target, run: runId, known: targets.map((each) => each.target) });
}

function tails(logs: readonly TargetLogFile[], { input, out, redaction }: Reading): VerbResult {
  const sections = logs.flatMap((log) => {
    const lines = lastLines(log.path, input.last, filterOf(input))?.map(redaction.redactText);
    if (lines === undefined) out.notice(goneLine(log.target));
    return lines === undefined || lines.length === 0 ? [] : [{ ...log, lines }];
  });
  const json = { run_id: input.runId, targets: sections.map(asDocument) };
  return { exit: 0, json, text: sections.flatMap((section) => [headerOf(section), ...section.lines]).join('\n') };
}

/** Whole logs go out as they are read. A log without a line that passes has no header either. */
async function printWhole(logs: readonly TargetLogFile[], { input, out, redaction }: Reading): Promise<VerbResult> {
  const keep = filterOf(input);
  for (const log of logs) {
    let headed = false;
    const line = (text: string): void => {
      if (!keep(text)) return;
      if (!headed) out.line('', headerOf(log));
      headed = true;
      out.line('', text);
    };
    const isThere = await eachLine(log.path, { line, taken: () => out.drained(), redactor: redaction.createRedactor() });
    if (!isThere) out.notice(goneLine(log.target));
  }
  return { exit: 0 };
}

function filterOf({ errors }: LogsInput): (line: string) => boolean {
  return errors ? isLikelyError : () => true;
}

function isLikelyError(line: string): boolean {
  const lower = line.toLowerCase();
  return LIKELY_ERRORS.some((word) => lower.includes(word));
}

function headerOf({ target: { target, status, logPath } }: TargetLogFile): string {
  return `==> ${target} (${status}) ${logPath} <==`;
}

function asDocument({ target, lines }: TargetLogFile & { readonly lines: readonly string[] }) {
  return { target: target.target, status: target.status, log_path: target.logPath, lines };
}
