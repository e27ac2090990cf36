import { defineError } from '../errors/index.ts';

export const timeOutOfRange = defineError<{ nanoseconds: bigint }>({
  code: 'time-out-of-range',
  means: 'A moment lies outside the years that a date is written for, mostly because the clock of the machine is wrong.',
  message: ({ nanoseconds }) => `${nanoseconds} ns since 1970 is not in the years 0001 to 9999`,
  remedy: 'check the clock of this machine',
});

export const deadlineDamaged = defineError<{ state: unknown }>({
  code: 'deadline-damaged',
  means: 'A deadline in a state file lacks a number or has an end that is not a date, so it cannot be judged.',
  message: ({ state }) => `the deadline ${JSON.stringify(state)} has a number or a date that is none`,
  remedy: 'correct the state file, or start the work anew',
});
