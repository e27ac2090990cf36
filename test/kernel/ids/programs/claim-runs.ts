import { claimRunId } from '../../../../src/kernel/ids/index.ts';

/** Claims 50 runs in the folder of the first argument with a clock that stands still, and prints their ids. */
const clock = { wall: () => 1_780_920_000_000_000_000n };
const ids = Array.from({ length: 50 }, () => claimRunId(clock, process.argv[2] ?? '').id);
process.stdout.write(JSON.stringify(ids));
