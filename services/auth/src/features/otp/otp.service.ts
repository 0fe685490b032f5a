import type { Language } from '@karaar/contracts/limits';
import { type AppError, badRequest, tooManyRequests } from '@karaar/base/errors';
import { uuidv7 } from '@karaar/db';
import { isReplyLost } from '@karaar/bus';
import { SmsError } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { newCode, normalizePhone, OTP_RESEND_MS, type Purpose } from './otp.ts';
import type { Asker, WaitCause } from './otp.store.ts';
import { boundTo, changePhoneCode, registerFirst, signInCode } from './texts.ts';

const signInTo = (phone: string): Purpose => ({ purpose: 'sign-in', phone });
const changeTo = (phone: string, userId: string): Purpose => ({ purpose: `change-phone:${userId}`, phone });

/**
 * The result of a send. `alreadySent` is true if an earlier SMS holds the code, because the phone has
 * received enough of them.
 */
export type Sent = { resendAfterS: number; challengeId: string; alreadySent: boolean };

/**
 * Sends a sign-in code. For an unknown number the steps, the time and the answer are the same; its SMS says
 * how to register. The SMS is in the account's language, otherwise in the language of the screen.
 * @throws 429 within the cooldown or over a cap; 503 when the provider is unavailable
 */
export async function sendOtp(
  ctx: Context,
  phone: string,
  from: Asker,
  screenLanguage?: Language,
): Promise<Sent> {
  return sendCode(ctx, signInTo(phone), from, async (code) => {
    const { known, language } = await ctx.phoneOwner(phone);
    const read = language ?? screenLanguage ?? 'en';
    await ctx.sms.send(
      known
        ? signInCode(phone, read, { code, bound: boundTo(ctx.config.WEB_HOST, code) })
        : registerFirst(phone, read, {}),
    );
  });
}

/**
 * Sends a code that proves a user's new number.
 * @throws as {@link sendOtp}
 */
export async function sendPhoneChangeOtp(
  ctx: Context,
  userId: string,
  phone: string,
  ip: string,
  language: Language | null,
): Promise<Sent> {
  const to = normalizePhone(phone);
  return sendCode(ctx, changeTo(to, userId), { ip, as: userId }, (code) =>
    ctx.sms.send(changePhoneCode(to, language ?? 'en', { code })),
  );
}

/**
 * Uses the code up.
 * @throws 400 when it is wrong, used, expired or was tried too often, without saying which
 */
export async function redeemOtp(
  ctx: Context,
  phone: string,
  code: string,
  challengeId?: string,
): Promise<void> {
  await redeemCode(ctx, signInTo(normalizePhone(phone)), code, challengeId);
}

export async function redeemPhoneChangeOtp(
  ctx: Context,
  userId: string,
  phone: string,
  code: string,
): Promise<void> {
  await redeemCode(ctx, changeTo(normalizePhone(phone), userId), code);
}

/**
 * Creates a code and sends it.
 * @param send gets the code and the id of this challenge
 * @throws 429 within the cooldown or over a cap, and any error of `send`
 */
export async function sendCode(
  ctx: Context,
  to: Purpose,
  from: Asker,
  send: (code: string, id: string) => Promise<void>,
): Promise<Sent> {
  const code = newCode();
  const id = uuidv7();
  const opened = await ctx.otp.open(to, code, id, from);
  if ('cause' in opened) throw mustWait(opened.cause, Math.ceil(opened.waitMs / 1_000));
  const sent = { resendAfterS: OTP_RESEND_MS / 1_000, challengeId: id, alreadySent: !opened.texted };
  if (!opened.texted) return sent;
  try {
    await send(code, id);
  } catch (error) {
    // A message that may still arrive keeps its code and stays counted.
    const mayArrive = error instanceof SmsError ? error.outcome === 'unknown' : isReplyLost(error);
    if (!mayArrive) await ctx.otp.cancel(to, code, id);
    throw error;
  }
  return sent;
}

/**
 * Uses a code up.
 * @throws 400 as {@link redeemOtp}
 */
export async function redeemCode(
  ctx: Context,
  to: Purpose,
  code: string,
  challengeId?: string,
): Promise<void> {
  if (!(await ctx.otp.redeem(to, code, challengeId))) throw otpWrong();
}

export const otpWrong = () =>
  badRequest('otp_wrong', 'This code is wrong or has expired. Ask for a new one.');

function mustWait(cause: WaitCause, seconds: number): AppError {
  const wait =
    seconds < 60 ? `${seconds} seconds` : seconds < 90 ? '1 minute' : `${Math.ceil(seconds / 60)} minutes`;
  switch (cause) {
    case 'asker':
      return tooManyRequests(`Please wait ${seconds} seconds before asking for another code.`, seconds);
    case 'phone':
      return tooManyRequests(
        seconds < 60
          ? `Please wait ${seconds} seconds before asking for another code.`
          : `Many codes were asked for with this number. The next one can be sent in ${wait}.`,
        seconds,
        seconds < 60 ? 'too_many_requests' : 'otp_phone_full',
      );
    case 'network':
      return tooManyRequests(
        `Many people have asked for a code from your network, such as an office, a college or a mobile carrier. Please try again in ${wait}, or use another connection.`,
        seconds,
        'otp_network_full',
      );
    case 'all':
      return tooManyRequests(
        `Many people are asking for codes just now. Please try again in ${wait}.`,
        seconds,
        'otp_all_full',
      );
  }
}
