import { describe, expect, test } from 'vitest';
import { parseQuietHours } from '../../../src/ledger/notify/quiet-hours.ts';

const at = (text: string): number => Date.parse(text);

describe('quiet hours', () => {
  test.each([
    ['22:00-07:00 UTC', '2026-06-08T21:59:59Z', undefined],
    ['22:00-07:00 UTC', '2026-06-08T22:00:00Z', '2026-06-09T07:00:00Z'],
    ['22:00-07:00 UTC', '2026-06-09T06:59:59.999Z', '2026-06-09T07:00:00Z'],
    ['22:00-07:00 UTC', '2026-06-09T07:00:00Z', undefined],
    ['12:00-13:30 UTC', '2026-06-09T13:29:00Z', '2026-06-09T13:30:00Z'],
    ['12:00-13:30 UTC', '2026-06-09T11:59:00Z', undefined],
    ['00:00-23:59 UTC', '2026-06-09T23:59:30Z', undefined],
    ['22:00-07:00 Europe/Berlin', '2026-06-08T20:00:00Z', '2026-06-09T05:00:00Z'],
    ['22:00-07:00 Asia/Kathmandu', '2026-06-08T16:15:00Z', '2026-06-09T01:15:00Z'],
    ['22:00-07:00 America/St_Johns', '2026-06-08T23:00:00Z', undefined],
  ])('%s at %s last until %s', (hours, moment, until) => {
    expect(parseQuietHours(hours).quietUntil(at(moment))).toBe(until === undefined ? undefined : at(until));
  });

  test('use the zone of the machine when none is given', () => {
    const local = new Date(2026, 5, 8, 23, 30);
    expect(parseQuietHours('22:00-07:00').quietUntil(local.getTime())).toBe(new Date(2026, 5, 9, 7, 0).getTime());
  });

  // In Berlin clocks went from 02:00 to 03:00 on 29 March 2026.
  test('over a change of clocks are judged again at their supposed end', () => {
    const { quietUntil } = parseQuietHours('22:00-07:00 Europe/Berlin');
    const supposed = quietUntil(at('2026-03-28T23:00:00Z')) ?? 0;
    expect(supposed).toBe(at('2026-03-29T06:00:00Z'));
    expect(quietUntil(supposed)).toBeUndefined();
    const autumn = quietUntil(at('2026-10-24T22:00:00Z')) ?? 0;
    expect(autumn).toBe(at('2026-10-25T05:00:00Z'));
    expect(quietUntil(autumn)).toBe(at('2026-10-25T06:00:00Z'));
  });

  test.each([
    ['', 'two times'],
    ['22-07', 'two times'],
    ['24:00-07:00', 'two times'],
    ['22:60-07:00', 'two times'],
    ['22:00-07:00 ', 'two times'],
    ['09:00-09:00', 'same time'],
    ['22:00-07:00 Europe/Atlantis', 'Europe/Atlantis'],
  ])('of %j are refused', (value, reason) => {
    expect(() => parseQuietHours(value)).toThrow(expect.objectContaining({ code: 'quiet-hours-invalid', message: expect.stringContaining(reason) as string }));
  });
});
