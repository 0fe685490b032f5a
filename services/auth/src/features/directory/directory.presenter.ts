import type { PublicUser } from '@karaar/contracts/auth/http';
import { maskEmail, maskPhone } from '@karaar/platform/directory';
import type { UserRow } from '../accounts/accounts.repository.ts';

/** A user for others: phone and e-mail masked, except for oneself and for people of a common document. */
export const presentPublicUser = (user: UserRow, known: boolean): PublicUser => ({
  _id: user.id,
  user_id: user.id,
  char_id: user.char_id,
  name: user.name,
  email: known ? user.email : maskEmail(user.email),
  phone_no: known ? user.phone_no : maskPhone(user.phone_no),
});
