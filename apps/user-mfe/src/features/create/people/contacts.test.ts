import type { Document } from '@karaar/contracts/documents/http';
import { contactsOf } from './contacts.ts';

type Party = Document['parties'][number];
const party = (user_id: string, state: Party['state'] = 'invited'): Party => ({
  user_id,
  char_id: `ID_${user_id}`,
  name: user_id,
  state,
  approved: false,
  verified: false,
  remindable_at: null,
});

it('offers the other parties of the latest agreements once each, without people who only asked to join', () => {
  const documents = [
    { parties: [party('me', 'primary'), party('vikram'), party('ravi', 'requested')] },
    { parties: [party('meera', 'primary'), party('me'), party('vikram')] },
  ];
  expect(contactsOf(documents, 'me').map(({ char_id }) => char_id)).toEqual(['ID_vikram', 'ID_meera']);
  const many = [{ parties: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => party(id)) }];
  expect(contactsOf(many, 'me')).toHaveLength(6);
});
