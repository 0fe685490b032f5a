import type { Context } from '../../context.ts';
import { deactivated } from '../accounts/accounts.errors.ts';
import { lockByProvedPhone } from '../accounts/phone-move.repository.ts';
import { normalizePhone } from '../otp/otp.ts';
import { rememberBrowser } from '../otp/known-browsers.repository.ts';
import { otpWrong, redeemOtp } from '../otp/otp.service.ts';
import type { Origin } from '../sessions/device.ts';
import { openSession } from '../sessions/sessions.service.ts';

export type SignIn = {
  phone: string;
  code: string;
  /** From the answer to the send. Without it, the number's latest code counts. */
  challengeId?: string | undefined;
  /** The secret of the browser, which is remembered after the sign-in. */
  browser?: string | undefined;
};

/**
 * Signs a user in.
 * @throws 400 for a wrong code, and for a number without an account; 403 for a deactivated user
 */
export async function signIn(
  ctx: Context,
  { phone, code, challengeId, browser }: SignIn,
  origin: Origin,
): Promise<{ token: string; userId: string; charId: string }> {
  await redeemOtp(ctx, phone, code, challengeId);
  const { token, subject } = await openSession(ctx, origin, async (tx) => {
    const user = await lockByProvedPhone(tx, normalizePhone(phone));
    if (!user) throw otpWrong();
    if (user.status !== 'active') throw deactivated();
    if (browser !== undefined) await rememberBrowser(tx, ctx.otp.browserKey(user.phone_no, browser), user.id);
    return { id: user.id, audience: 'user' as const, charId: user.char_id };
  });
  return { token, userId: subject.id, charId: subject.charId };
}
