/** The payers, the agreements of pairs of them, and the waiting until all that they cause has been applied. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { connectBus, type Bus } from '@karaar/platform/bus';
import { createLogger } from '@karaar/platform/logging';
import { approvedAgreement, copies, shareOut } from '../lib/agreements.ts';
import { newcomer, topUp, type Payer } from '../lib/people.ts';
import { databasesOf } from '../lib/product.ts';
import { rows } from '../lib/rows.ts';

export type Due = { who: Payer; documentId: string };

/** Names the line that a share's payment leaves in the history of its document. */
export const lineOf = ({ who, documentId }: Due): string => `${documentId} ${who.userId}`;

/** Requests of the preparation under way at once. */
const AT_ONCE = 8;
const FUNDS_RUPEES = 10_000;
/** How long the events of payments, and those of the preparation, may take. */
const SETTLE_MS = 60_000;
const APPLIED_MS = 120_000;

/** Works on a list, a few items at once. @returns the results in the order of the list */
async function eachOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** Users who are registered, signed in and have money in their wallets, all over the public API. */
export const makePayers = (product: Product, count: number): Promise<Payer[]> =>
  eachOf(
    Array.from({ length: count }, (_, i) => `+9170${String(i).padStart(8, '0')}`),
    async (phone) => {
      const payer = await newcomer(product.url, `Payer ${phone.slice(-8)}`, phone);
      await topUp(product.process('sandbox').url, payer, FUNDS_RUPEES);
      return payer;
    },
  );

/** Shares, one of each of the two parties of a document; whoever has paid is not due again until all others were. */
export async function sharesToPay(product: Product, payers: readonly Payer[], count: number): Promise<Due[]> {
  const pairs = Array.from({ length: Math.floor(payers.length / 2) }, (_, i) => ({
    owner: payers[2 * i] as Payer,
    guest: payers[2 * i + 1] as Payer,
  }));
  const [first] = pairs;
  if (!first) throw new Error('a payment needs two people');
  const model = await approvedAgreement(product.url, first.owner, first.guest);
  const ids = await copies(
    databasesOf(product).documents,
    model,
    Math.ceil(count / 2),
    pairs.map(({ owner, guest }) => ({ owner: owner.userId, guest: guest.userId })),
  );
  const agreements = ids.map((id, i) => ({ id, ...(pairs[i % pairs.length] ?? first) }));
  await eachOf(agreements, ({ owner, guest, id }) => shareOut(owner, guest, id));
  return agreements.flatMap(({ id, owner, guest }) => [owner, guest].map((who) => ({ who, documentId: id })));
}

/** Vacuums now, so that autovacuum does not begin in the middle of the measurement. */
export async function tidied(product: Product): Promise<void> {
  for (const url of Object.values(databasesOf(product))) await rows(url, 'VACUUM ANALYZE');
}

/**
 * Waits until nothing waits in an outbox and the histories of documents have these payments.
 * @param lines the completed payments, as {@link lineOf} names them
 * @returns the lines that the histories still do not have after a minute
 * @throws Error when an event still waits in an outbox then, and nothing is missing
 */
export async function missingLines(product: Product, lines: ReadonlySet<string>): Promise<string[]> {
  const { documents, payments, wallet } = databasesOf(product);
  const counted = async (url: string, sql: string) =>
    (await rows<{ n: number }>(url, `SELECT count(*)::int AS n FROM ${sql}`))[0]?.n ?? 0;
  const done = `document_events WHERE type = 'payment.completed'`;
  for (const end = Date.now() + SETTLE_MS; ; await sleep(50)) {
    const waiting = [documents, payments, wallet].map((url) =>
      counted(url, 'outbox WHERE published_at IS NULL'),
    );
    const open = (await Promise.all(waiting)).reduce((sum, n) => sum + n, 0);
    const isLate = Date.now() > end;
    // The lines themselves are read only when they may all be there: reading them costs more than counting.
    if (!isLate && (open > 0 || (await counted(documents, done)) < lines.size)) continue;
    const there = await rows<{ line: string }>(
      documents,
      `SELECT document_id || ' ' || actor_id AS line FROM ${done}`,
    );
    const known = new Set(there.map(({ line }) => line));
    const missing = [...lines].filter((line) => !known.has(line));
    if (missing.length === 0 ? open === 0 : isLate) return missing;
    if (isLate) throw new Error(`${open} events still wait in outboxes`);
  }
}

/**
 * Waits until every service has applied every event, so that work caused by the preparation does not run beside the
 * payments that are measured.
 * @throws Error when that takes more than two minutes
 */
export const eventsApplied = ({ backing }: Product): Promise<void> =>
  withBus(backing.natsUrl, async ({ link }) => {
    for (const end = Date.now() + APPLIED_MS; ; await sleep(200)) {
      const behind: string[] = [];
      for await (const { config } of link.jsm.streams.list())
        for await (const { name, num_pending, num_ack_pending } of link.jsm.consumers.list(config.name))
          if (num_pending + num_ack_pending > 0) behind.push(`${name} ${num_pending + num_ack_pending}`);
      if (behind.length === 0) return;
      if (Date.now() > end) throw new Error(`events still wait: ${behind.join(', ')}`);
    }
  });

export async function withBus<T>(url: string, act: (bus: Bus) => Promise<T>): Promise<T> {
  const logger = createLogger({ name: 'bench', level: 'warn' });
  const bus = await connectBus({ url, name: 'bench', logger });
  return act(bus).finally(() => bus.close());
}
