/**
 * Sends what is queued. A message is marked as under way before its provider is asked, so that a crash neither
 * loses it (its lease ends) nor doubles it (the provider is asked first whether it has taken it).
 */
import { SmsError } from '@karaar/platform/sms';
import { startWorker, type Worker } from '@karaar/platform/worker';
import type { Context } from '../../context.ts';
import type { NoticeKind } from '../../db/schema.ts';
import type { PartyState } from '../agreements/agreement.ts';
import { forgetOldKeys } from '../idempotency/idempotency.repository.ts';
import {
  claimNotices,
  endNotice,
  factsOf,
  queueStartReminders,
  wantsNotices,
  type NoticeFacts,
  type NoticeRow,
} from './notices.repository.ts';
import { noticeMessage } from './notices.texts.ts';

const LEASE_MS = 60_000;
const IDLE_MS = 2_000;
const SWEEP_MS = 60_000;
const AT_ONCE = 5;
const MAX_ATTEMPTS = 8;
const DEFAULT_LANGUAGE = 'en';
/** Nobody is written to at night. */
const HOURS = { from: 9, until: 20 };

/** Starts one worker loop; `poke` wakes it up, `stop` ends it after what is under way. */
export function startNoticesWorker(ctx: Context): Worker {
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
    onError: (err) => ctx.logger.warn({ err }, 'notices cannot be read'),
  });
}

/** Queues what is due by the calendar of India, and forgets old idempotency keys. */
export async function sweep(ctx: Pick<Context, 'db' | 'config'>, now: Date): Promise<void> {
  await forgetOldKeys(ctx.db);
  const { today, hour } = inIndia(now);
  if (hour < HOURS.from || hour >= HOURS.until) return;
  for (const days of ctx.config.NOTICE_DAYS_BEFORE_START) await queueStartReminders(ctx.db, today, days);
}

/** Sends up to a few due messages; answers how many there were. */
export async function sendDue(ctx: Context): Promise<number> {
  const due = await claimNotices(ctx.db, AT_ONCE, LEASE_MS);
  await Promise.all(due.map((notice) => sendOne(ctx, notice)));
  return due.length;
}

async function sendOne(ctx: Context, notice: NoticeRow & { taken: boolean }): Promise<void> {
  try {
    const facts = await factsOf(ctx.db, notice);
    const reason = facts ? settled(notice.kind, facts) : 'no party any more';
    const user = await ctx.directory.findById(notice.user_id);
    const sender = await ctx.directory.findById(notice.sender_id);
    const unwanted = !user?.is_active || !(await wantsNotices(ctx.db, notice.user_id));
    if (!facts || reason || unwanted) {
      return await endNotice(ctx.db, notice, { state: 'skipped', reason: reason ?? 'switched off' });
    }
    const language = notice.language ?? facts.notice_language ?? user.language ?? DEFAULT_LANGUAGE;
    const message = noticeMessage(user.phone_no, notice.kind, language, {
      sender: sender?.char_id ?? '',
      day: facts.start_date?.split('-').reverse().join('.') ?? '',
      link: `${ctx.config.PUBLIC_URL.replace(/\/$/, '')}/document/${notice.document_id}`,
    });
    const fate = notice.taken ? await ctx.sms.find(message, notice.created_at) : 'not-taken';
    if (fate === 'not-taken') await ctx.sms.send(message);
    // A provider that cannot be asked: rather one text too few than two of the same.
    await endNotice(ctx.db, notice, { state: 'sent', reason: fate === 'unknown' ? 'not confirmed' : null });
  } catch (error) {
    await recordFailure(ctx, notice, error);
  }
}

/** Why a message is not needed any more. */
function settled(kind: NoticeKind, facts: NoticeFacts): string | undefined {
  // It stays true when the document has gone on.
  if (kind === 'withdrawn') return undefined;
  if (facts.status !== 'pending' && facts.status !== 'pending_approval') return `document is ${facts.status}`;
  const { approved, state } = facts;
  return approved || !AWAITED.includes(state) ? 'answered' : undefined;
}

const AWAITED: readonly PartyState[] = ['primary', 'invited', 'admitted'];

/** What certainly did not go out is tried again; of anything else a second text could be a double one. */
async function recordFailure(ctx: Context, notice: NoticeRow, error: unknown): Promise<void> {
  const outcome = error instanceof SmsError ? error.outcome : 'not-sent';
  ctx.logger.warn({ err: error, noticeId: notice.id, outcome }, 'a notice was not sent');
  try {
    // The lease of an unknown one ends, and then the provider is asked what became of it.
    if (outcome === 'unknown' && notice.attempts < MAX_ATTEMPTS) return;
    if (outcome === 'not-sent' && notice.attempts < MAX_ATTEMPTS) {
      const retryInMs = 5_000 * 2 ** notice.attempts;
      return await endNotice(ctx.db, notice, { retryInMs, reason: 'the provider did not take it' });
    }
    await endNotice(ctx.db, notice, { state: 'failed', reason: `the provider's answer: ${outcome}` });
  } catch (failure) {
    // The lease ends by itself and the notice is looked at again.
    ctx.logger.warn({ err: failure, noticeId: notice.id }, 'the end of a notice was not recorded');
  }
}

function inIndia(now: Date): { today: string; hour: number } {
  const parts = new Date(now.getTime() + 5.5 * 60 * 60 * 1_000).toISOString();
  return { today: parts.slice(0, 10), hour: Number(parts.slice(11, 13)) };
}
