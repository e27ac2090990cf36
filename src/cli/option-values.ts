import { invalidOptionValue } from './errors.ts';

/** A whole number written in digits, not below `least`. */
export function wholeNumber(option: string, least: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw invalidOptionValue({ option, value, expected: `a whole number, ${least} or more` });
  };
}

/** Not the empty text of a variable that is not set, which would name the current folder. */
export function path(option: string): (value: string) => string {
  return (value) => {
    if (value !== '') return value;
    throw invalidOptionValue({ option, value, expected: 'a path' });
  };
}

/** Collects values in the order given. */
export function each(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, given];
}

export interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

type Collect = (given: string, before?: readonly NameAndValue[]) => readonly NameAndValue[];

/** Collects `name=value` in the order given; what follows the first `=` is the value. */
export function nameAndValue(option: string): Collect {
  return (given, before = []) => {
    const end = given.indexOf('=');
    if (end > 0) return [...before, { name: given.slice(0, end), value: given.slice(end + 1) }];
    throw invalidOptionValue({ option, value: given, expected: 'name=value' });
  };
}
