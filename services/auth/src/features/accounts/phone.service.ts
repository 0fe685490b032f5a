/** Another number for an account, proved by a code that was sent to it. */
import { inTransaction, isUniqueViolation } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import { forgetBrowsers } from '../otp/known-browsers.repository.ts';
import { normalizePhone } from '../otp/otp.ts';
import { redeemPhoneChangeOtp } from '../otp/otp.service.ts';
import { phoneChanged } from '../otp/texts.ts';
import { phoneTaken, userNotFound } from './accounts.errors.ts';
import { lockById, updateUser, type UserRow } from './accounts.repository.ts';
import { announceUpdate } from './accounts.service.ts';
import { confirmed } from './step-up.ts';

/**
 * Throws 400 for a wrong code. Throws 409 when another account has the number, but only after the right code, so that
 * only the number's holder learns it. Throws as `confirmed` without the passkey's confirmation. The old number gets a text
 * message, in case another person made the change.
 */
export async function changePhone(
  ctx: Context,
  userId: string,
  phone: string,
  { code, grant }: { code: string; grant: string | undefined },
): Promise<UserRow> {
  const to = normalizePhone(phone);
  // Before the code is used up.
  const step = await confirmed(ctx, { userId, act: { action: 'change_phone', phone_no: to } }, grant);
  await redeemPhoneChangeOtp(ctx, userId, phone, code);
  try {
    const { before, after } = await inTransaction(ctx.db, async (tx) => {
      await step.spend(tx);
      const old = await lockById(tx, userId);
      if (!old) throw userNotFound();
      if (old.phone_no === to) return { before: old, after: old };
      const user = await updateUser(tx, userId, { phone_no: to });
      if (!user) throw userNotFound();
      // They are known for the old number.
      await forgetBrowsers(tx, userId);
      await announceUpdate(ctx, tx, user);
      return { before: old, after: user };
    });
    if (before.phone_no !== to) await warnOldNumber(ctx, before);
    return after;
  } catch (error) {
    if (isUniqueViolation(error, 'users_phone_no_key')) throw phoneTaken();
    throw error;
  }
}

/** If the text message to the old number fails, the change stays; the failure is logged. */
async function warnOldNumber(ctx: Context, { phone_no, language }: UserRow): Promise<void> {
  try {
    await ctx.sms.send(phoneChanged(phone_no, language ?? 'en', {}));
  } catch (error) {
    ctx.logger.warn({ err: error }, 'the old number could not be told of the change');
  }
}
