import type { StopSignalName } from './contract.ts';

/** Exit codes of commands that a signal stopped: as a shell reports a program that the signal ended. */
export const SIGNAL_EXITS: Readonly<Record<StopSignalName, number>> = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 };
