import type { Party } from '../../../shared/roles.ts';
import { lastReminder } from './last-reminder.ts';

const reminded = (...times: (string | undefined)[]) => ({
  // A cast, because the rule reads no other field.
  parties: times.map((reminded_at) => ({ ...(reminded_at ? { reminded_at } : {}) }) as Party),
});
// 00:30 on 3 December in India.
const now = new Date('2026-12-02T19:00:00Z');

it('names the newest reminder by its day in India', () => {
  const words = (...times: (string | undefined)[]) => lastReminder(reminded(...times), now);
  expect(words(undefined, '2026-12-02T18:45:00Z')).toBe('today');
  expect(words('2026-11-20T10:00:00Z', '2026-12-02T10:00:00Z')).toBe('yesterday');
  expect(words('2026-11-29T10:00:00Z')).toBe('4 days ago');
  expect(words(undefined)).toBeNull();
});
