import fc from 'fast-check';
import { afterQuietHours } from './quiet-hours.ts';

const india = (time: string) => new Date(`2026-11-25T${time}+05:30`);
const hourOf = (moment: Date) => new Date(moment.getTime() + 5.5 * 3_600_000).getUTCHours();

it.each([
  ['before the night', '21:59:59', { from: 22, until: 7 }, india('21:59:59')],
  ['at its begin', '22:00:00', { from: 22, until: 7 }, new Date('2026-11-26T07:00:00+05:30')],
  ['after midnight', '03:10:00', { from: 22, until: 7 }, india('07:00:00')],
  ['at its end', '07:00:00', { from: 22, until: 7 }, india('07:00:00')],
  ['at noon', '13:00:00', { from: 12, until: 14 }, india('14:00:00')],
  ['where nothing is quiet', '13:00:00', { from: 13, until: 13 }, india('13:00:00')],
])('%s', (_, time, quiet, expected) => {
  expect(afterQuietHours(india(time), quiet)).toEqual(expected);
});

it('returns a moment outside the quiet hours, less than a day after the given one and never before it', () => {
  const hour = fc.integer({ min: 0, max: 23 });
  const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moment, hour, hour, (at, from, until) => {
      const due = afterQuietHours(at, { from, until });
      const late = due.getTime() - at.getTime();
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(24 * 3_600_000);
      if (late > 0) expect(hourOf(due)).toBe(until);
    }),
  );
});
