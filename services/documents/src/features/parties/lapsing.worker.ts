/**
 * Cancels documents after the answer-by date of a person who has not answered, if their creators chose that
 * (docs/adr/0083). It runs in the daytime in India, so on the morning after the date.
 */
import { AppError } from '@karaar/base/errors';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { partyName } from '../agreements/agreement-records.repository.ts';
import { cancelInvitations } from '../agreements/open-invitations.ts';
import { chargeTaken } from '../agreements/rules/agreement.errors.ts';
import { lapse, notAnsweredLine } from '../agreements/rules/answer-by.ts';
import { inIndia, isWritingHour } from '../text-messages/writing-hours.ts';
import { findLate, type Late } from './lapsing.repository.ts';
import { changeWithChargeStopped } from './stopped-charge.ts';

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 100;

export const startLapsingWorker = (ctx: Context): Worker =>
  startWorker({
    restMs: EVERY_MS,
    turn: async () => {
      await cancelLate(ctx, new Date());
      return false;
    },
    onError: (err) => ctx.logger.warn({ err }, 'documents with missing answers cannot be read'),
  });

/** Cancels all documents that are due, in the daytime in India. Returns the number cancelled. */
export async function cancelLate(ctx: Context, now: Date): Promise<number> {
  if (!isWritingHour(now)) return 0;
  const { today } = inIndia(now);
  let [cancelled, after]: [number, string | null] = [0, null];
  for (;;) {
    const due: Late[] = await findLate(ctx.db, today, { after, limit: AT_ONCE });
    for (const late of due) if (await cancelOne(ctx, late, today)) cancelled += 1;
    after = due.at(-1)?.document_id ?? null;
    if (due.length < AT_ONCE) return cancelled;
  }
}

async function cancelOne(ctx: Context, due: Late, today: string): Promise<boolean> {
  const { document_id: id, primary_user, user_id: userId } = due;
  let isCancelled = false;
  try {
    await changeWithChargeStopped(ctx, primary_user, id, {
      actor: { actorId: null, ...(userId === null ? {} : { subjectId: userId }) },
      rule: lapse,
      refuse: chargeTaken,
      steps: async (change, cancelled, record) => {
        // The answer may have come, or the creator may have changed the date, since the list was read.
        const [late] = await findLate(change.tx, today, { only: id });
        if (late?.user_id !== userId) return;
        const name = userId === null ? null : partyName(record, userId);
        await cancelInvitations(change.tx, id);
        const detail = notAnsweredLine(name, late.answer_by);
        await change.save(cancelled, { type: 'document.lapsed', detail });
        isCancelled = true;
      },
    });
  } catch (error) {
    // A share is paid, or payments is down: the document stays, and the next turn tries again.
    if (!(error instanceof AppError)) throw error;
    ctx.logger.info({ documentId: id, code: error.code }, 'a document was not cancelled after its date');
  }
  return isCancelled;
}
