import { formatRfc3339Nano } from '../../kernel/time/index.ts';
import type { ArtifactRecord } from '../model/index.ts';
import { TargetLog } from '../store/index.ts';
import type { Recorder } from './recorder.ts';
import { unmetLine, type UnmetRequirements } from './requirements.ts';
import type { RunContext } from './run-context.ts';
import type { SessionEnd } from './run-session.ts';

/** Records the targets that lack something, each with a log that says what, as the whole of a run that starts nothing. */
export function recordUnmet(found: UnmetRequirements, context: RunContext, recorder: Recorder): SessionEnd {
  const { status, operation, title, unmet } = found;
  const targets = [...new Set(unmet.flatMap((each) => each.targets))].sort();
  const artifacts = targets.map((target) => recordTarget(target, found, { context, recorder }));
  const message = [title, ...unmet.map(unmetLine)].join('\n');
  const failed = { exitCode: undefined, message, cut: false, whole: true, remedy: undefined } as const;
  const failure = { target: targets[0] ?? '', end: { status: 'failed', ...failed } } as const;
  const cause = { kind: 'failure', message: operation, target: targets[0] } as const;
  return { status, result: { status: 'failed', cause, lent: [] }, artifacts, failure };
}

interface Records {
  readonly context: RunContext;
  readonly recorder: Recorder;
}

function recordTarget(target: string, { status, operation, unmet }: UnmetRequirements, { context, recorder }: Records): ArtifactRecord {
  const { verb, folder, redaction } = context;
  const lacks = unmet.filter(({ targets }) => targets.includes(target));
  const lines = lacks.map(({ name, reason, advice }) => `${operation} failed: ${name}: ${reason}${advice}`);
  const now = verb.clock.wall();
  const log = new TargetLog(folder.logPath(target));
  try {
    log.line(redaction.redactText([`[${formatRfc3339Nano(now)}] run=${folder.id} target=${target}`, ...lines].join('\n')));
  } finally {
    log.close();
  }
  const logPath = folder.stored(log.path);
  const message = lacks.map(unmetLine).join('\n');
  recorder.put({ target, status, startedAt: now, finishedAt: now, logPath, operation, exitCode: undefined, message });
  return { target, kind: 'log', path: logPath };
}
