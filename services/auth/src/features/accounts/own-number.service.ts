/**
 * Acts that move or end an account need a code sent to its present number, so that a session alone is not
 * enough (design §3 Step-up). The code lets the session that requested it perform this act once.
 */
import type { AccountAct } from '@karaar/contracts/step-up';
import { actText } from '@karaar/contracts/step-up-statement';
import type { Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { keyed, type Purpose } from '../otp/otp.ts';
import { redeemCode, sendCode, type Sent } from '../otp/otp.service.ts';
import { deleteAccountCode, movePhoneCode } from '../otp/texts.ts';
import { confirmSession, isConfirmed, spendConfirmation } from '../sessions/sessions.repository.ts';
import { ownNumberRequired } from './accounts.errors.ts';
import { requireUser } from './accounts.service.ts';
import { cancelMove } from './phone-move.repository.ts';
import { confirmed } from './step-up.ts';

export type Caller = { userId: string; sessionId: string };

/** An act that may be performed. `spend` uses up its confirmations, in the transaction of the act. */
type ByOwner = { spend: (tx: Tx<Database>) => Promise<void> };

/** Milliseconds for which a confirmed act may be performed. */
const CONFIRMED_MS = 5 * 60_000;

const purposeOf = ({ sessionId }: Caller, act: AccountAct, phone: string): Purpose => ({
  purpose: `confirm:${sessionId}:${actText(act)}`,
  phone,
});
const actKey = (ctx: Context, act: AccountAct): string => keyed(ctx.pepper, actText(act));

/**
 * Sends a code for this act, which the SMS names, to the account's number.
 * @throws 429 and 503 as for a sign-in code
 */
export async function sendActCode(ctx: Context, caller: Caller, act: AccountAct, ip: string): Promise<Sent> {
  const { phone_no, language } = await requireUser(ctx, caller.userId);
  const from = { ip, as: caller.userId, own: true };
  return sendCode(ctx, purposeOf(caller, act, phone_no), from, (code) =>
    ctx.sms.send(
      act.action === 'delete_account'
        ? deleteAccountCode(phone_no, language ?? 'en', { code })
        : movePhoneCode(phone_no, language ?? 'en', { code, digits: act.phone_no.slice(-4) }),
    ),
  );
}

/**
 * Confirms the act for the caller's session. The code shows that the present number is not lost, so this also
 * cancels a waiting number change.
 * @throws 400 for a code that is wrong, expired, or for another act or session
 */
export async function confirmAct(ctx: Context, caller: Caller, act: AccountAct, code: string): Promise<void> {
  const { phone_no } = await requireUser(ctx, caller.userId);
  await redeemCode(ctx, purposeOf(caller, act, phone_no), code);
  await cancelMove(ctx.db, caller.userId);
  await confirmSession(ctx.db, caller.sessionId, {
    act: actKey(ctx, act),
    until: new Date(Date.now() + CONFIRMED_MS),
  });
}

/**
 * Checks that the owner confirmed the act: with a code to the number and, if the user has one, with the
 * passkey. A passkey does not replace the code, because an intruder with a session can add a first passkey.
 * @throws 403 `own_number_required` unless this session was confirmed for exactly this act, and as {@link
 * confirmed}
 */
export async function confirmedByOwner(
  ctx: Context,
  { userId, sessionId }: Caller,
  act: AccountAct,
  grant: string | undefined,
): Promise<ByOwner> {
  const key = actKey(ctx, act);
  if (!(await isConfirmed(ctx.db, sessionId, key))) throw ownNumberRequired();
  const byPasskey = await confirmed(ctx, { userId, act }, grant);
  return {
    spend: async (tx) => {
      if (!(await spendConfirmation(tx, sessionId, key))) throw ownNumberRequired();
      await byPasskey.spend(tx);
    },
  };
}
