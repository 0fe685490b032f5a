/**
 * Step-up: actions that a user with a passkey for signing confirms with it (docs/adr/0085). The documents
 * service, which owns the keys, signs a grant for one action; the service that performs the action verifies
 * the grant.
 */
import { Type, type Static } from 'typebox';
import { IsoDateTime, nullable, Uuid } from './kit.ts';

const ChangePhone = Type.Object({
  action: Type.Literal('change_phone'),
  phone_no: Type.String({ pattern: '^\\+91[0-9]{10}$' }),
});
const DeleteAccount = Type.Object({ action: Type.Literal('delete_account') });

/** One action with everything that it depends on: another document, amount or number is another action. */
export const StepUpAct = Type.Union([
  Type.Object({
    action: Type.Literal('pay'),
    document_id: Uuid,
    /** The payer's share, which is taken from the wallet. */
    amount_paise: Type.Integer({ minimum: 1 }),
  }),
  ChangePhone,
  Type.Object({ action: Type.Literal('export') }),
  DeleteAccount,
]);
export type StepUpAct = Static<typeof StepUpAct>;

/**
 * An action that moves or ends an account: every user confirms it by a code to the account's current number
 * (design §3 Step-up).
 */
export const AccountAct = Type.Union([ChangePhone, DeleteAccount]);
export type AccountAct = Static<typeof AccountAct>;

/**
 * The step-up state of a user. `none`: the user has no passkey, so the action needs no confirmation. `keys`:
 * a grant is needed. `waiting`: the last usable key was removed within the waiting time, and actions are
 * rejected until it ends.
 */
export const StepUpStanding = Type.Object({
  state: Type.Enum(['none', 'keys', 'waiting']),
  until: nullable(IsoDateTime),
  /** The public Ed25519 keys of grants that may still be valid, by key id; base64url. */
  grant_keys: Type.Array(Type.Object({ kid: Type.String(), x: Type.String() })),
});
export type StepUpStanding = Static<typeof StepUpStanding>;

export const StepUpRequest = Type.Object({ user_id: Type.String() });
