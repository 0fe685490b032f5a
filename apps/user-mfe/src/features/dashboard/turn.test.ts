import type { Document } from '@karaar/contracts/documents/http';
import type { Party } from '../../shared/roles.ts';
import { turnWords, withWhom } from './turn.ts';

// Casts: the rules read no other field.
const party = (user_id: string, state: Party['state'], approved = state === 'approved') =>
  ({ user_id, name: `Name ${user_id}`, state, approved }) as Party;
const documentWith = (status: Document['status'], ...parties: Party[]) =>
  ({
    status,
    parties,
    primary_user: 'u1',
    primary_user_name: 'Name u1',
    finalization: null,
  }) as Document;
const creator = (approved = false) => party('u1', 'primary', approved);

it('the list says whose turn a document is', () => {
  const open = documentWith('pending_approval', creator(true), party('u2', 'invited'));
  expect(turnWords(open, 'u2')).toEqual({ isOwn: true, key: 'yourTurn' });
  expect(turnWords(open, 'u1')).toEqual({ isOwn: false, names: 'Name u2' });
  const joined = documentWith('pending', creator(), party('u3', 'requested'));
  expect(turnWords(joined, 'u1')).toEqual({ isOwn: true, key: 'yourMove' });
  const agreed = documentWith('approved', creator(true), party('u2', 'approved'));
  expect(turnWords(agreed, 'u1')).toEqual({ isOwn: true, key: 'yourMove' });
  expect(turnWords(agreed, 'u2')).toEqual({ isOwn: false, names: 'Name u1' });
  for (const status of ['draft', 'finalized'] as const)
    expect(turnWords(documentWith(status, creator()), 'u1')).toBeNull();
  const cancelled = { at: '2026-11-28T10:00:00.000Z', by_name: 'Name u1', reason: 'Another flat' };
  const over = { ...documentWith('rejected', creator(), party('u2', 'invited')), cancelled };
  expect([turnWords(over, 'u1'), turnWords(over, 'u2')]).toEqual([null, null]);
});

it('the list names the other parties, but not people who only asked to join', () => {
  const parties = [creator(), party('u2', 'invited'), party('u3', 'requested'), party('u4', 'rejected')];
  expect(withWhom(documentWith('pending', ...parties), 'u1')).toBe('Name u2, Name u4');
  expect(withWhom(documentWith('pending', creator()), 'u1')).toBe('');
});
