import type { Document } from '@karaar/contracts/documents/http';
import { hasFinalizeCard } from './has-finalize-card.ts';

it('[FINAL-001] the finalize card is shown to the creator, and to others once sealing has begun', () => {
  const shown = (status: Document['status'], finalization: Document['finalization'] = null) =>
    ['u1', 'u2'].filter((userId) => hasFinalizeCard({ status, primary_user: 'u1', finalization }, userId));
  expect([shown('pending'), shown('approved'), shown('rejected')]).toEqual([['u1'], ['u1'], []]);
  expect(shown('approved', { state: 'running', detail: null })).toEqual(['u1', 'u2']);
  expect(shown('approved', { state: 'failed', detail: 'Too large' })).toEqual(['u1', 'u2']);
  expect(shown('finalized')).toEqual(['u1', 'u2']);
});
