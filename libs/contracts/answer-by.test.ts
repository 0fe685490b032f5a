import fc from 'fast-check';
import { dayInIndia, hasPassed, isAnswerBy, lastAnswerBy } from './answer-by.ts';

const moments = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const DAY_MS = 86_400_000;
const after = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

it('begins a day at midnight in India', () => {
  expect(dayInIndia(new Date('2026-12-11T18:29:59Z'))).toBe('2026-12-11');
  expect(dayInIndia(new Date('2026-12-11T18:30:00Z'))).toBe('2026-12-12');
});

it('accepts only days from today to the same day of the next year', () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: -800, max: 800 }), (now, days) => {
      const today = dayInIndia(now);
      const day = after(today, days);
      const last = lastAnswerBy(today);
      expect(isAnswerBy(day, today)).toBe(days >= 0 && day <= last);
      expect([364, 365, 366]).toContain((Date.parse(last) - Date.parse(today)) / DAY_MS);
    }),
  );
});

it('ends on 28 February a year after 29 February', () => {
  expect(lastAnswerBy('2028-02-29')).toBe('2029-02-28');
  expect(lastAnswerBy('2027-02-28')).toBe('2028-02-28');
});

it('rejects texts that are not calendar days', () => {
  for (const text of ['', 'soon', '2026-13-01', '2026-02-30', '2026-12-1', '2026-12-12T00:00', '12.12.2026'])
    expect(isAnswerBy(text, '2026-01-01')).toBe(false);
});

it('has passed on the next day, not on the day itself', () => {
  expect(hasPassed('2026-12-12', '2026-12-12')).toBe(false);
  expect(hasPassed('2026-12-12', '2026-12-13')).toBe(true);
});
