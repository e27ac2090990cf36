import { constants } from 'node:os';

/** `SIGTERM` for 15; `undefined` for a number that is no signal here. */
export function signalName(number: number): NodeJS.Signals | undefined {
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  return names.find((name) => constants.signals[name] === number);
}
