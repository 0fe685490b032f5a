import { lastDays, seriesOf } from './series.ts';

it('days are Indian days, which begin at 18:30 UTC', () => {
  expect(lastDays(3, Date.parse('2026-11-21T18:29:59Z'))).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
  expect(lastDays(1, Date.parse('2026-11-21T18:30:00Z'))).toEqual(['2026-11-22']);
});

it('a series has every day once, and sums the values of a day', () => {
  const figures = [
    { day: '2026-11-20', count: 2 },
    { day: '2026-11-20', count: 3 },
    { day: '2026-10-01', count: 9 },
  ];
  expect(seriesOf(['2026-11-19', '2026-11-20'], figures, ({ count }) => count)).toEqual([
    { day: '2026-11-19', value: 0 },
    { day: '2026-11-20', value: 5 },
  ]);
});
