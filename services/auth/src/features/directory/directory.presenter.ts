import type { PublicUser } from '@karaar/contracts/auth/http';
import { maskEmail, maskPhone } from '@karaar/bus/directory';
import type { UserRow } from '../accounts/accounts.repository.ts';

/**
 * Returns a user for other users. Phone and e-mail are masked unless `known`: the user's own entry, or users
 * who share a document.
 */
export const presentPublicUser = (user: UserRow, known: boolean): PublicUser => ({
  _id: user.id,
  user_id: user.id,
  char_id: user.char_id,
  name: user.name,
  email: known ? user.email : maskEmail(user.email),
  phone_no: known ? user.phone_no : maskPhone(user.phone_no),
});
