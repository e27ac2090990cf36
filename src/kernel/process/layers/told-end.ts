import { constants } from 'node:os';
import type { Channel } from '../channel.ts';
import type { LeaderEnd } from '../contract.ts';
import { refusal } from '../launch.ts';
import { signalName } from '../signal-name.ts';

/**
 * The end of a program whose parent is a process of ours, as that one tells it in one line: `ended exit 3`,
 * `ended signal 15`, or `ended failed 2` with the number of the error that kept it from being executed.
 * When the teller is gone without a word, its own end stands for it.
 */
export async function toldEnd(channel: Channel, teller: Promise<LeaderEnd>, program: string): Promise<LeaderEnd> {
  const line = await channel.line((candidate) => candidate.startsWith('ended '));
  if (line === undefined) return teller;
  const [, how, digits] = line.split(' ');
  const number = Number(digits);
  if (how === 'failed') return { kind: 'not-started', ...refusal({ code: errorName(number) }, program) };
  const signal = how === 'signal' ? signalName(number) : undefined;
  return signal === undefined ? { kind: 'exited', code: number } : { kind: 'signalled', signal };
}

function errorName(number: number): string | undefined {
  const table: Readonly<Record<string, number>> = constants.errno;
  return Object.keys(table).find((name) => table[name] === number);
}
