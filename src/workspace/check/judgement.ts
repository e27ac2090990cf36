import { formatDuration } from '../../kernel/text/index.ts';
import type { CheckPlace, CommandEnd, Verdict } from '../contract.ts';
import type { CheckCommand } from './command.ts';
import { findEvidence } from './evidence.ts';
import type { CommandRun } from './run-command.ts';
import { shortageAt } from './shortage.ts';

/** What is thought of a command, and why. */
export interface Judgement {
  readonly outcome: Verdict['outcome'];
  /** What follows the name of the check in a sentence. */
  readonly said: string;
  readonly how: CommandEnd['how'];
}

export interface Evidence {
  readonly place: CheckPlace;
  readonly ended: CommandRun;
  readonly tail: string;
}

const NANOSECONDS = 1_000_000;
const SHELL_FAULTS = [126, 127];
const SHELL_WORDS = new Map([
  [126, 'a command could not be executed'],
  [127, 'a command was not found'],
]);

/** Tells an environment fault from a failure: only the one is worth another try with the work as it stands. */
export async function judge(command: CheckCommand, evidence: Evidence): Promise<Judgement> {
  const judgement = judgeEnd(command, evidence.ended);
  return judgement.outcome === 'failed' ? doubt(command, judgement, evidence) : judgement;
}

function judgeEnd(command: CheckCommand, { end, cut }: CommandRun): Judgement {
  switch (end.kind) {
    case 'not-started':
      return { outcome: 'environment', said: `could not be started: ${end.error.message}`, how: { kind: 'not-started', reason: end.reason } };
    case 'not-ended':
      return unknown(end.error.code, `could not be ended: ${end.error.message}`);
    case 'not-followed':
      return unknown(end.code, `could not be followed to its end: ${end.said}`);
    default:
      return leftOf(end) ?? cutOf(command, cut) ?? exitOf(command, end);
  }
}

function unknown(reason: string, said: string): Judgement {
  return { outcome: 'environment', said, how: { kind: 'unknown', reason } };
}

type Ended = Extract<CommandRun['end'], { readonly kind: 'exited' | 'signalled' }>;

/** What still runs may still change the files, after they were found good. */
function leftOf({ survivors, left }: Ended): Judgement | undefined {
  if (survivors !== 'left') return undefined;
  const names = left.map(({ name, pid }) => `${name} (${pid})`).join(', ');
  return unknown('process-not-ended', `left processes that could not be ended: ${names}`);
}

function cutOf({ timeoutMs, maxOutputBytes }: CheckCommand, cut: CommandRun['cut']): Judgement | undefined {
  if (cut === undefined) return undefined;
  const how = { kind: cut } as const;
  if (cut === 'too-much-output') return { outcome: 'failed', said: `printed more than ${maxOutputBytes ?? 'a GiB of'} bytes and was ended`, how };
  return { outcome: 'failed', said: `was not done within ${formatDuration(BigInt(Math.round(timeoutMs * NANOSECONDS)))} and was ended`, how };
}

function exitOf({ envFaultRc = 0, envFaultExits = SHELL_FAULTS }: CheckCommand, end: Ended): Judgement {
  if (end.kind === 'signalled') return { outcome: 'failed', said: `failed: ended by ${end.signal}`, how: { kind: 'signalled', signal: end.signal } };
  const { code } = end;
  const how = { kind: 'exited', code } as const;
  if (code === 0) return { outcome: 'passed', said: 'passed', how };
  if (code === envFaultRc) return { outcome: 'environment', said: `ended with exit ${code}, which is declared as a fault of the environment`, how };
  if (!envFaultExits.includes(code)) return { outcome: 'failed', said: `failed: exit ${code}`, how };
  return { outcome: 'environment', said: `ended with exit ${code}: ${SHELL_WORDS.get(code) ?? 'the machine is at fault'}`, how };
}

/** A failure for want of space, or with words that are known for the machine, does not speak of the work. */
async function doubt(command: CheckCommand, judgement: Judgement, { place, tail }: Evidence): Promise<Judgement> {
  if (judgement.how.kind !== 'exited' && judgement.how.kind !== 'signalled') return judgement;
  const { said, how } = judgement;
  const shortage = await shortageAt([place.path, command.logFolder], command.host);
  if (shortage !== undefined) return { outcome: 'environment', said: `${said}, with a full disk (${shortage})`, how };
  const evidence = await findEvidence(command.envFaultPatterns ?? [], tail);
  if (evidence === 'not-tried') return { ...judgement, said: `${said}; the patterns for faults of the environment took too long` };
  return evidence === undefined ? judgement : { outcome: 'environment', said: `${said}; its output tells of the environment: ${evidence}`, how };
}
