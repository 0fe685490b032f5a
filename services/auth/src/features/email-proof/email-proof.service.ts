import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { markEmailProved, type UserRow } from '../accounts/accounts.repository.ts';
import { announceUpdate, requireUser } from '../accounts/accounts.service.ts';
import { mailCode } from '../invitations/invitations.service.ts';
import type { Purpose } from '../otp/otp.ts';
import { otpWrong, redeemCode, sendCode, type Sent } from '../otp/otp.service.ts';

/** Each address of an account has its own codes. */
const proofOf = ({ id, email }: UserRow): Purpose => ({
  purpose: `prove-email:${id}`,
  phone: email.toLowerCase(),
});

/**
 * Sends the code.
 * @throws 429 as for a sign-in code; 503 when no e-mail can be sent
 */
export async function sendEmailCode(ctx: Context, userId: string, ip: string): Promise<Sent> {
  const user = await requireUser(ctx, userId);
  const { email: to, language } = user;
  return sendCode(ctx, proofOf(user), { ip, as: userId }, (code, id) =>
    mailCode(ctx, { message_id: id, to, language: language ?? 'en', code, account: true }),
  );
}

/**
 * Uses the code up.
 * @throws 400 for a wrong code, or if the account has another address by now
 */
export async function proveEmail(ctx: Context, userId: string, code: string): Promise<void> {
  const user = await requireUser(ctx, userId);
  await redeemCode(ctx, proofOf(user), code);
  await inTransaction(ctx.db, async (tx) => {
    const proved = await markEmailProved(tx, userId, user.email);
    if (!proved) throw otpWrong();
    await announceUpdate(ctx, tx, proved);
  });
}
