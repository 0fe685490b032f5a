/** Sending and redeeming one-time codes. */
import type { Language } from '@karaar/contracts/limits';
import { badRequest, tooManyRequests } from '@karaar/platform/errors';
import { uuidv7 } from '@karaar/platform/db-kit';
import { SmsError } from '@karaar/platform/sms';
import type { Context } from '../../context.ts';
import { newCode, normalizePhone, OTP_RESEND_MS, type Purpose } from './otp.ts';
import { boundTo, changePhoneCode, registerFirst, signInCode } from './texts.ts';

const signInTo = (phone: string): Purpose => ({ purpose: 'sign-in', phone });
const changeTo = (phone: string, userId: string): Purpose => ({ purpose: `change-phone:${userId}`, phone });

/**
 * Sends a sign-in code. For an unknown number the steps, the time and the answer are the same; its text message says
 * how to register. The message is in the language of the account, otherwise of the screen (`asked`). Throws 429
 * within the cooldown or over a cap, 503 when the provider is away.
 */
export async function sendOtp(
  ctx: Context,
  phone: string,
  ip: string,
  asked?: Language,
): Promise<{ resendAfterS: number }> {
  return sendCode(ctx, signInTo(phone), ip, async (code) => {
    const { known, language } = await ctx.phoneOwner(phone);
    const read = language ?? asked ?? 'en';
    await ctx.sms.send(
      known
        ? signInCode(phone, read, { code, bound: boundTo(ctx.config.WEB_HOST, code) })
        : registerFirst(phone, read, {}),
    );
  });
}

/** Sends a code that proves a user's new number. Errors as above. */
export async function sendPhoneChangeOtp(
  ctx: Context,
  userId: string,
  phone: string,
  ip: string,
  language: Language | null,
): Promise<{ resendAfterS: number }> {
  const to = normalizePhone(phone);
  return sendCode(ctx, changeTo(to, userId), ip, (code) =>
    ctx.sms.send(changePhoneCode(to, language ?? 'en', { code })),
  );
}

/** Uses the code up. Throws 400 when it is wrong, used, too old or was tried too often – without saying which. */
export async function redeemOtp(ctx: Context, phone: string, code: string): Promise<void> {
  await redeemCode(ctx, signInTo(normalizePhone(phone)), code);
}

/** The same for a code of `sendPhoneChangeOtp`, by the user who asked for it. */
export async function redeemPhoneChangeOtp(
  ctx: Context,
  userId: string,
  phone: string,
  code: string,
): Promise<void> {
  await redeemCode(ctx, changeTo(normalizePhone(phone), userId), code);
}

/**
 * Makes a code and has it sent; a purpose has one live code. Throws 429 within the cooldown or over a cap, and what `send` throws.
 * @param send is given the code and the id of this sending
 */
export async function sendCode(
  ctx: Context,
  to: Purpose,
  ip: string,
  send: (code: string, id: string) => Promise<void>,
): Promise<{ resendAfterS: number }> {
  const code = newCode();
  const id = uuidv7();
  const waitMs = await ctx.otp.open(to, code, { id, ip });
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    throw tooManyRequests(`Please wait ${seconds} seconds before asking for another code.`, seconds);
  }
  try {
    await send(code, id);
  } catch (error) {
    // A message that may still arrive keeps its code and stays counted.
    if (!(error instanceof SmsError && error.outcome === 'unknown')) await ctx.otp.cancel(to, id);
    throw error;
  }
  return { resendAfterS: OTP_RESEND_MS / 1_000 };
}

/** Uses a code up. Throws 400 as {@link redeemOtp} does. */
export async function redeemCode(ctx: Context, to: Purpose, code: string): Promise<void> {
  if (!(await ctx.otp.redeem(to, code))) throw otpWrong();
}

export const otpWrong = () =>
  badRequest('otp_wrong', 'This code is wrong or has expired. Ask for a new one.');
