/**
 * Sends the queued messages of a channel. Each is marked as `sending` before its server is called. If the worker
 * dies, the lease expires, and the next one finishes the message. While the server is down, the worker retries a
 * few rows at growing intervals, and the others wait in the table.
 */
import { startWorker, type Worker } from '@karaar/base/worker';
import { batched } from '@karaar/db/batching';
import type { Context } from '../../context.ts';
import { skipMember } from '../digests/digests.repository.ts';
import {
  claimDeliveries,
  endDeliveries,
  itemsOf,
  REFUSED,
  TOO_LATE_MS,
  UNCONFIRMED,
  type Channel,
  type ClaimedRow,
  type DeliveryEnd,
  type DeliveryRow,
  type Item,
} from './deliveries.repository.ts';
import { dueFrom, needlessBecause } from './still-due.ts';

export const LEASE_MS = 120_000;
const IDLE_MS = 2_000;
export const AT_ONCE = 10;
export const MAX_ATTEMPTS = 8;

/**
 * `refused`: permanently. `later`: this message, for now. `away`: the server accepts nothing for now.
 * `unknown`: the message may have been sent.
 */
export type Failure = 'refused' | 'later' | 'away' | 'unknown';

/** The notifications of a message: at least one, its own first. */
export type Items = readonly [Item, ...Item[]];

export type DeliveryChannel = {
  name: Channel;
  longestRestMs: number;
  /** Returns how to send a message, or why it ends unsent. Throws if another service is down. */
  prepare: (row: DeliveryRow, items: Items) => Promise<DeliveryEnd | (() => Promise<void>)>;
  /** Returns what an error of sending means for the message; undefined for any other error. */
  failureOf: (error: unknown) => Failure | undefined;
  /**
   * Returns whether an earlier attempt has sent a message; `unknown` if the provider cannot tell. Throws if it
   * does not answer. A channel whose receivers drop duplicates has none, and sends the message again.
   */
  find?: (row: DeliveryRow, item: Item) => Promise<'taken' | 'not-taken' | 'unknown'>;
  /** True for messages of which only one at a time may be in memory. */
  isLarge?: (item: Item) => boolean;
};

type Sending = Pick<Context, 'db' | 'config' | 'logger'>;
type End = (end: DeliveryEnd) => Promise<void>;

/** The server accepts nothing, so the worker pauses. The message is not at fault. */
class ServerAway extends Error {}

/** Starts the worker of a channel: `wake` wakes it, and `stop` waits for the current batch. */
export const startDeliveryWorker = (ctx: Sending, channel: DeliveryChannel): Worker =>
  startWorker({
    restMs: Math.min(IDLE_MS, channel.longestRestMs),
    longestRestMs: channel.longestRestMs,
    turn: async () => (await sendDue(ctx, channel)) >= AT_ONCE,
    onError: (err) => ctx.logger.warn({ err, channel: channel.name }, 'messages cannot be sent'),
  });

/**
 * Sends up to `AT_ONCE` due messages, and returns how many there were.
 * @throws an error if the server or another service is down; the messages are tried again
 */
export async function sendDue(ctx: Sending, channel: DeliveryChannel): Promise<number> {
  const claimed = Date.now();
  const due = await claimDeliveries(ctx.db, channel.name, AT_ONCE, LEASE_MS);
  if (due.length === 0) return 0;
  const isHeld = () => Date.now() - claimed < LEASE_MS / 2;
  const items = await itemsOf(ctx.db, channel.name, due);
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
    due.map((row) => {
      const [own, ...members] = items.filter(({ mail_id }) => mail_id === row.id);
      const endRow: End = (how) => end({ delivery: row, end: how });
      if (!own) return endRow({ state: 'skipped', reason: 'no notification any more' });
      const send = () => sendOne(ctx, channel, row, [own, ...members], { end: endRow, isHeld });
      return channel.isLarge?.(own) ? inTurn(send) : send();
    }),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return due.length;
}

/** Returns a function that runs works one after the other. */
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
  ctx: Sending,
  channel: DeliveryChannel,
  row: ClaimedRow,
  items: Items,
  { end, isHeld }: { end: End; isHeld: () => boolean },
): Promise<void> {
  // An earlier attempt may have sent the message, so the lease expires and the provider is asked again.
  const untry: End = (how) => (row.taken && channel.find ? Promise.resolve() : end(how));
  const next = await nextOf(ctx, channel, row, items).catch(async (error: unknown) => {
    await untry({ untried: 'another service could not be reached' });
    throw error;
  });
  if (typeof next !== 'function') return end(next);
  // After a pause of this process, another worker may hold the message.
  if (!isHeld()) return;
  try {
    await next();
  } catch (error) {
    return recordFailure(ctx, channel, row, error, { end, untry });
  }
  // Outside of the `try`: a message that was sent must not be queued again if the database fails.
  const needless = needlessBecause(items[0], channel.name);
  await end({
    state: 'sent',
    reason: null,
    own: needless === undefined ? undefined : { state: 'skipped', reason: needless },
  });
}

/** Returns how to send a message, or how it ends without. */
async function nextOf(
  ctx: Sending,
  channel: DeliveryChannel,
  row: ClaimedRow,
  items: Items,
): ReturnType<DeliveryChannel['prepare']> {
  const now = new Date();
  const isLate = now.getTime() - row.created_at.getTime() > TOO_LATE_MS;
  if (row.taken && channel.find) {
    const found = row.report ? 'taken' : isLate ? 'unknown' : await channel.find(row, items[0]);
    // If the provider cannot tell, do not send again: a missing message is better than a duplicate.
    if (found !== 'not-taken') return { state: 'sent', reason: found === 'unknown' ? UNCONFIRMED : null };
  }
  if (isLate) return { state: 'failed', reason: 'too late' };
  const [own, ...members] = items;
  const needless = needlessBecause(own, channel.name);
  for (const member of members) {
    const reason = needlessBecause(member, channel.name);
    if (reason) await skipMember(ctx.db, member.delivery_id, reason);
  }
  const [first, ...others] = items.filter((item) => !needlessBecause(item, channel.name));
  if (!first) return { state: 'skipped', reason: needless ?? null };
  const until = dueFrom(now, own, channel.name, ctx.config);
  if (until > now) return { untried: 'quiet hours', until };
  return channel.prepare(row, [first, ...others]);
}

/** @throws ServerAway after it has queued the message again, or an error that did not come from sending */
async function recordFailure(
  { logger }: Sending,
  channel: DeliveryChannel,
  { id: deliveryId, attempts }: DeliveryRow,
  error: unknown,
  { end, untry }: { end: End; untry: End },
): Promise<void> {
  const failure = channel.failureOf(error);
  if (!failure) throw error;
  logger.warn({ err: error, deliveryId, channel: channel.name, failure }, 'a message was not sent');
  if (failure === 'away') {
    await untry({ untried: 'the server is away' });
    throw new ServerAway('The server is away', { cause: error });
  }
  if (failure === 'refused') return end({ state: 'failed', reason: REFUSED });
  if (failure === 'unknown' && channel.find) {
    // Until the last attempt, the lease expires and the provider is asked.
    if (attempts >= MAX_ATTEMPTS) await end({ state: 'sent', reason: UNCONFIRMED });
    return;
  }
  const reason = `the server's answer: ${failure}`;
  if (attempts >= MAX_ATTEMPTS) return end({ state: 'failed', reason });
  await end({ retryInMs: 30_000 * 2 ** attempts, reason });
}
