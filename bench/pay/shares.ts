/** The payers, the agreements between pairs of them, and the waits for the effects of payments. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { connectBus } from '@karaar/bus';
import { createLogger } from '@karaar/observability/logging';
import { topUp } from '@karaar/e2e/src/journey.ts';
import type { Person } from '@karaar/e2e/src/person.ts';
import pMap from 'p-map';
import { approvedAgreement, copies, shareOut } from '../lib/agreements.ts';
import { AT_ONCE, newcomers } from '../lib/people.ts';
import { databasesOf } from '../lib/product.ts';
import { column, count, rows } from '../lib/rows.ts';

export type Due = { who: Person; documentId: string };

/** Returns the key of the payment of a share in the history of its document. */
export const lineOf = ({ who, documentId }: Due): string => `${documentId} ${who.userId}`;

const FUNDS_RUPEES = 10_000;
const APPLIED_MS = 120_000;

/** Creates signed-in users with a balance through the public API. */
export async function makePayers(product: Product, count: number): Promise<Person[]> {
  const payers = await newcomers(product.url, count);
  await pMap(payers, (payer) => topUp(product.url, payer, FUNDS_RUPEES), { concurrency: AT_ONCE });
  return payers;
}

/** Returns unpaid shares of agreements, two for each. The users take turns. */
export async function sharesToPay(
  product: Product,
  payers: readonly Person[],
  wanted: number,
): Promise<Due[]> {
  const pairs = Array.from({ length: Math.floor(payers.length / 2) }, (_, i) => ({
    owner: payers[2 * i] as Person,
    guest: payers[2 * i + 1] as Person,
  }));
  const [first] = pairs;
  if (!first) throw new Error('A payment needs two users');
  const model = await approvedAgreement(first.owner, first.guest);
  const ids = await copies(databasesOf(product).documents, model, Math.ceil(wanted / 2), pairs);
  const agreements = ids.map((id, i) => ({ id, ...(pairs[i % pairs.length] ?? first) }));
  await pMap(agreements, ({ owner, guest, id }) => shareOut(owner, guest, id), { concurrency: AT_ONCE });
  return agreements.flatMap(({ id, owner, guest }) => [owner, guest].map((who) => ({ who, documentId: id })));
}

/**
 * Vacuums now, so that autovacuum does not start during the measurement. Call it when no table of the measured
 * statements is empty: PostgreSQL would keep plans that read these tables from end to end.
 */
export async function tidied(product: Product): Promise<void> {
  for (const url of Object.values(databasesOf(product))) await rows(url, 'VACUUM ANALYZE');
}

/** Returns the completed payments, by {@link lineOf}, that are missing in the histories of documents. */
export async function missingLines(product: Product, lines: ReadonlySet<string>): Promise<string[]> {
  const done = `document_events WHERE type = 'payment.completed'`;
  const known = new Set(await column(databasesOf(product).documents, `document_id || ' ' || actor_id`, done));
  return [...lines].filter((line) => !known.has(line));
}

/** Waits until every event is published, and every service has applied it. @throws Error after two minutes */
export async function eventsApplied(product: Product): Promise<void> {
  const logger = createLogger({ name: 'bench', level: 'warn' });
  const bus = await connectBus({ url: product.backing.natsUrl, name: 'bench', logger });
  const { jsm } = bus.link;
  const urls = Object.values(databasesOf(product));
  try {
    for (const end = Date.now() + APPLIED_MS; ; await sleep(50)) {
      const waiting = urls.map((url) => count(url, 'outbox WHERE published_at IS NULL'));
      const behind = (await Promise.all(waiting)).flatMap((n) => (n > 0 ? [`${n} in an outbox`] : []));
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
