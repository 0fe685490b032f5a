import { dayName, sameDay, untilMidnight } from './days.ts';

const at = (iso: string) => Date.parse(iso);

it('[CHAT-006] [CHAT-010] counts days by India’s midnight, which is 18:30 UTC', () => {
  const now = at('2026-11-21T18:29:59Z'); // 23:59:59 on the 21st in India
  expect(dayName('2026-11-20T18:30:00Z', now)).toBe('today');
  expect(dayName('2026-11-20T18:29:59Z', now)).toBe('yesterday');
  expect(dayName('2026-11-19T18:29:59Z', now)).toBe('date');
  expect(dayName('2026-11-20T18:30:00Z', now + 1_000)).toBe('yesterday');
  // A clock that is ahead of ours.
  expect(dayName('2026-11-21T18:35:00Z', now)).toBe('today');
  expect(sameDay('2026-11-20T18:30:00Z', '2026-11-21T18:29:59Z')).toBe(true);
  expect(sameDay('2026-11-20T18:29:59Z', '2026-11-20T18:30:00Z')).toBe(false);
  expect(untilMidnight(now)).toBe(1_000);
});
