/** The payers, the agreements between pairs of them, and the waits for the effects of payments. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { connectBus } from '@karaar/bus';
import { createLogger } from '@karaar/observability/logging';
import { approvedAgreement, copies, shareOut } from '../lib/agreements.ts';
import { eachOf, newcomers, topUp, type Payer } from '../lib/people.ts';
import { databasesOf } from '../lib/product.ts';
import { column, count, rows } from '../lib/rows.ts';

export type Due = { who: Payer; documentId: string };

/** Returns the key of the payment of a share in the history of its document. */
export const lineOf = ({ who, documentId }: Due): string => `${documentId} ${who.userId}`;

const FUNDS_RUPEES = 10_000;
/** The longest waits for the events of payments, and for those of the preparation. */
const SETTLE_MS = 60_000;
const APPLIED_MS = 120_000;

/** Creates signed-in users with a balance through the public API. */
export async function makePayers(product: Product, count: number): Promise<Payer[]> {
  const payers = await newcomers(product.url, count);
  await eachOf(payers, (payer) => topUp(product.process('sandbox').url, payer, FUNDS_RUPEES));
  return payers;
}

/** Returns unpaid shares of agreements, two for each. The users take turns. */
export async function sharesToPay(
  product: Product,
  payers: readonly Payer[],
  wanted: number,
): Promise<Due[]> {
  const pairs = Array.from({ length: Math.floor(payers.length / 2) }, (_, i) => ({
    owner: payers[2 * i] as Payer,
    guest: payers[2 * i + 1] as Payer,
  }));
  const [first] = pairs;
  if (!first) throw new Error('A payment needs two users');
  const model = await approvedAgreement(first.owner, first.guest);
  const ids = await copies(databasesOf(product).documents, model, Math.ceil(wanted / 2), pairs);
  const agreements = ids.map((id, i) => ({ id, ...(pairs[i % pairs.length] ?? first) }));
  await eachOf(agreements, ({ owner, guest, id }) => shareOut(owner, guest, id));
  return agreements.flatMap(({ id, owner, guest }) => [owner, guest].map((who) => ({ who, documentId: id })));
}

/**
 * Vacuums now, so that autovacuum does not start during the measurement. Call it when no table of the measured
 * statements is empty: PostgreSQL would keep plans that read these tables from end to end.
 */
export async function tidied(product: Product): Promise<void> {
  for (const url of Object.values(databasesOf(product))) await rows(url, 'VACUUM ANALYZE');
}

/**
 * Waits until all outboxes are empty and the histories of documents contain these payments.
 * @param lines the completed payments, by {@link lineOf}
 * @returns the lines that are still missing after a minute
 * @throws Error when no line is missing then, but an outbox still has events
 */
export async function missingLines(product: Product, lines: ReadonlySet<string>): Promise<string[]> {
  const { documents, payments, wallet } = databasesOf(product);
  const done = `document_events WHERE type = 'payment.completed'`;
  for (const end = Date.now() + SETTLE_MS; ; await sleep(50)) {
    const waiting = [documents, payments, wallet].map((url) =>
      count(url, 'outbox WHERE published_at IS NULL'),
    );
    const open = (await Promise.all(waiting)).reduce((sum, n) => sum + n, 0);
    const isLate = Date.now() > end;
    // Reading the lines costs more than counting them.
    if (!isLate && (open > 0 || (await count(documents, done)) < lines.size)) continue;
    const known = new Set(await column(documents, `document_id || ' ' || actor_id`, done));
    const missing = [...lines].filter((line) => !known.has(line));
    if (missing.length === 0 ? open === 0 : isLate) return missing;
    if (isLate) throw new Error(`${open} events still wait in outboxes`);
  }
}

/** Waits until every service has applied every event of the preparation. @throws Error after two minutes */
export async function eventsApplied({ backing }: Product): Promise<void> {
  const logger = createLogger({ name: 'bench', level: 'warn' });
  const bus = await connectBus({ url: backing.natsUrl, name: 'bench', logger });
  const { jsm } = bus.link;
  try {
    for (const end = Date.now() + APPLIED_MS; ; await sleep(200)) {
      const behind: string[] = [];
      for await (const { config } of jsm.streams.list())
        for await (const { name, num_pending, num_ack_pending } of jsm.consumers.list(config.name))
          if (num_pending + num_ack_pending > 0) behind.push(`${name} ${num_pending + num_ack_pending}`);
      if (behind.length === 0) return;
      if (Date.now() > end) throw new Error(`Events still wait: ${behind.join(', ')}`);
    }
  } finally {
    await bus.close();
  }
}
