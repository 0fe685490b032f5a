/** Sending and redeeming one-time codes. */
import { badRequest, tooManyRequests } from '@karaar/platform/errors';
import { uuidv7 } from '@karaar/platform/db-kit';
import { SmsError, type TextMessage } from '@karaar/platform/sms';
import type { Context } from '../../context.ts';
import { newCode, normalizePhone, OTP_RESEND_MS, type Purpose } from './otp.ts';
import { boundTo, changePhoneCode, registerFirst, signInCode } from './texts.ts';

const signInTo = (phone: string): Purpose => ({ purpose: 'sign-in', phone });
const changeTo = (phone: string, userId: string): Purpose => ({ purpose: `change-phone:${userId}`, phone });

/**
 * Sends a sign-in code. An unknown number goes the same way, takes the same time and gets the same answer; its
 * text says how to register. Throws 429 within the cooldown or over a cap, 503 when the provider is away.
 */
export async function sendOtp(ctx: Context, phone: string, ip: string): Promise<{ resendAfterS: number }> {
  return send(ctx, signInTo(phone), ip, async (code) =>
    (await ctx.phoneIsKnown(phone))
      ? signInCode(phone, { code, bound: boundTo(ctx.config.WEB_HOST, code) })
      : registerFirst(phone, {}),
  );
}

/** Sends a code by which a user proves to have a new number. Errors as above. */
export async function sendPhoneChangeOtp(
  ctx: Context,
  userId: string,
  phone: string,
  ip: string,
): Promise<{ resendAfterS: number }> {
  const to = normalizePhone(phone);
  return send(ctx, changeTo(to, userId), ip, async (code) => changePhoneCode(to, { code }));
}

/** Uses the code up. Throws 400 when it is wrong, used, too old or was tried too often – without saying which. */
export async function redeemOtp(ctx: Context, phone: string, code: string): Promise<void> {
  await redeem(ctx, signInTo(normalizePhone(phone)), code);
}

/** The same for a code of `sendPhoneChangeOtp`, by the user who asked for it. */
export async function redeemPhoneChangeOtp(
  ctx: Context,
  userId: string,
  phone: string,
  code: string,
): Promise<void> {
  await redeem(ctx, changeTo(normalizePhone(phone), userId), code);
}

async function send(
  ctx: Context,
  to: Purpose,
  ip: string,
  write: (code: string) => Promise<TextMessage>,
): Promise<{ resendAfterS: number }> {
  const code = newCode();
  const id = uuidv7();
  const waitMs = await ctx.otp.open(to, code, { id, ip });
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    throw tooManyRequests(`Please wait ${seconds} seconds before asking for another code.`, seconds);
  }
  try {
    await ctx.sms.send(await write(code));
  } catch (error) {
    // A text that may still arrive keeps its code and its place in the count.
    if (!(error instanceof SmsError && error.outcome === 'unknown')) await ctx.otp.cancel(to, id);
    throw error;
  }
  return { resendAfterS: OTP_RESEND_MS / 1_000 };
}

async function redeem(ctx: Context, to: Purpose, code: string): Promise<void> {
  if (!(await ctx.otp.redeem(to, code))) throw otpWrong();
}

export const otpWrong = () =>
  badRequest('otp_wrong', 'This code is wrong or has expired. Ask for a new one.');
