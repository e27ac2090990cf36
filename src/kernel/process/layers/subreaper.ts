import { Channel } from '../channel.ts';
import type { Enclosure, Hold, Started } from '../enclosure.ts';
import { processGroup, type Group } from '../group.ts';
import { named } from '../group-members.ts';
import { liveChildren } from '../proc.ts';
import { within } from '../within.ts';
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
    containment: 'full',
    caveat: undefined,
    wrapper: { file: perl, args: ['-e', PROGRAM, '--', String(prctl)] },
    hasChannel: true,
    token,
    hold: (started) => hold(started, program),
    discard: () => undefined,
  };
}

function hold({ leader }: Started, program: string): Hold {
  const channel = new Channel(leader.child);
  return { group: subreaperGroup(leader, channel), ended: toldEnd(channel, leader.ended, program) };
}

function subreaperGroup({ pid, ended }: Started['leader'], channel: Channel): Group {
  const outer = processGroup(pid);
  let isOver = false;
  const over = ended.finally(() => {
    isOver = true;
    outer.leaderEnded();
  });
  return {
    id: pid,
    leaderEnded: () => undefined,
    signal: (name) => {
      channel.say(name === 'SIGKILL' ? 'KILL' : 'TERM');
      return isOver ? 'gone' : 'sent';
    },
    alive: () => Promise.resolve(!isOver),
    left: () => descendants(pid).map(named),
    release: async () => {
      channel.end();
      await within(END_MS, over);
      if (!isOver) outer.signal('SIGKILL');
      channel.abandon();
    },
  };
}

function descendants(pid: number): readonly number[] {
  return (liveChildren(pid) ?? []).flatMap((child) => [child, ...descendants(child)]);
}
