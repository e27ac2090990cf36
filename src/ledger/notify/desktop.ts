import { runToEnd } from '../../kernel/process/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { noticeRefused, noticeUndelivered } from './errors.ts';
import type { Channel, Notice } from './notice.ts';

const LIMIT_MS = 5000;
const GRACE_MS = 500;
/** A desktop shows a few lines; an argument may not be endless. */
const MOST_CHARACTERS = 1000;

export interface DesktopOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

/** Shows notices by `notify-send`, on macOS by `osascript`. */
export function desktopChannel(options: DesktopOptions): Channel {
  return { name: 'desktop', keepsQuiet: true, send: (notice, { signal }) => show(notice, { ...options, signal }) };
}

async function show(notice: Notice, { clock, env, platform, signal }: DesktopOptions & { readonly signal: AbortSignal }): Promise<void> {
  const argv = platform === 'darwin' ? macArguments(notice) : freedesktopArguments(notice);
  const limits = { timeoutMs: LIMIT_MS, graceMs: GRACE_MS, maxOutputBytes: 64 * 1024 };
  const request = { argv, origin: 'drover', cwd: '/', env, marker: `notice-${notice.id}`, signal, ...limits } as const;
  const { end, stderr, cut } = await runToEnd(request, { clock });
  if (cut !== undefined) throw noticeUndelivered({ channel: 'desktop', reason: `${argv[0]}: ${cut.reason}` }, cut.error);
  if (end.kind === 'not-started') throw noticeRefused({ channel: 'desktop', reason: end.error.message }, end.error);
  if (end.kind === 'exited' && end.code === 0) return;
  throw noticeUndelivered({ channel: 'desktop', reason: `${argv[0]} failed: ${firstLine(stderr)}` });
}

function freedesktopArguments({ title, text, urgency }: Notice): [string, ...string[]] {
  // The body is markup there, the title is not.
  return ['notify-send', '--app-name=drover', `--urgency=${urgency}`, '--', plain(title), withoutMarkup(plain(text))];
}

function macArguments({ title, text }: Notice): [string, ...string[]] {
  const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];
  return ['osascript', ...script.flatMap((line) => ['-e', line]), '--', plain(title), plain(text)];
}

function plain(text: string): string {
  return text.replaceAll('\0', '').slice(0, MOST_CHARACTERS);
}

function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function firstLine(bytes: Buffer): string {
  return bytes.toString('utf8').trim().split('\n', 1)[0] || 'it said nothing';
}
