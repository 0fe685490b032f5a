/** Decides when a party gets a text message. It is queued in the transaction of the change and sent by the worker. */
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import type { Tx } from '@karaar/db';
import { tooManyRequests } from '@karaar/base/errors';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { REMINDER_PAUSE_MS } from '../agreements/rules/reminding.ts';
import {
  countSentBy,
  insertTextMessage,
  lastReminder,
  lastTextMessage,
  setWantsTextMessages,
  wantsTextMessages,
} from './text-messages.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
type Party = { documentId: string; userId: string; senderId: string };

/** Messages that a user can cause any number of times, so they are limited. */
type Caused = 'invited' | 'admitted' | 'withdrawn';

/**
 * Queues the message about an invitation, an admission or (to the creator) a withdrawal. To protect phones
 * from floods, repeating the act within a day or for very many users sends no further message.
 */
export async function queueNews(
  ctx: Pick<Context, 'config'>,
  tx: Tx<Database>,
  kind: Caused,
  party: Party & { language: NoticeLanguage | null },
): Promise<void> {
  const message = { ...party, kind };
  const last = await lastTextMessage(tx, party.documentId, party.userId, kind);
  if (last && Date.now() - last.getTime() < DAY_MS)
    return insertTextMessage(tx, message, `${kind} within a day`);
  const sent = await countSentBy(tx, party.senderId, new Date(Date.now() - DAY_MS));
  const tooMany = sent >= ctx.config.TEXT_MESSAGES_PER_SENDER_AND_DAY;
  return insertTextMessage(tx, message, tooMany ? 'too many messages of one sender' : undefined);
}

/** Returns true if the party got a reminder within a day, automatic or by hand. */
export const wasReminded = async (tx: Tx<Database>, documentId: string, userId: string): Promise<boolean> =>
  (await reminderPauseMs(tx, documentId, userId)) > 0;

async function reminderPauseMs(tx: Tx<Database>, documentId: string, userId: string): Promise<number> {
  const last = await lastReminder(tx, documentId, userId);
  return last ? last.getTime() + REMINDER_PAUSE_MS - Date.now() : 0;
}

/** Queues a reminder. Throws 429 within a day of the last one. */
export async function queueReminder(tx: Tx<Database>, party: Party & { name: string }): Promise<void> {
  const waitMs = await reminderPauseMs(tx, party.documentId, party.userId);
  if (waitMs > 0) {
    throw tooManyRequests(
      `${party.name} was reminded less than a day ago. You can remind again tomorrow.`,
      waitMs / 1_000,
    );
  }
  await insertTextMessage(tx, { ...party, kind: 'reminder', language: null });
}

export const getTextMessageSettings = async (ctx: Context, caller: Pick<Caller, 'userId'>) => ({
  sms_notices: await wantsTextMessages(ctx.db, caller.userId),
});

export const changeTextMessageSettings = (
  ctx: Context,
  caller: Pick<Caller, 'userId'>,
  smsNotices: boolean,
) => setWantsTextMessages(ctx.db, caller.userId, smsNotices);
