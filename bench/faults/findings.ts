/** Compares the rows of the services with the outcomes that callers were given. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAll } from '@karaar/ops/check';
import { databasesOf } from '@karaar/ops/databases';
import type { Databases } from '../lib/product.ts';
import { column, count } from '../lib/rows.ts';
import type { Outcomes } from './outcomes.ts';

export class Findings {
  /** Promised to a caller or captured at the card provider, but not on record. */
  readonly lost: string[] = [];
  /** On record more than once. */
  readonly doubled: string[] = [];
  /** Violated invariants, and wrong answers. */
  readonly wrong: string[] = [];

  /** Every expected entry must be on record, and no entry twice. */
  once(what: string, recorded: readonly string[], expected: Iterable<string> = []): void {
    const entries = Map.groupBy(recorded, (one) => one);
    for (const one of expected) if (!entries.has(one)) this.lost.push(`${what} ${one}`);
    for (const [one, all] of entries) if (all.length > 1) this.doubled.push(`${what} ${one}`);
  }
}

/** Waits until nothing is in progress. @returns the work that is still in progress after `ms` */
export async function settled(urls: Databases, outcomes: Outcomes, ms: number): Promise<string[]> {
  for (const until = Date.now() + ms; ; await sleep(500)) {
    const open = await inProgress(urls, outcomes);
    if (open.length === 0 || Date.now() > until) return open;
  }
}

async function inProgress(urls: Databases, { pages, disputes, captured }: Outcomes): Promise<string[]> {
  const { auth, documents, messaging, payments, wallet } = urls;
  const less = async (all: number | Promise<number>, url: string, from: string) =>
    (await all) - (await count(url, from));
  const completed = count(payments, `payments WHERE status IN ('completed', 'reversed')`);
  const cosigned = `SELECT FROM log_cosignatures WHERE size = c.size`;
  const newest = `size = (SELECT max(size) FROM log_checkpoints) AND size > 0`;
  const open: [what: string, n: Promise<number>][] = [
    ['finalizations', count(documents, `finalization_jobs WHERE state IN ('queued', 'running')`)],
    ['entries of the log', count(documents, 'log_commitments WHERE confirmed_at IS NULL')],
    ['cosignatures', count(documents, `log_checkpoints c WHERE ${newest} AND NOT EXISTS (${cosigned})`)],
    ['lines of the audit log', less(pages.size, auth, `admin_audit WHERE action = 'page.published'`)],
    ['payments', count(payments, `payments WHERE status = 'pending' AND started_at IS NOT NULL`)],
    ['reversals', count(payments, `reversals WHERE state = 'decided'`)],
    ['refunds to cards', count(wallet, `refunds WHERE status = 'pending'`)],
    ['disputes', less(disputes.size, wallet, `disputes WHERE status IN ('won', 'lost')`)],
    ['credits', less(captured.size, wallet, `transfers WHERE idempotency_key LIKE 'razorpay:%'`)],
    ['events to apply', less(completed, documents, `document_events WHERE type = 'payment.completed'`)],
  ];
  for (const url of [documents, messaging, payments])
    open.push(['users missing in a directory', less(count(auth, 'users'), url, 'directory')]);
  for (const url of Object.values(urls))
    open.push(['events to publish', count(url, 'outbox WHERE published_at IS NULL')]);
  const counted = await Promise.all(open.map(async ([what, n]) => [what, await n] as const));
  return counted.flatMap(([what, n]) => (n > 0 ? [`${n} ${what}`] : []));
}

/** A refund at the card provider; `receipt` is the id of our refund. */
export type SentBack = { receipt: string | null; amount: number };

/** Compares payments, top-ups, refunds and disputes, and runs `karaar check`. */
export async function checkMoney(
  urls: Databases,
  outcomes: Outcomes,
  sentBack: readonly SentBack[],
): Promise<Findings> {
  const found = new Findings();
  const { wallet, payments, documents } = urls;
  const entries = (map: ReadonlyMap<string, unknown>, prefix = '') =>
    [...map].map(([id, value]) => `${prefix}${id} ${String(value)}`);
  const transfers = await column(wallet, `idempotency_key || ' ' || amount_paise`, 'transfers');
  found.once('credit', transfers, entries(outcomes.captured, 'razorpay:'));
  const reversals = [...outcomes.reversed].map((id) => `reversal:payment:${id}`);
  found.once('reversal', await column(wallet, 'idempotency_key', 'transfers'), reversals);

  const completed = `payments WHERE status IN ('completed', 'reversed')`;
  const paid = await column(payments, `id || ' ' || amount_paise`, completed);
  found.once('payment', paid, entries(outcomes.paid));
  const share = `document_id || ' ' || user_id`;
  found.once('share', await column(payments, share, `payments WHERE status = 'completed'`));
  const step = `document_id || ' ' || actor_id`;
  const lines = await column(documents, step, `document_events WHERE type = 'payment.completed'`);
  found.once('history line', lines);

  const refunds = await column(wallet, `idempotency_key || ' ' || amount_paise`, 'refunds');
  found.once('refund', refunds, entries(outcomes.refunds));
  const atProvider = sentBack.map(({ receipt, amount }) => `${receipt} ${amount}`);
  const processed = await column(wallet, `id || ' ' || amount_paise`, `refunds WHERE status = 'processed'`);
  found.once('refund at the card provider', atProvider, processed);
  const disputes = await column(wallet, `id || ' ' || status`, 'disputes');
  found.once('dispute', disputes, entries(outcomes.disputes));

  const env = Object.entries(urls).map(([name, url]) => [`${name.toUpperCase()}_DATABASE_URL`, url] as const);
  for (const { ok, what, text } of await checkAll(databasesOf(Object.fromEntries(env))))
    if (!ok) found.wrong.push(`karaar check: ${what}: ${text}`);
  return found;
}
