export { systemClock, type Clock } from './clock.ts';
export { civilTime, formatRfc3339, formatRfc3339Nano, fractionDigits, parseRfc3339 } from './rfc3339.ts';
