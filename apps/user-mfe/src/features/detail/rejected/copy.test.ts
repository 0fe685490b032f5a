import type { Document } from '@karaar/contracts/documents/http';
import type { Party } from '../../../shared/roles.ts';
import { copyFields, othersOf } from './copy.ts';

// Casts: the rules read no other field.
const party = (char_id: string, state: Party['state']) => ({ char_id, state }) as Party;

it('a copy has the details of the rejected document, and names the person who rejected it', () => {
  const rejected = {
    name: 'Lease',
    location: null,
    start_date: '2026-12-01',
    end_date: null,
    description: 'Two rooms',
    page_details: [{ page_no: 1, description: 'The rent' }],
    parties: [
      party('OWNER111', 'primary'),
      party('AGREED11', 'approved'),
      party('ASKED111', 'requested'),
      party('REFUSED1', 'rejected'),
    ],
  } as Document;
  expect(copyFields(rejected)).toEqual({
    name: 'Lease',
    location: '',
    start_date: '2026-12-01',
    end_date: '',
    description: 'Two rooms',
    page_details: '[{"page_no":1,"description":"The rent"}]',
    target_user_char_id: 'REFUSED1',
  });
  expect(othersOf(rejected).map(({ char_id }) => char_id)).toEqual(['REFUSED1', 'AGREED11']);
  expect(copyFields({ ...rejected, parties: [] }).target_user_char_id).toBe('');
});
