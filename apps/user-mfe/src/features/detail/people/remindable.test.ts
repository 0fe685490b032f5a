import type { Document } from '@karaar/contracts/documents/http';
import { remindable } from './remindable.ts';

it('are the parties whose last reminder is a day old, as the server reports to the creator', () => {
  const party = (user_id: string, remindable_at?: string | null) => ({ user_id, remindable_at });
  const parties = [
    party('creator', null),
    party('never reminded', '1970-01-01T00:00:00Z'),
    party('reminded today', '2026-11-26T10:00:00Z'),
    party('told to a party', undefined),
  ] as Document['parties'];
  const now = new Date('2026-11-25T12:00:00Z').getTime();
  expect(remindable({ parties }, now).map(({ user_id }) => user_id)).toEqual(['never reminded']);
});
