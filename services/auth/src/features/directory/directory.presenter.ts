import type { PublicUser } from '@karaar/contracts/auth/http';
import type { UserRow } from '../accounts/accounts.repository.ts';

/** `asha@example.org` → `a•••@example.org`. */
const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1•••');
/** `+919000000001` → `+91••••••0001`. */
const maskPhone = (phone: string): string => `+91••••••${phone.slice(-4)}`;

/** A user for others: phone and e-mail masked, except for oneself and for people of a common document. */
export const presentPublicUser = (user: UserRow, known: boolean): PublicUser => ({
  _id: user.id,
  user_id: user.id,
  char_id: user.char_id,
  name: user.name,
  email: known ? user.email : maskEmail(user.email),
  phone_no: known ? user.phone_no : maskPhone(user.phone_no),
});
