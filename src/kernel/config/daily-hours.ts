const TIME = '([01]\\d|2[0-3]):[0-5]\\d';
const FORM = new RegExp(`^(?<from>${TIME})-(?<to>${TIME})(?: (?<zone>\\S+))?$`);

/** Two times of day, in minutes after midnight, and the time zone they are meant in; none is that of the machine. */
export interface DailyHours {
  readonly from: number;
  readonly to: number;
  readonly zone: string | undefined;
}

/** Reads `22:00-07:00`, or with the name of a time zone behind it; says what is wrong with anything else. */
export function readDailyHours(value: string): DailyHours | { readonly problem: string } {
  const { from, to, zone } = FORM.exec(value)?.groups ?? {};
  if (from === undefined || to === undefined) return { problem: 'expected two times from 00:00 to 23:59' };
  if (from === to) return { problem: 'they begin and end at the same time' };
  if (zone !== undefined && !isZone(zone)) return { problem: `there is no time zone ${JSON.stringify(zone)}` };
  return { from: minutesOf(from), to: minutesOf(to), zone };
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
  } catch {
    // The only way to ask whether a zone is known.
    return false;
  }
}
