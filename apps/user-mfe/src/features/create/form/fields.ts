/** Converts the form into a request; pure. */
import type { Entered } from './useEntered.ts';

export const acceptedOf = ({ accepted }: Pick<Entered, 'accepted'>) =>
  accepted.length > 0
    ? { accepted_pictures: JSON.stringify(accepted), accepted_left_out: JSON.stringify(accepted) }
    : {};

/** Returns the fields of a document, for creating it and for drafts. */
export function fieldsOf({ form, accepted }: Pick<Entered, 'form' | 'accepted'>) {
  const { page_details, name, location, start_date, end_date, description } = form;
  const details = { name, location, start_date, end_date, description };
  return { ...details, page_details: JSON.stringify(page_details), ...acceptedOf({ accepted }) };
}
