import { readDailyHours } from '../../kernel/config/index.ts';
import { quietHoursInvalid } from '../errors.ts';
import type { Moment } from '../rows.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;

/** Hours in which a person is left alone; they may reach over midnight. */
export interface QuietHours {
  /** When the quiet that rules at `moment` ends, `undefined` when none does. */
  readonly quietUntil: (moment: Moment) => Moment | undefined;
}

/**
 * Reads `22:00-07:00` or `22:00-07:00 Europe/Berlin`; without a zone the one of this machine counts.
 * Throws `quiet-hours-invalid`.
 *
 * @example
 * const { quietUntil } = parseQuietHours('22:00-07:00 Europe/Berlin');
 */
export function parseQuietHours(value: string): QuietHours {
  const times = readDailyHours(value);
  if ('problem' in times) throw quietHoursInvalid({ value, reason: times.problem });
  const minuteOfDay = minuteReader(times.zone);
  const length = (times.to - times.from + DAY_MINUTES) % DAY_MINUTES;
  return {
    quietUntil: (moment) => {
      const passed = (minuteOfDay(moment) - times.from + DAY_MINUTES) % DAY_MINUTES;
      if (passed >= length) return undefined;
      // The end of the minute that ends the quiet; where clocks change in between, the end is judged again when it comes.
      return moment - (moment % MINUTE) + (length - passed) * MINUTE;
    },
  };
}

function minuteReader(timeZone: string | undefined): (moment: Moment) => number {
  const shape = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' } as const;
  const format = new Intl.DateTimeFormat('en-GB', timeZone === undefined ? shape : { ...shape, timeZone });
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    return Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  };
}
