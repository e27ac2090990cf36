import { Channel } from '../channel.ts';
import type { LeaderEnd } from '../contract.ts';
import { PROMISES, type Enclosure, type Hold, type Started } from '../enclosure.ts';
import { processGroup, type Group } from '../group.ts';
import { named } from '../group-members.ts';
import { TOKEN_NAME } from '../marks.ts';
import { liveChildren } from '../proc.ts';
import { within } from '../within.ts';
import { familyGroup } from './family.ts';
import { toldEnd } from './told-end.ts';

/** It ends with the last process below it, or was told to end them. */
const END_MS = 1_000;

/** Numbers of `prctl`, by the machine; elsewhere nobody can be asked. */
const PRCTL: Readonly<Partial<Record<string, number>>> = {
  x64: 157,
  arm64: 167,
  arm: 172,
  ia32: 172,
  loong64: 167,
  ppc64: 171,
  riscv64: 167,
  s390x: 172,
};

export const PRCTL_NUMBER = PRCTL[process.arch];

/**
 * Becomes the parent of every orphan below it (PR_SET_CHILD_SUBREAPER is 36), starts the program in a group of its
 * own, tells how it ended and collects the rest; it ends with the last of them. KILL stops everything first, so that
 * what forks while we look cannot run ahead of us.
 */
const PROGRAM = String.raw`
my $prctl = shift;
exit 125 if syscall($prctl + 0, 36, 1, 0, 0, 0) != 0;
open(my $up, '+<&=', 3) or exit 125;
pipe(my $bell, my $rings) or exit 125;
my $program = fork;
exit 125 unless defined $program;
if ($program == 0) {
  setpgrp(0, 0);
  exec { $ARGV[0] } @ARGV;
  syswrite $up, 'ended failed ' . ($! + 0) . "\n";
  close $up;
  kill 'KILL', $$;
}
$SIG{$_} = 'IGNORE' for qw(TERM HUP INT QUIT USR1 USR2 PIPE TSTP);
setpgrp($program, $program);
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';
$SIG{CHLD} = sub { syswrite $rings, '.' };
my ($running, $level, $words) = (1, '', '');
sub below { map { my $p = $_; ($p, below($p)) } map { -r "/proc/$_/task/$_/children" ? split(' ', slurp($_)) : () } @_ }
sub slurp { open(my $f, '<', "/proc/$_[0]/task/$_[0]/children") or return ''; my $t = <$f>; defined $t ? $t : '' }
sub strike {
  if ($level eq 'TERM') { kill 'TERM', ($running ? -$program : below($$)); $level = ''; }
  return if $level ne 'KILL';
  my $before = -1;
  for (1 .. 20) { my @all = below($$); last if @all == $before; $before = @all; kill 'STOP', @all; }
  kill 'KILL', below($$);
}
for (;;) {
  while ((my $ended = waitpid(-1, 1)) > 0) {
    next if $ended != $program;
    $running = 0;
    next unless defined $up;
    syswrite $up, ($? & 127) ? 'ended signal ' . ($? & 127) . "\n" : 'ended exit ' . ($? >> 8) . "\n";
  }
  exit 0 if !$running && waitpid(-1, 1) == -1;
  my $in = '';
  vec($in, fileno($bell), 1) = 1;
  vec($in, fileno($up), 1) = 1 if defined $up;
  my $found = select($in, undef, undef, $level eq 'KILL' ? 0.02 : undef);
  if ($found > 0) {
    sysread($bell, my $rung, 512) if vec($in, fileno($bell), 1);
    if (defined $up && vec($in, fileno($up), 1)) {
      my $count = sysread($up, $words, 512, length $words);
      if (!$count) { $level = 'KILL'; close $up; undef $up; }
      while ($words =~ s/^(\w+)\n//) { $level = $1 eq 'END' ? 'KILL' : $1 unless $level eq 'KILL'; }
    }
  }
  strike();
}
`;

export interface SubreaperTools {
  readonly perl: string;
  readonly prctl: number;
}

export function subreaperEnclosure({ perl, prctl }: SubreaperTools, { token, program }: { token: string; program: string }): Enclosure {
  return {
    layer: 'subreaper',
    ...PROMISES.subreaper,
    wrapper: { file: perl, args: ['-e', PROGRAM, '--', String(prctl)] },
    hasChannel: true,
    token,
    hold: (started) => hold(started, { program, token }),
    discard: () => undefined,
  };
}

function hold({ leader }: Started, { program, token }: { readonly program: string; readonly token: string }): Hold {
  const channel = new Channel(leader.child);
  return { group: subreaperGroup(leader, { channel, token }), ended: toldEnd(channel, leader.ended, program) };
}

interface Below {
  readonly channel: Channel;
  readonly token: string;
}

/** What is below the subreaper; when that was ended from inside, what can still be found of it. */
function subreaperGroup({ pid, ended }: Started['leader'], { channel, token }: Below): Group {
  const outer = processGroup(pid);
  const family = familyGroup(pid, [`${TOKEN_NAME}=${token}`]);
  let level: 'SIGTERM' | 'SIGKILL' | undefined;
  let state: 'watched' | 'over' | 'unwatched' = 'watched';
  const noteEnd = async (): Promise<void> => {
    state = isInOrder(await ended, channel) ? 'over' : 'unwatched';
    outer.leaderEnded();
    family.leaderEnded();
    if (state === 'unwatched' && level !== undefined) family.signal(level);
  };
  const over = noteEnd();

  /** The program may have stopped it. */
  const killIfStuck = async (): Promise<void> => {
    await within(END_MS, over);
    if (state === 'watched') outer.signal('SIGKILL');
  };

  return {
    id: pid,
    leaderEnded: () => undefined,
    signal: (name) => {
      level = name;
      if (state !== 'watched') return state === 'over' ? 'gone' : family.signal(name);
      channel.say(name === 'SIGKILL' ? 'KILL' : 'TERM');
      if (name === 'SIGKILL') void killIfStuck();
      return 'sent';
    },
    alive: async () => state === 'watched' || (state === 'unwatched' && (await family.alive())),
    left: () => (state === 'unwatched' ? family.left() : descendants(pid).map(named)),
    release: async () => {
      channel.end();
      await killIfStuck();
      channel.abandon();
      await family.release();
    },
  };
}

/** It ends by itself, and only when it has collected everything. */
function isInOrder(end: LeaderEnd, { lines }: Channel): boolean {
  return end.kind === 'exited' && end.code === 0 && lines.some((line) => line.startsWith('ended '));
}

function descendants(pid: number): readonly number[] {
  return (liveChildren(pid) ?? []).flatMap((child) => [child, ...descendants(child)]);
}
