import { isDroverError } from '../../kernel/errors/index.ts';
import { noticeWays, type Channel, type Notice } from '../../ledger/index.ts';
import { noticeWishes } from '../settings/index.ts';
import { fail, ok, type Check, type Finding, type Patient } from './check.ts';

const WRITER = 'doctor';

/** The ways to a person; a notice goes out only when the user asked for one. */
export const notices: Check = {
  name: 'notify',
  run: async (patient) => {
    const { clock, env, platform } = patient;
    const place = { env, clock, platform, writer: `${WRITER}-${process.pid}` };
    const { channels } = noticeWays(noticeWishes(await patient.config(), env), place);
    if (channels.length === 0) return ok('no channel is configured');
    return patient.sendsNotice ? sendEach(channels, patient) : ok(channels.map(({ name }) => name).join(', '));
  },
};

async function sendEach(channels: readonly Channel[], { clock, signal }: Patient): Promise<Finding> {
  const at = Number(clock.wall() / 1_000_000n);
  const words = { title: 'drover', text: 'A test notice of drover doctor.', urgency: 'normal' } as const;
  const notice: Notice = { id: `doctor/${at}`, ...words, at };
  const answers = await Promise.all(channels.map((channel) => send(channel, notice, signal)));
  const detail = answers.map(({ told }) => told).join('\n');
  if (answers.every(({ arrived }) => arrived)) return ok(detail);
  return fail(detail, 'correct the keys notify.… in your own configuration file, then run it again');
}

async function send(channel: Channel, notice: Notice, signal: AbortSignal) {
  try {
    await channel.send(notice, { signal });
    return { arrived: true, told: `${channel.name}: sent` };
  } catch (error) {
    if (!isDroverError(error)) throw error;
    return { arrived: false, told: error.message };
  }
}
