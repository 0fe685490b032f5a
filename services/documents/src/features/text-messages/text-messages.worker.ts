/**
 * Sends queued text messages. A message is leased before the provider is called. If the worker crashes, the
 * lease ends, and the next worker first asks the provider whether it has the message: none is lost or sent
 * twice.
 */
import type { PartyState } from '@karaar/contracts/documents/http';
import { inTransaction } from '@karaar/db';
import { SmsError } from '@karaar/sms';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { TextMessageKind } from '../../db/schema.ts';
import { forgetOldKeys } from '../idempotency/idempotency.repository.ts';
import {
  claimTextMessages,
  endTextMessage,
  factsOf,
  queueStartReminders,
  wantsTextMessages,
  type TextMessageFacts,
  type TextMessageRow,
  noteMessage,
} from './text-messages.repository.ts';
import { smsReports } from './sms-status.service.ts';
import { writeTextMessage } from './text-messages.texts.ts';
import { inIndia, isWritingHour } from './writing-hours.ts';

const LEASE_MS = 60_000;
const IDLE_MS = 2_000;
const SWEEP_MS = 60_000;
const AT_ONCE = 5;
const MAX_ATTEMPTS = 8;
const DEFAULT_LANGUAGE = 'en';

/** Starts one worker loop. `wake` ends its sleep; `stop` ends it after the running work. */
export function startTextMessagesWorker(ctx: Context): Worker {
  let sweptAt = 0;
  return startWorker({
    restMs: IDLE_MS,
    turn: async () => {
      if (Date.now() - sweptAt > SWEEP_MS) {
        sweptAt = Date.now();
        await sweep(ctx, new Date());
      }
      return (await sendDue(ctx)) >= AT_ONCE;
    },
    onError: (err) => ctx.logger.warn({ err }, 'text messages cannot be read'),
  });
}

type SweepContext = Pick<Context, 'db'> & { config: Pick<Config, 'REMINDER_DAYS_BEFORE_START'> };

/** Queues due reminders, by the calendar of India, and deletes old idempotency keys. */
export async function sweep({ db, config }: SweepContext, now: Date): Promise<void> {
  await forgetOldKeys(db);
  if (!isWritingHour(now)) return;
  const { today } = inIndia(now);
  const before = config.REMINDER_DAYS_BEFORE_START;
  for (const days of before)
    await queueStartReminders(db, today, { days, gently: days === Math.min(...before) });
}

/** Sends a few due messages; returns how many were due. */
export async function sendDue(ctx: Context): Promise<number> {
  const due = await claimTextMessages(ctx.db, AT_ONCE, LEASE_MS);
  await Promise.all(due.map((row) => sendOne(ctx, row)));
  return due.length;
}

async function sendOne(ctx: Context, row: TextMessageRow & { taken: boolean }): Promise<void> {
  try {
    const facts = await factsOf(ctx.db, row);
    const reason = facts ? settled(row.kind, facts) : 'no party any more';
    const user = await ctx.directory.findById(row.user_id);
    const sender = await ctx.directory.findById(row.sender_id);
    const unwanted = !user?.is_active || !(await wantsTextMessages(ctx.db, row.user_id));
    if (!facts || reason || unwanted) {
      return await endTextMessage(ctx.db, row, { state: 'skipped', reason: reason ?? 'switched off' });
    }
    if (!(await hasRoom(ctx, row)))
      return await endTextMessage(ctx.db, row, {
        state: 'skipped',
        reason: 'too many texts to one receiver',
      });
    const language = row.language ?? facts.notice_language ?? user.language ?? DEFAULT_LANGUAGE;
    const text = writeTextMessage(user.phone_no, row.kind, language, {
      sender: sender?.char_id ?? '',
      day: facts.start_date?.split('-').reverse().join('/') ?? '',
      link: `${ctx.config.PUBLIC_URL.replace(/\/$/, '')}/document/${row.document_id}`,
    });
    const message = { ...text, statusUrl: smsReports.statusUrlOf(ctx.config, row.id) };
    const found = row.taken ? await ctx.sms.find(message, row.created_at) : 'not-taken';
    if (found === 'not-taken') await ctx.sms.send(message);
    // If the provider cannot answer, do not send again: a missing message is better than a duplicate.
    await endTextMessage(ctx.db, row, {
      state: 'sent',
      reason: found === 'unknown' ? 'not confirmed' : null,
    });
  } catch (error) {
    await recordFailure(ctx, row, error);
  }
}

/**
 * Counts the text and returns true if the receiver may get it today. A refusal is not shown to the sender,
 * because it would reveal how many texts others send to this person; the receiver finds the notification in
 * the app. A retry is not counted again.
 */
async function hasRoom(ctx: Context, { user_id, attempts }: TextMessageRow): Promise<boolean> {
  if (attempts > 1) return true;
  const most = ctx.config.TEXTS_PER_RECEIVER_AND_DAY;
  return inTransaction(ctx.db, (tx) => noteMessage(tx, `texts to ${user_id}`, most));
}

function settled(kind: TextMessageKind, facts: TextMessageFacts): string | undefined {
  // A withdrawal stays true when the document changes.
  if (kind === 'withdrawn') return undefined;
  if (facts.status !== 'pending' && facts.status !== 'pending_approval') return `document is ${facts.status}`;
  const { approved, state } = facts;
  return approved || !AWAITED.includes(state) ? 'answered' : undefined;
}

const AWAITED: readonly PartyState[] = ['primary', 'invited', 'admitted'];

/** Retries a message only if it was certainly not sent; any other one could arrive twice. */
async function recordFailure(ctx: Context, row: TextMessageRow, error: unknown): Promise<void> {
  const outcome = error instanceof SmsError ? error.outcome : 'not-sent';
  ctx.logger.warn({ err: error, textMessageId: row.id, outcome }, 'a text message was not sent');
  try {
    // For an unknown outcome the lease ends, and then the worker asks the provider.
    if (outcome === 'unknown' && row.attempts < MAX_ATTEMPTS) return;
    if (outcome === 'not-sent' && row.attempts < MAX_ATTEMPTS) {
      const retryInMs = 5_000 * 2 ** row.attempts;
      return await endTextMessage(ctx.db, row, { retryInMs, reason: 'the provider did not take it' });
    }
    await endTextMessage(ctx.db, row, { state: 'failed', reason: `the provider's answer: ${outcome}` });
  } catch (failure) {
    // The lease ends by itself, and a worker tries the message again.
    ctx.logger.warn({ err: failure, textMessageId: row.id }, 'the end of a text message was not recorded');
  }
}
