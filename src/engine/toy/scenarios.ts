import type { Unit } from './model.ts';

/** One way through the toy. */
export interface ToyScenario {
  readonly name: string;
  readonly units: readonly Unit[];
  readonly maxInFlight: number;
  /** A person commits to the branch right before the first move. */
  readonly person?: true;
  /** The work was begun by a holder that was killed while a program ran, which runs on where nothing holds it fast. */
  readonly takenOver?: true;
}

/** Made by the program of a scenario with `takenOver` once it runs. */
export const STARTED = 'started';

/** The first one is what the self-test runs unless it is told otherwise. */
export const TOY_SCENARIOS: readonly ToyScenario[] = [
  { name: 'one unit', units: [says('alpha')], maxInFlight: 1 },
  { name: 'three units', units: [says('alpha'), says('beta'), says('gamma')], maxInFlight: 1 },
  { name: 'two in flight', units: [says('alpha'), says('beta'), says('gamma')], maxInFlight: 2 },
  { name: 'a failing program', units: [fails('alpha'), says('beta')], maxInFlight: 1 },
  { name: 'a person commits too', units: [says('alpha'), says('beta')], maxInFlight: 1, person: true },
  { name: 'a takeover', units: [lastsOnce('alpha'), says('beta')], maxInFlight: 1, takenOver: true },
];

function says(name: string): Unit {
  return { name, argv: ['/bin/sh', '-c', `echo ${name}`] };
}

function fails(name: string): Unit {
  return { name, argv: ['/bin/sh', '-c', 'exit 3'] };
}

/** Never ends the first time, and does not mind being asked to. */
function lastsOnce(name: string): Unit {
  const last = `trap '' TERM; : > ${STARTED}; while :; do sleep 1; done`;
  return { name, argv: ['/bin/sh', '-c', `if [ ! -e ${STARTED} ]; then ${last}; fi; echo ${name}`] };
}
