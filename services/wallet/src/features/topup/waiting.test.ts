import { waitingOf } from './waiting.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const order = (hoursAgo: number, more: object = {}) => ({
  status: 'created' as const,
  answered_at: null,
  noted: false,
  decided: false,
  created_at: new Date(NOW - hoursAgo * 3_600_000),
  ...more,
});
const states = (...orders: Parameters<typeof waitingOf>[0]) =>
  waitingOf(orders, NOW).map(({ order: { created_at }, state }) => [
    (NOW - created_at.getTime()) / 3_600_000,
    state,
  ]);

it('a top-up is unfinished for a day, unless a later one replaces it', () => {
  expect(states(order(1))).toEqual([[1, 'unfinished']]);
  expect(states(order(24))).toEqual([]);
  expect(states(order(1, { status: 'paid' }), order(2))).toEqual([]);
  expect(states(order(1), order(2))).toEqual([[1, 'unfinished']]);
  expect(states(order(1, { status: 'failed' }), order(2))).toEqual([]);
});

it('a paid top-up is arriving until it is credited, whatever comes after it', () => {
  const answered = { answered_at: new Date(NOW) };
  expect(states(order(1), order(30, answered), order(40, { ...answered, status: 'paid' }))).toEqual([
    [1, 'unfinished'],
    [30, 'arriving'],
  ]);
});

it('a payment that waits for the admins is arriving, and shown no more once they have decided', () => {
  expect(states(order(1, { noted: true }))).toEqual([[1, 'arriving']]);
  const decided = { decided: true, answered_at: new Date(NOW) };
  expect(states(order(1, decided), order(30, { noted: true }))).toEqual([[30, 'arriving']]);
});
