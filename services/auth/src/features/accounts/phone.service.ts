/** Another number for an account, proved by a code that was sent to it. */
import { inTransaction, isUniqueViolation } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import { normalizePhone } from '../otp/otp.ts';
import { redeemPhoneChangeOtp } from '../otp/otp.service.ts';
import { phoneChanged } from '../otp/texts.ts';
import { phoneTaken, userNotFound } from './accounts.errors.ts';
import { lockById, updateUser, type UserRow } from './accounts.repository.ts';
import { announceUpdate } from './accounts.service.ts';

/**
 * Throws 400 for a wrong code. That another account has the number is said (409) to who holds the number only.
 * The old number gets a text: somebody else may have done this.
 */
export async function changePhone(
  ctx: Context,
  userId: string,
  phone: string,
  code: string,
): Promise<UserRow> {
  await redeemPhoneChangeOtp(ctx, userId, phone, code);
  const to = normalizePhone(phone);
  try {
    const { before, after } = await inTransaction(ctx.db, async (tx) => {
      const old = await lockById(tx, userId);
      if (!old) throw userNotFound();
      if (old.phone_no === to) return { before: old, after: old };
      const user = await updateUser(tx, userId, { phone_no: to });
      if (!user) throw userNotFound();
      await announceUpdate(ctx, tx, user);
      return { before: old, after: user };
    });
    if (before.phone_no !== to) await warnOldNumber(ctx, before.phone_no);
    return after;
  } catch (error) {
    if (isUniqueViolation(error, 'users_phone_no_key')) throw phoneTaken();
    throw error;
  }
}

/** The change is made and stays made when the old number cannot be told of it; the log says so. */
async function warnOldNumber(ctx: Context, phone: string): Promise<void> {
  try {
    await ctx.sms.send(phoneChanged(phone, {}));
  } catch (error) {
    ctx.logger.warn({ err: error }, 'the old number could not be told of the change');
  }
}
