/**
 * Sends queued SMS. Each is marked as `sending` before the provider is called. If the worker dies, the lease
 * expires, and the next one first asks the provider whether it has the SMS: none is lost or sent twice. While the
 * provider is down, the worker retries a few rows at growing intervals, and the others wait in the table.
 */
import { SmsError, type TextMessage } from '@karaar/sms';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import {
  claimDeliveries,
  endDeliveries,
  itemsOf,
  REFUSED,
  TOO_LATE_MS,
  UNCONFIRMED,
  type ClaimedRow,
  type DeliveryEnd,
  type Item,
} from '../deliveries/deliveries.repository.ts';
import { pathOf } from '../deliveries/path-of.ts';
import { dueFrom, needlessBecause, URGENT } from '../deliveries/still-due.ts';
import { countSms, wasAsked } from './sms.repository.ts';
import { statusUrlOf } from './sms-status.service.ts';
import { writeSms } from './sms-texts.ts';

export const LEASE_MS = 60_000;
const IDLE_MS = 2_000;
const LONGEST_REST_MS = 60_000;
export const AT_ONCE = 5;
const MAX_ATTEMPTS = 8;

/** Starts the worker: `wake` wakes it, and `stop` waits for the current batch. */
export const startSmsWorker = (ctx: Context): Worker =>
  startWorker({
    restMs: IDLE_MS,
    longestRestMs: LONGEST_REST_MS,
    turn: async () => (await sendDueSms(ctx)) >= AT_ONCE,
    onError: (err) => ctx.logger.warn({ err }, 'SMS cannot be sent'),
  });

/**
 * Sends up to `AT_ONCE` due SMS, and returns how many there were.
 * @throws an error if the provider or the auth service did not answer; the SMS are tried again
 */
export async function sendDueSms(ctx: Context): Promise<number> {
  const due = await claimDeliveries(ctx.db, 'sms', AT_ONCE, LEASE_MS);
  if (due.length === 0) return 0;
  const items = await itemsOf(ctx.db, 'sms', due);
  const outcomes = await Promise.allSettled(
    due.map((row) =>
      sendOne(
        ctx,
        row,
        items.find(({ mail_id }) => mail_id === row.id),
      ),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return due.length;
}

async function sendOne(ctx: Context, row: ClaimedRow, item: Item | undefined): Promise<void> {
  const end = (how: DeliveryEnd) => endDeliveries(ctx.db, [{ delivery: row, end: how }]);
  if (!item) return end({ state: 'skipped', reason: 'no notification any more' });
  let how: DeliveryEnd;
  try {
    how = await outcomeOf(ctx, row, item);
  } catch (error) {
    if (!(error instanceof SmsError) || error.outcome === 'not-sent') {
      // An earlier attempt may have sent the SMS, so the lease expires and the provider is asked again.
      if (!row.taken) await end({ untried: 'the provider or the reader could not be reached' });
      throw error;
    }
    ctx.logger.warn({ err: error, deliveryId: row.id, outcome: error.outcome }, 'an SMS was not sent');
    if (error.outcome === 'refused') return end({ state: 'failed', reason: REFUSED });
    if (row.attempts >= MAX_ATTEMPTS) return end({ state: 'sent', reason: UNCONFIRMED });
    // With an unknown outcome, the lease expires and the provider is asked.
    return;
  }
  // Outside of the `try`: an SMS that was sent must not be queued again if the database fails.
  await end(how);
}

/** @throws SmsError if the provider did not take the SMS, another error if it or the auth service is down */
async function outcomeOf(ctx: Context, row: ClaimedRow, item: Item): Promise<DeliveryEnd> {
  const text = await textOf(ctx, item);
  if (!text) return { state: 'skipped', reason: 'no active account' };
  const now = new Date();
  const isLate = now.getTime() - row.created_at.getTime() > TOO_LATE_MS;
  if (row.taken) {
    const found = row.report ? 'taken' : isLate ? 'unknown' : await findSms(ctx, row, text);
    // If the provider cannot tell, do not send again: a missing SMS is better than a duplicate.
    if (found !== 'not-taken') return { state: 'sent', reason: found === 'unknown' ? UNCONFIRMED : null };
  }
  if (isLate) return { state: 'failed', reason: 'too late' };
  const needless = needlessBecause(item, 'sms');
  if (needless) return { state: 'skipped', reason: needless };
  if (item.kind === 'your_turn' && (await wasAsked(ctx.db, item)))
    return { state: 'skipped', reason: 'asked within a day' };
  const until = dueFrom(now, item, 'sms', ctx.config);
  if (until > now) return { untried: 'quiet hours', until };
  const isLimited = !URGENT.has(item.kind);
  if (isLimited && !(await countSms(ctx.db, row, item.user_id, ctx.config.TEXTS_PER_RECEIVER_AND_DAY)))
    return { state: 'skipped', reason: 'too many SMS to one receiver' };
  await ctx.sms.send({ ...text, statusUrl: statusUrlOf(ctx.config, row.id) });
  return { state: 'sent', reason: null };
}

/** Returns whether the provider has an SMS. Throws if it does not answer; that does not end the SMS. */
const findSms = (ctx: Context, row: ClaimedRow, text: TextMessage) =>
  ctx.sms.find(text, row.created_at).catch((error: unknown) => {
    throw new Error('The provider did not say whether it has an SMS', { cause: error });
  });

async function textOf(ctx: Context, item: Item): Promise<TextMessage | undefined> {
  const user = await ctx.directory.refresh(item.user_id);
  if (!user?.is_active) return undefined;
  return writeSms(user.phone_no, user.language ?? 'en', {
    kind: item.kind,
    amountPaise: Number(item.amount_paise ?? 0),
    link: ctx.config.PUBLIC_URL.replace(/\/$/, '') + pathOf(item.kind, item.document_id),
  });
}
