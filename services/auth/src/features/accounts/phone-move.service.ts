/**
 * Changes the number of an account whose present number is lost. The waiting time is longer than any session,
 * and a message goes to the present number, the app and the e-mail address (design §3 Step-up).
 */
import { inTransaction, isUniqueViolation, type Tx } from '@karaar/db';
import { SmsError } from '@karaar/sms';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { normalizePhone } from '../otp/otp.ts';
import { redeemPhoneChangeOtp } from '../otp/otp.service.ts';
import { phoneMoveAsked } from '../otp/texts.ts';
import { phoneTaken, userNotFound } from './accounts.errors.ts';
import { findByPhone, lockById, type UserRow } from './accounts.repository.ts';
import { requireUser } from './accounts.service.ts';
import { announceChange, publishPhoneChange, takeNumber } from './phone.service.ts';
import { cancelMove, listDueMoves, setMove } from './phone-move.repository.ts';
import { confirmed } from './step-up.ts';

const HOUR_MS = 60 * 60_000;

/**
 * Starts the waiting time. A second request starts it again with the newer number.
 * @throws 400 for a wrong code; 409 if another account has the number; 429 after many requests; 503 while no
 * SMS can be sent to the present number; and as {@link confirmed} without the passkey's confirmation
 */
export async function askForMove(
  ctx: Context,
  userId: string,
  phone: string,
  { code, grant }: { code: string; grant: string | undefined },
): Promise<UserRow> {
  const to = normalizePhone(phone);
  const step = await confirmed(ctx, { userId, act: { action: 'change_phone', phone_no: to } }, grant);
  await redeemPhoneChangeOtp(ctx, userId, phone, code);
  await ctx.phoneMoves(userId);
  const holder = await findByPhone(ctx.db, to);
  if (holder && holder.id !== userId) throw phoneTaken();
  await notifyPresentNumber(ctx, await requireUser(ctx, userId));
  return inTransaction(ctx.db, async (tx) => {
    await step.spend(tx);
    const at = new Date(Date.now() + ctx.config.PHONE_MOVE_WAIT_HOURS * HOUR_MS);
    const user = await setMove(tx, userId, to, at);
    if (!user) throw userNotFound();
    await publishPhoneChange(ctx, tx, userId, 'move_asked');
    return user;
  });
}

/**
 * The waiting time must not start without a message to the present number: throws 503 if the message was
 * certainly not sent.
 */
async function notifyPresentNumber(ctx: Context, { phone_no, language }: UserRow): Promise<void> {
  try {
    await ctx.sms.send(phoneMoveAsked(phone_no, language ?? 'en', {}));
  } catch (error) {
    if (!(error instanceof SmsError && error.outcome === 'unknown')) throw error;
    ctx.logger.warn({ err: error }, 'it is not known whether the present number was told');
  }
}

/** Cancels a waiting number change, if there is one. */
export async function keepNumber(ctx: Context, userId: string): Promise<UserRow> {
  await cancelMove(ctx.db, userId);
  return requireUser(ctx, userId);
}

/**
 * Changes the numbers of accounts whose waiting time is over. A number that another account has by now is not
 * given.
 */
export async function performMoves(
  ctx: Pick<Context, 'db' | 'outbox' | 'redis' | 'sms' | 'logger'>,
): Promise<void> {
  for (const userId of await listDueMoves(ctx.db)) {
    try {
      const moved = await inTransaction(ctx.db, (tx) => performMove(ctx, tx, userId));
      if (moved) await announceChange(ctx, moved);
    } catch (error) {
      if (!isUniqueViolation(error, 'users_phone_no_key')) throw error;
      await cancelMove(ctx.db, userId);
      ctx.logger.warn('a number was not changed: another account has it');
    }
  }
}

/**
 * Returns the user before the change and the ended sessions; undefined if the change was cancelled or the
 * account is closed.
 */
async function performMove(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  userId: string,
): Promise<{ before: UserRow; ended: string[] } | undefined> {
  const before = await lockById(tx, userId);
  if (!before?.moving_to || !before.moves_at || before.moves_at > new Date()) return undefined;
  if (before.status !== 'active') {
    await cancelMove(tx, userId);
    return undefined;
  }
  const { ended } = await takeNumber(ctx, tx, { userId, to: before.moving_to });
  return { before, ended };
}
