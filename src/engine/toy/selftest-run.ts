import { selftestToy } from './selftest.ts';

/** The toy as a program of its own: only `drover selftest crash` and tests start it. */
void selftestToy(process.argv.slice(2), () => process.kill(process.pid, 'SIGKILL'));
