import { endsSoon } from './ends-soon.ts';

const on = (end_date: string | null, status: 'approved' | 'finalized' = 'finalized') =>
  endsSoon({ status, end_date }, '2026-11-29');

it('a renewal is offered from 30 days before the end of a sealed agreement until 90 days after it', () => {
  expect(
    ['2026-12-30', '2026-12-29', '2026-11-29', '2026-11-28', '2026-08-31', '2026-08-30'].map((day) =>
      on(day),
    ),
  ).toEqual([null, 'soon', 'soon', 'ended', 'ended', null]);
  expect([on(null), on('2026-12-01', 'approved')]).toEqual([null, null]);
});
