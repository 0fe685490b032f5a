/**
 * Reminds parties automatically: two days before the answer-by date and on it (docs/adr/0083), or without a
 * date some days after the invitation or admission. The contact of an open invitation is not reminded: only
 * the creator can have another message sent.
 */
import { inTransaction } from '@karaar/db';
import { AppError } from '@karaar/base/errors';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { findParty, requireReminding } from '../agreements/rules/agreement.ts';
import { lockAgreement, remindersOf } from '../agreements/agreements.repository.ts';
import { wasReminded } from '../text-messages/text-messages.service.ts';
import { inIndia, isWritingHour } from '../text-messages/writing-hours.ts';
import { publishReminder } from './parties.service.ts';
import { askedToAnswer, queueOnce, waitingSince, type Waiting } from './rhythm.repository.ts';

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 100;

type RhythmContext = Pick<Context, 'config' | 'db' | 'directory' | 'outbox' | 'textMessages' | 'logger'>;

export const startRhythmWorker = (ctx: RhythmContext): Worker =>
  startWorker({
    restMs: EVERY_MS,
    turn: async () => {
      const now = new Date();
      const [byDate, byRhythm] = [await remindByDate(ctx, now), await remindByRhythm(ctx, now)];
      return byDate >= AT_ONCE || byRhythm >= AT_ONCE;
    },
    onError: (err) => ctx.logger.warn({ err }, 'reminders that are due cannot be read'),
  });

/** Reminds parties some days after their invitation, in the daytime in India. Returns the number found. */
export async function remindByRhythm(ctx: RhythmContext, now: Date): Promise<number> {
  if (!isWritingHour(now)) return 0;
  return remindAll(ctx, await waitingSince(ctx.db, ctx.config.REMINDER_DAYS_AFTER_INVITATION, AT_ONCE));
}

/** Reminds parties whose answer-by date is near, in the daytime in India. Returns the number found. */
export async function remindByDate(ctx: RhythmContext, now: Date): Promise<number> {
  if (!isWritingHour(now)) return 0;
  return remindAll(ctx, await askedToAnswer(ctx.db, inIndia(now).today, AT_ONCE));
}

async function remindAll(ctx: RhythmContext, due: readonly Waiting[]): Promise<number> {
  for (const waiting of due) await remindOne(ctx, waiting);
  if (due.length > 0) {
    ctx.outbox.wake();
    ctx.textMessages.wake();
  }
  return due.length;
}

async function remindOne(ctx: RhythmContext, waiting: Waiting): Promise<void> {
  const { document_id: id, user_id: userId, primary_user: primaryUser } = waiting;
  const name = (await ctx.directory.findById(userId))?.name ?? 'Unknown User';
  await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id);
    if (!locked || !isAwaited(() => requireReminding(locked.agreement, primaryUser, userId))) return;
    // The creator may have changed the date or the rhythm, or reminded by hand, since the list was read.
    if ((findParty(locked.agreement, userId)?.answerBy ?? null) !== waiting.answer_by) return;
    if ((await remindersOf(tx, id)) === 'off') return;
    if (await wasReminded(tx, id, userId)) return;
    if (!(await queueOnce(tx, waiting))) return;
    await publishReminder(ctx, tx, {
      agreement: locked.agreement,
      userId,
      detail: `Karaar reminded ${name}`,
      actorId: null,
      origin: undefined,
    });
  });
}

/** Returns false if the rules no longer allow the reminder, for example after an answer. */
function isAwaited(rule: () => unknown): boolean {
  try {
    rule();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
