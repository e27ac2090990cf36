import type { ContainmentLayer } from '../../../src/kernel/process/index.ts';

/** One way in which a program does not end as it should. `$S` is a sleep that no other process sleeps, `$E` the engine. */
export interface Behaviour {
  readonly name: string;
  readonly script: string;
  /** The containments that it may leave, since they do not promise to be full. */
  readonly escapes?: readonly ContainmentLayer[];
}

const DEAF = `trap '' TERM HUP INT QUIT`;
const READY = 'echo ready';
const STAY = `${READY}; wait; exec $S`;

/** A program in a session of its own, whose parents are gone. */
const daemon = (inner: string): string => `(setsid sh -c '(${inner}) & exit' &)`;

/** Only a process that was put around the program: not the engine, and nothing by a number that means a group. */
const KILL_PARENT = '[ $PPID -gt 1 ] && [ $PPID -ne $E ] && kill -9 $PPID';

/** Moves itself to the group above the one that was made for it. */
export const LEAVE_CGROUP = [
  `while read -r a b c d mount rest; do case $rest in *' - cgroup2 '*) break ;; esac; done </proc/self/mountinfo`,
  `at=$(sed -n 's/^0:://p' /proc/self/cgroup)`,
  `case $at in */drover-*) echo 0 >"$mount\${at%/drover-*}/cgroup.procs" ;; esac`,
].join('; ');

export const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'ends when it is asked', script: `${READY}; exec $S` },
  { name: 'ignores TERM', script: `${DEAF}; ${READY}; exec $S` },
  { name: 'handles TERM and goes on', script: `trap 'echo no' TERM; ${READY}; while :; do $S & wait; done` },
  { name: 'computes and ignores TERM', script: `${DEAF}; ${READY}; while :; do :; done` },
  { name: 'cleans up for longer than it has', script: `trap '$S; exit' TERM; ${READY}; while :; do sleep 0.1; done` },
  { name: 'leaves a child', script: `$S & ${READY}` },
  { name: 'leaves a child that ignores TERM', script: `${DEAF}; $S & ${READY}` },
  { name: 'waits for a child that ignores TERM', script: `(${DEAF}; exec $S) & ${STAY}` },
  { name: 'waits for many children', script: `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do $S & done; ${STAY}` },
  { name: 'leaves many children that ignore TERM', script: `${DEAF}; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do $S & done; ${READY}` },
  { name: 'starts a long line of descendants', script: `d() { if [ $1 -gt 0 ]; then (d $(($1 - 1))); fi; $S; }; ${READY}; d 8` },
  { name: 'nohup', script: `nohup $S & ${STAY}` },
  { name: 'nohup, and ends', script: `nohup $S & sleep 0.1; ${READY}` },
  { name: 'nohup of a shell that ignores TERM and computes', script: `nohup sh -c "trap '' TERM; while :; do :; done # $S" & sleep 0.1; ${READY}` },
  { name: 'setsid', script: `setsid $S & ${STAY}` },
  { name: 'setsid, and ends', script: `setsid $S & ${READY}` },
  { name: 'setsid of what ignores TERM', script: `(${DEAF}; exec setsid $S) & sleep 0.1; ${STAY}` },
  { name: 'setsid of what ignores TERM, and ends', script: `(${DEAF}; exec setsid $S) & sleep 0.1; ${READY}` },
  { name: 'nohup setsid', script: `nohup setsid $S & sleep 0.1; ${READY}` },
  { name: 'forks twice', script: `( ($S) & ); ${STAY}` },
  { name: 'forks twice, and ends', script: `( ($S) & ); ${READY}` },
  { name: 'a daemon', script: `${daemon('exec $S')}; sleep 0.1; ${STAY}` },
  { name: 'a daemon, and ends', script: `${daemon('exec $S')}; ${READY}` },
  { name: 'a daemon that ignores TERM, and ends', script: `${DEAF}; ${daemon('exec $S')}; sleep 0.1; ${READY}` },
  { name: 'clears the environment', script: `env -i $S & ${STAY}` },
  { name: 'clears the environment, and ends', script: `env -i $S & ${READY}` },
  { name: 'clears the environment and makes a session', script: `env -i setsid $S & sleep 0.6; ${STAY}`, escapes: ['group'] },
  { name: 'daemon without an environment', script: `(env -i setsid sh -c "$S & exit" &); sleep 0.1; ${STAY}`, escapes: ['group'] },
  { name: 'daemon without an environment that ignores TERM, and ends', script: `${DEAF}; (env -i setsid sh -c "$S & exit" &); sleep 0.1; ${READY}`, escapes: ['group'] },
  { name: 'closes its descriptors', script: `${READY}; sleep 0.1; exec $S <&- >&- 2>&-` },
  { name: 'daemon that closes every descriptor', script: `${DEAF}; (setsid sh -c 'for f in 0 1 2 3 4 5 6 7 8 9; do eval "exec $f>&-"; done; $S' &); sleep 0.1; ${READY}` },
  { name: 'stops itself', script: `${READY}; kill -STOP $$; exec $S` },
  { name: 'stops itself and ignores TERM', script: `${DEAF}; ${READY}; kill -STOP $$; exec $S` },
  { name: 'stops a child', script: `$S & kill -STOP $!; ${STAY}` },
  { name: 'stops its group', script: `$S & ${READY}; kill -STOP 0; exec $S` },
  { name: 'forks on and on, always as another process', script: `relay() { sleep 0.03; : $S; relay & exit; }; relay & ${STAY}` },
  { name: 'forks on and on and ignores TERM', script: `${DEAF}; relay() { sleep 0.03; : $S; relay & exit; }; relay & sleep 0.1; ${READY}` },
  { name: 'starts anew what was ended', script: `(${DEAF}; while :; do (trap - TERM; exec $S); done) & ${STAY}` },
  { name: 'starts a daemon when it is asked to end', script: `trap '${DEAF.replaceAll("'", '"')}; setsid $S & exit' TERM; ${READY}; while :; do sleep 0.05; done` },
  { name: 'groups of their own by job control', script: `set -m; $S & (${DEAF}; exec $S) & sleep 0.1; ${READY}` },
  { name: 'kills its parent', script: `env -i setsid $S & ${KILL_PARENT}; sleep 0.1; ${STAY}`, escapes: ['group'] },
  { name: 'kills its parent, and ends', script: `(env -i setsid sh -c "$S & exit" &); sleep 0.1; ${KILL_PARENT}; ${READY}`, escapes: ['subreaper', 'group'] },
  { name: 'leaves its cgroup', script: `(${LEAVE_CGROUP}; exec env -i setsid $S) & sleep 0.2; ${STAY}`, escapes: ['cgroup', 'group'] },
];
