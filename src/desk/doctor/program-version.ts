import { definedVariables, runToEnd } from '../../kernel/process/index.ts';
import type { Patient } from './check.ts';

/** What a program answers when it is asked for its version. */
export type Answer =
  | { readonly kind: 'version'; readonly text: string; readonly major: number; readonly minor: number }
  | { readonly kind: 'missing' }
  /** It is there and does not work. */
  | { readonly kind: 'broken'; readonly reason: string };

const LIMIT_MS = 5_000;
const GRACE_MS = 500;
const MOST_OUTPUT = 4_096;

type Asker = Pick<Patient, 'env' | 'clock' | 'signal' | 'reaper'>;

/** Asks the program that PATH leads to, for a few seconds at most. */
export async function versionOf(argv: readonly [string, ...string[]], { env, clock, signal, reaper }: Asker): Promise<Answer> {
  const request = { argv, origin: 'drover' as const, cwd: '/', env: definedVariables(env), marker: 'doctor', graceMs: GRACE_MS };
  const limits = { timeoutMs: LIMIT_MS, maxOutputBytes: MOST_OUTPUT, signal, reaper };
  const { end, stdout, stderr, cut } = await runToEnd({ ...request, ...limits }, { clock });
  if (cut !== undefined) return { kind: 'broken', reason: cut.error.message };
  if (end.kind === 'not-started') {
    return end.reason === 'command-not-found' ? { kind: 'missing' } : { kind: 'broken', reason: end.error.message };
  }
  const said = stdout.toString();
  if (end.kind === 'exited' && end.code === 0) return versionIn(said, argv.join(' '));
  return { kind: 'broken', reason: `${argv.join(' ')} failed: ${firstLine(`${stderr.toString()}${said}`)}` };
}

function versionIn(said: string, command: string): Answer {
  const found = /\d+\.\d+[\w.+~-]*/.exec(said)?.[0];
  const [major = Number.NaN, minor = Number.NaN] = found?.split('.').map((part) => Number.parseInt(part, 10)) ?? [];
  if (found === undefined) return { kind: 'broken', reason: `${command} told no version: ${firstLine(said)}` };
  return { kind: 'version', text: found, major, minor };
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  // A program's own words: control characters in them are for a terminal, not for a finding.
  return line.replaceAll(/\s*\p{Cc}+\s*/gu, ' ').trim() || 'it said nothing';
}
