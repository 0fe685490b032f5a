import { Type } from 'typebox';

/** A session of twelve hours. */
export const LoginAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.String(),
  user_id: Type.String(),
  char_id: Type.String(),
});
