import { Type } from 'typebox';

/** A user as shown to other users; phone and e-mail may be masked. */
export const contactFields = {
  _id: Type.String(),
  user_id: Type.String(),
  char_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone_no: Type.String(),
} as const;

/** An account as shown to its owner and to admins. */
export const accountFields = {
  ...contactFields,
  city: Type.String(),
  state: Type.String(),
  status: Type.String(),
  is_active: Type.Boolean(),
  is_admin: Type.Boolean(),
} as const;
