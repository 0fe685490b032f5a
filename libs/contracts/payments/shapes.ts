/** The shapes in the payments service's responses. */
import { Type, type Static } from 'typebox';
import { IsoDateTime, Rupees } from '../kit.ts';

export const Payment = Type.Object({
  _id: Type.String(),
  document_id: Type.String(),
  /** The document's name at the time of payment; absent in responses of an earlier release. */
  document_name: Type.Optional(Type.String()),
  user_id: Type.String(),
  amount: Rupees,
  status: Type.Union([
    Type.Literal('completed'),
    Type.Literal('pending'),
    Type.Literal('partial'),
    Type.Literal('failed'),
    /** A completed payment whose money an admin has returned. */
    Type.Literal('reversed'),
  ]),
  payment_method: Type.String(),
  created_at: IsoDateTime,
});
export type Payment = Static<typeof Payment>;
