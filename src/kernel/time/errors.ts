import { defineError } from '../errors/index.ts';

export const timeOutOfRange = defineError<{ nanoseconds: bigint }>({
  code: 'time-out-of-range',
  message: ({ nanoseconds }) => `${nanoseconds} ns since 1970 is not in the years 0001 to 9999`,
  remedy: 'check the clock of this machine',
});
