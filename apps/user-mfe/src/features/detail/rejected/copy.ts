/** The copy of a rejected document; pure. */
import type { Document } from '@karaar/contracts/documents/http';
import { involvedParties, type Party } from '../../../shared/roles.ts';

/** Returns the other parties; those who rejected come first. */
export const othersOf = (document: Document): Party[] =>
  involvedParties(document)
    .filter(({ state }) => state !== 'primary')
    .toSorted((a, b) => Number(b.state === 'rejected') - Number(a.state === 'rejected'));

/** Returns the fields of a draft with the same details, for the first of the other parties. */
export function copyFields(document: Document) {
  const { name, location, start_date, end_date, description, page_details } = document;
  return {
    name,
    location: location ?? '',
    start_date: start_date ?? '',
    end_date: end_date ?? '',
    description: description ?? '',
    page_details: JSON.stringify(page_details),
    target_user_char_id: othersOf(document)[0]?.char_id ?? '',
  };
}
