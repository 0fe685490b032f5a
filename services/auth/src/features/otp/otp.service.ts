/** Sending and redeeming one-time codes. */
import { randomUUID } from 'node:crypto';
import { badRequest, tooManyRequests } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { codeDigest, newCode, normalizePhone, OTP_RESEND_MS } from './otp.ts';
import { registerFirst, signInCode } from './texts.ts';

/**
 * Sends a code. An unknown number goes the same way, takes the same time and gets the same answer; its text
 * says how to register. Throws 429 within the cooldown or over a cap, 503 when Redis or the provider is away.
 */
export async function sendOtp(ctx: Context, phone: string, ip: string): Promise<{ resendAfterS: number }> {
  const code = newCode();
  const waitMs = await ctx.otp.open(phone, codeDigest(ctx.otpPepper, phone, code), {
    ip,
    sendId: randomUUID(),
  });
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    throw tooManyRequests(`Please wait ${seconds} seconds before asking for another code.`, seconds);
  }
  const user = await ctx.findUserByPhone(phone);
  try {
    await ctx.sms.send(user ? signInCode(phone, { code }) : registerFirst(phone, {}));
  } catch (error) {
    await ctx.otp.cancel(phone);
    throw error;
  }
  return { resendAfterS: OTP_RESEND_MS / 1_000 };
}

/** Uses the code up. Throws 400 when it is wrong, used, too old or was tried too often – without saying which. */
export async function redeemOtp(ctx: Context, phone: string, code: string): Promise<void> {
  const normalized = normalizePhone(phone);
  if (!(await ctx.otp.redeem(normalized, codeDigest(ctx.otpPepper, normalized, code)))) {
    throw badRequest('otp_wrong', 'This code is wrong or has expired. Ask for a new one.');
  }
}
