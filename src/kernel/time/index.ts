export { bootId } from './boot-id.ts';
export { systemClock, type Clock } from './clock.ts';
export { markClock, sleptMs, watchClock, type ClockEvent, type ClockMark, type ClockWatch } from './clock-watch.ts';
export { deadlineAfter, resumeDeadline, type Deadline, type DeadlineState, type Expiry } from './deadline.ts';
export { civilTime, formatRfc3339, formatRfc3339Nano, fractionDigits, parseRfc3339 } from './rfc3339.ts';
export { sleep, waitFor, type Pause, type WaitOptions } from './wait.ts';
