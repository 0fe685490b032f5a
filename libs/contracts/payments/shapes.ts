/** What the payments service's answers are made of. */
import { Type, type Static } from 'typebox';
import { IsoDateTime, Rupees } from '../kit.ts';

export const Payment = Type.Object({
  _id: Type.String(),
  document_id: Type.String(),
  /** As it was named when it was paid; a service of an earlier release does not say it. */
  document_name: Type.Optional(Type.String()),
  user_id: Type.String(),
  amount: Rupees,
  status: Type.Union([
    Type.Literal('completed'),
    Type.Literal('pending'),
    Type.Literal('partial'),
    Type.Literal('failed'),
    /** It was completed, and an admin has given the money back. */
    Type.Literal('reversed'),
  ]),
  payment_method: Type.String(),
  created_at: IsoDateTime,
});
export type Payment = Static<typeof Payment>;
