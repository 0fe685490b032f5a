/**
 * Sends queued e-mails. Each is marked as `sending` before the server is called, so a crash does not lose it:
 * its lease expires and it is sent again with the same Message-ID, by which mailboxes drop the duplicate.
 * While the server is down, the worker retries a few rows at growing intervals, and the others wait in the
 * table.
 */
import { batched } from '@karaar/db/batching';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { forgetOlder } from '../inbox/inbox.repository.ts';
import { skipMember } from '../digests/digests.repository.ts';
import {
  claimDeliveries,
  endDeliveries,
  itemsOf,
  REFUSED,
  TOO_LATE_MS,
  type DeliveryEnd,
  type DeliveryRow,
  type Item,
} from '../deliveries/deliveries.repository.ts';
import { dueFrom, needlessBecause } from '../deliveries/still-due.ts';
import { mailOf } from './mail-of.ts';
import { MailError, type Mailer } from './mailer.ts';
import { readSealedFiles, type SealedFiles } from './sealed-files.ts';

export const LEASE_MS = 120_000;
const IDLE_MS = 2_000;
const SWEEP_MS = 60 * 60_000;
const FORGET_AT_ONCE = 1_000;
export const AT_ONCE = 10;
export const MAX_ATTEMPTS = 8;
/** Attempts to read a sealed document's files, for five minutes; then the e-mail has the link only. */
export const FILE_ATTEMPTS = 5;
const DAY_MS = 24 * 60 * 60_000;

export type MailContext = Context & { mailer: Mailer | undefined };
type End = (end: DeliveryEnd) => Promise<void>;

/** The server accepts nothing, so the worker pauses. The e-mail is not at fault. */
class ServerAway extends Error {}

/** Starts the worker: `wake` wakes it, and `stop` waits for the current batch. */
export function startMailWorker(ctx: MailContext): Worker {
  let sweptAt = 0;
  return startWorker({
    restMs: Math.min(IDLE_MS, ctx.config.MAIL_LONGEST_REST_MS),
    longestRestMs: ctx.config.MAIL_LONGEST_REST_MS,
    turn: async () => {
      if (Date.now() - sweptAt > SWEEP_MS) {
        const forgotten = await forgetOlder(ctx.db, daysAgo(ctx.config.NOTIFICATION_DAYS), FORGET_AT_ONCE);
        if (forgotten < FORGET_AT_ONCE) sweptAt = Date.now();
      }
      return (await sendDue(ctx)) >= AT_ONCE;
    },
    onError: (err) => ctx.logger.warn({ err }, 'e-mails cannot be sent'),
  });
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/**
 * Sends up to `AT_ONCE` due e-mails, and returns how many there were.
 * @throws ServerAway if the server accepts nothing; the e-mails tried are queued again
 */
export async function sendDue(ctx: MailContext): Promise<number> {
  const { mailer } = ctx;
  if (!mailer) return 0;
  const due = await claimDeliveries(ctx.db, 'email', AT_ONCE, LEASE_MS);
  if (due.length === 0) return 0;
  const items = await itemsOf(ctx.db, 'email', due);
  // Each result is stored at once; results of the same moment share a statement.
  const end = batched({
    run: async (ends: readonly { delivery: DeliveryRow; end: DeliveryEnd }[]) => {
      await endDeliveries(ctx.db, ends);
      return ends.map(() => undefined);
    },
    apartMs: 0,
  });
  const inTurn = oneByOne();
  const outcomes = await Promise.allSettled(
    due.map((delivery) => {
      const own = items.filter(({ mail_id }) => mail_id === delivery.id);
      const send = () => sendOne({ ...ctx, mailer }, delivery, own, (how) => end({ delivery, end: how }));
      return own.some(wantsFiles) ? inTurn(send) : send();
    }),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return due.length;
}

const wantsFiles = ({ kind, attach_sealed }: Item): boolean => kind === 'sealed' && attach_sealed;

/** Returns a function that runs works one after the other, so that only one e-mail's files are in memory. */
function oneByOne() {
  let last: Promise<unknown> = Promise.resolve();
  return (work: () => Promise<void>): Promise<void> => {
    const mine = last.then(work);
    // The caller gets the error; the next work runs anyway.
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function sendOne(
  ctx: Context & { mailer: Mailer },
  delivery: DeliveryRow,
  items: readonly Item[],
  end: End,
): Promise<void> {
  if (Date.now() - delivery.created_at.getTime() > TOO_LATE_MS)
    return end({ state: 'failed', reason: 'too late' });
  const [own, ...members] = items;
  if (!own) return end({ state: 'skipped', reason: 'no notification any more' });
  const needless = needlessBecause(own, 'email');
  for (const member of members) {
    const reason = needlessBecause(member, 'email');
    if (reason) await skipMember(ctx.db, member.delivery_id, reason);
  }
  const needed = items.filter((item) => !needlessBecause(item, 'email'));
  if (needless && needed.length === 0) return end({ state: 'skipped', reason: needless });
  const now = new Date();
  const until = dueFrom(now, own, 'email', ctx.config);
  if (until > now) return end({ untried: 'quiet hours', until });
  const files = wantsFiles(own) ? await filesOf(ctx, delivery, own) : undefined;
  if (files === 'later') return end({ retryInMs: 5_000 * 2 ** delivery.attempts, reason: 'no files yet' });
  const mail = await mailOf(ctx, delivery, needed, files).catch(async (error: unknown) => {
    await end({ untried: 'its reader could not be looked up' });
    throw error;
  });
  if (!mail) return end({ state: 'skipped', reason: 'no proved address' });
  try {
    await ctx.mailer.send(mail);
    const ofOwn = needless ? { state: 'skipped' as const, reason: needless } : undefined;
    await end({ state: 'sent', reason: null, own: ofOwn });
  } catch (error) {
    await recordFailure(ctx, delivery, error, end);
  }
}

/** Returns the files, or `later` to wait for them. */
async function filesOf(
  ctx: Context,
  { id: deliveryId, attempts }: DeliveryRow,
  { user_id: userId, document_id: documentId }: Item,
): Promise<SealedFiles | 'later' | undefined> {
  if (documentId === null) return undefined;
  try {
    return await readSealedFiles(ctx, { userId, documentId });
  } catch (err) {
    ctx.logger.warn({ err, deliveryId }, "a sealed document's files could not be read for an e-mail");
    return attempts < FILE_ATTEMPTS ? 'later' : 'unreadable';
  }
}

/** @throws ServerAway after it has queued the e-mail again */
async function recordFailure(ctx: Context, delivery: DeliveryRow, error: unknown, end: End): Promise<void> {
  if (!(error instanceof MailError)) throw error;
  const { outcome } = error;
  ctx.logger.warn({ err: error, deliveryId: delivery.id, outcome }, 'an e-mail was not sent');
  if (outcome === 'away') {
    await end({ untried: 'the server is away' });
    throw new ServerAway('The mail server is away', { cause: error });
  }
  if (outcome === 'refused') return end({ state: 'failed', reason: REFUSED });
  if (delivery.attempts >= MAX_ATTEMPTS)
    return end({ state: 'failed', reason: `the server's answer: ${outcome}` });
  const retryInMs = 30_000 * 2 ** delivery.attempts;
  await end({ retryInMs, reason: `the server's answer: ${outcome}` });
}
