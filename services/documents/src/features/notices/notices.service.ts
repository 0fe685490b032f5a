/** When a party is written to. A message is queued in the transaction of what it tells and sent by the worker. */
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import type { Tx } from '@karaar/platform/db-kit';
import { tooManyRequests } from '@karaar/platform/errors';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { REMINDER_PAUSE_MS } from '../agreements/reminding.ts';
import {
  countSentBy,
  insertNotice,
  lastNotice,
  setWantsNotices,
  wantsNotices,
} from './notices.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
type Party = { documentId: string; userId: string; senderId: string };

/** Messages that one user causes by what anybody may do, any number of times. */
type Caused = 'invited' | 'admitted' | 'withdrawn';

/**
 * Queues the message of an invitation, of being admitted, or to the creator that a party has withdrawn. The same again
 * within a day, or to very many users, is possible but sends no message: a phone is not ours to flood.
 */
export async function queueNews(
  ctx: Pick<Context, 'config'>,
  tx: Tx<Database>,
  kind: Caused,
  party: Party & { language: NoticeLanguage | null },
): Promise<void> {
  const notice = { ...party, kind };
  const last = await lastNotice(tx, party.documentId, party.userId, kind);
  if (last && Date.now() - last.getTime() < DAY_MS) return insertNotice(tx, notice, `${kind} within a day`);
  const sent = await countSentBy(tx, party.senderId, new Date(Date.now() - DAY_MS));
  const tooMany = sent >= ctx.config.NOTICES_PER_SENDER_AND_DAY;
  return insertNotice(tx, notice, tooMany ? 'too many messages of one sender' : undefined);
}

/** Queues a reminder. Throws 429 within a day of the last one. */
export async function queueReminder(tx: Tx<Database>, party: Party & { name: string }): Promise<void> {
  const last = await lastNotice(tx, party.documentId, party.userId, 'reminder');
  const waitMs = last ? last.getTime() + REMINDER_PAUSE_MS - Date.now() : 0;
  if (waitMs > 0) {
    throw tooManyRequests(
      `${party.name} was reminded less than a day ago. You can remind again tomorrow.`,
      waitMs / 1_000,
    );
  }
  await insertNotice(tx, { ...party, kind: 'reminder', language: null });
}

export const getNoticeSettings = async (ctx: Context, caller: Pick<Caller, 'userId'>) => ({
  sms_notices: await wantsNotices(ctx.db, caller.userId),
});

export const changeNoticeSettings = (ctx: Context, caller: Pick<Caller, 'userId'>, smsNotices: boolean) =>
  setWantsNotices(ctx.db, caller.userId, smsNotices);
