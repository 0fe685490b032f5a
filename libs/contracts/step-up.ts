/**
 * Step-up: acts that a person who has a passkey for signing confirms with it (docs/adr/0085). The documents service, which
 * owns the keys, signs a grant for one act; the service that performs the act verifies the grant.
 */
import { Type, type Static } from 'typebox';
import { IsoDateTime, nullable, Uuid } from './kit.ts';

const ChangePhone = Type.Object({
  action: Type.Literal('change_phone'),
  /** The new number. */
  phone_no: Type.String({ pattern: '^\\+91[0-9]{10}$' }),
});
const DeleteAccount = Type.Object({ action: Type.Literal('delete_account') });

/** One act with everything that it depends on: another document, amount or number is another act. */
export const StepUpAct = Type.Union([
  Type.Object({
    action: Type.Literal('pay'),
    document_id: Uuid,
    /** The payer's share, which leaves the wallet. */
    amount_paise: Type.Integer({ minimum: 1 }),
  }),
  ChangePhone,
  Type.Object({ action: Type.Literal('export') }),
  DeleteAccount,
]);
export type StepUpAct = Static<typeof StepUpAct>;

/** An act that moves or ends an account: everybody confirms it by a code to the account's present number (design §3 Step-up). */
export const AccountAct = Type.Union([ChangePhone, DeleteAccount]);
export type AccountAct = Static<typeof AccountAct>;

/**
 * What the performing service asks about a user. `none`: there is nothing to confirm with, the act goes on as ever.
 * `keys`: a grant is needed. `waiting`: the last key that could confirm is gone for less than the waiting time, and acts
 * are refused until then.
 */
export const StepUpStanding = Type.Object({
  state: Type.Enum(['none', 'keys', 'waiting']),
  until: nullable(IsoDateTime),
  /** The public Ed25519 keys of grants that may still be valid, by key id; base64url. */
  grant_keys: Type.Array(Type.Object({ kid: Type.String(), x: Type.String() })),
});
export type StepUpStanding = Static<typeof StepUpStanding>;

export const StepUpRequest = Type.Object({ user_id: Type.String() });
