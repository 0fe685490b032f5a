import { authEvents } from '@karaar/contracts/auth/events';
import type { EventData } from '@karaar/contracts/kit';
import { inTransaction, isUniqueViolation, uuidv7, type Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { forgetBrowsers } from '../otp/known-browsers.repository.ts';
import { normalizePhone } from '../otp/otp.ts';
import { redeemPhoneChangeOtp } from '../otp/otp.service.ts';
import { phoneChanged } from '../otp/texts.ts';
import { revokeSessions } from '../sessions/sessions.repository.ts';
import type { Origin } from '../sessions/device.ts';
import { announceEnd, openSession } from '../sessions/sessions.service.ts';
import { deactivated, phoneTaken, userNotFound } from './accounts.errors.ts';
import { lockById, updateUser, type UserRow } from './accounts.repository.ts';
import { announceUpdate } from './accounts.service.ts';
import { confirmedByOwner, type Caller } from './own-number.service.ts';
import { lockByProvedPhone } from './phone-move.repository.ts';

/**
 * Changes the number, ends all other sessions, and sends an SMS to the old number in case another person made
 * the change.
 * @throws 400 for a wrong code; 409 if another account has the number, but only after the right code, so that
 * only the number's holder learns it; and as {@link confirmedByOwner}
 */
export async function changePhone(
  ctx: Context,
  caller: Caller,
  phone: string,
  { code, grant }: { code: string; grant: string | undefined },
): Promise<UserRow> {
  const { userId, sessionId } = caller;
  const to = normalizePhone(phone);
  // Checked before the code is used up.
  const step = await confirmedByOwner(ctx, caller, { action: 'change_phone', phone_no: to }, grant);
  await redeemPhoneChangeOtp(ctx, userId, phone, code);
  try {
    const { before, user, ended } = await inTransaction(ctx.db, async (tx) => {
      // Locks the account before its sessions, as every act that locks both does.
      const old = await lockById(tx, userId);
      if (!old) throw userNotFound();
      await step.spend(tx);
      if (old.phone_no === to) return { before: old, user: old, ended: [] };
      return { before: old, ...(await takeNumber(ctx, tx, { userId, to, except: sessionId })) };
    });
    if (before.phone_no !== to) await announceChange(ctx, { before, ended });
    return user;
  } catch (error) {
    if (isUniqueViolation(error, 'users_phone_no_key')) throw phoneTaken();
    throw error;
  }
}

/**
 * Gives an account another number and ends its sessions except one, in the transaction that locks its row.
 * @returns the user with the new number, and the ended sessions to announce
 * @throws the unique violation if another account has the number
 */
export async function takeNumber(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  { userId, to, except }: { userId: string; to: string; except?: string },
): Promise<{ user: UserRow; ended: string[] }> {
  const user = await updateUser(tx, userId, { phone_no: to, moving_to: null, moves_at: null });
  if (!user) throw userNotFound();
  // Browsers are remembered for the old number.
  await forgetBrowsers(tx, userId);
  await announceUpdate(ctx, tx, user);
  await publishPhoneChange(ctx, tx, userId, 'changed');
  return { user, ended: await revokeSessions(tx, userId, except === undefined ? {} : { except }) };
}

/** Publishes the event from which Notifications informs the owner in the app and by e-mail. */
export const publishPhoneChange = (
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  userId: string,
  action: EventData<typeof authEvents.phoneChanged>['action'],
): Promise<string> =>
  ctx.outbox.add(tx, authEvents.phoneChanged, {
    aggregateId: uuidv7(),
    aggregateVersion: 1,
    data: { user_id: userId, action },
  });

/**
 * Runs after the commit: ends the sessions in every service and sends an SMS to the old number. A failure
 * does not undo the change.
 */
export async function announceChange(
  ctx: Pick<Context, 'redis' | 'sms' | 'logger'>,
  { before, ended }: { before: UserRow; ended: readonly string[] },
): Promise<void> {
  const announced = announceEnd(ctx, ended).catch((err: unknown) =>
    ctx.logger.error({ err }, 'ended sessions are announced again by the housekeeping'),
  );
  await Promise.all([announced, warnOldNumber(ctx, before)]);
}

async function warnOldNumber(
  ctx: Pick<Context, 'sms' | 'logger'>,
  { phone_no, language }: UserRow,
): Promise<void> {
  try {
    await ctx.sms.send(phoneChanged(phone_no, language ?? 'en', {}));
  } catch (error) {
    ctx.logger.warn({ err: error }, 'the old number could not be told of the change');
  }
}

/** Opens a session for the account whose number has just been proved. */
export async function openByPhone(ctx: Context, phone: string, origin: Origin) {
  const { token, subject } = await openSession(ctx, origin, async (tx) => {
    const user = await lockByProvedPhone(tx, phone);
    if (user?.status !== 'active') throw deactivated();
    return { id: user.id, audience: 'user' as const, charId: user.char_id };
  });
  return { access_token: token, token_type: 'bearer', user_id: subject.id, char_id: subject.charId };
}
