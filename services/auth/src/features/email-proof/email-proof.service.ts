/** Proves the e-mail address of an account by a code that is sent to it. */
import { inTransaction } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import { markEmailProved, type UserRow } from '../accounts/accounts.repository.ts';
import { announceUpdate, requireUser } from '../accounts/accounts.service.ts';
import { mailCode } from '../invitations/invitations.service.ts';
import type { Purpose } from '../otp/otp.ts';
import { otpWrong, redeemCode, sendCode, type Sent } from '../otp/otp.service.ts';

/** Another address of the same account has codes of its own. */
const proofOf = ({ id, email }: UserRow): Purpose => ({
  purpose: `prove-email:${id}`,
  phone: email.toLowerCase(),
});

/** Sends the code. Throws 429 as a sign-in code does, 503 when no e-mail can be sent. */
export async function sendEmailCode(ctx: Context, userId: string, ip: string): Promise<Sent> {
  const user = await requireUser(ctx, userId);
  const { email: to, language } = user;
  return sendCode(ctx, proofOf(user), { ip, as: userId }, (code, id) =>
    mailCode(ctx, { message_id: id, to, language: language ?? 'en', code, account: true }),
  );
}

/** Uses the code up. Throws 400 for a wrong one, and for the code of an address that the account no longer has. */
export async function proveEmail(ctx: Context, userId: string, code: string): Promise<void> {
  const user = await requireUser(ctx, userId);
  await redeemCode(ctx, proofOf(user), code);
  await inTransaction(ctx.db, async (tx) => {
    const proved = await markEmailProved(tx, userId, user.email);
    if (!proved) throw otpWrong();
    await announceUpdate(ctx, tx, proved);
  });
}
