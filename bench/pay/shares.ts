/** What is to be paid: agreements of pairs of payers, shared out by their owners. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import pg from 'pg';
import { approvedAgreement, copies } from '../faults/agreements.ts';
import type { Payer } from '../faults/people.ts';
import { databasesOf, sendAs, shareOut } from '../faults/run.ts';
import { eachOf } from './each-of.ts';

export type Due = { who: Payer; path: string };

/** Requests of the preparation under way at once. */
const AT_ONCE = 8;
/** How long the facts of the preparation may take. */
const SETTLE_MS = 60_000;

/** Shares, one of each of the two parties of a document; whoever has paid is not due again until all others were. */
export async function sharesToPay(product: Product, payers: readonly Payer[], count: number): Promise<Due[]> {
  const [owner, guest] = payers;
  if (!owner || !guest) throw new Error('a payment needs two people');
  const model = await approvedAgreement(
    owner,
    guest,
    (who) => (path, form) => sendAs(product.url, who, path, form),
  );
  const pairs = Array.from({ length: Math.floor(payers.length / 2) }, (_, i) => ({
    owner: payers[2 * i] as Payer,
    guest: payers[2 * i + 1] as Payer,
  }));
  const documents = new pg.Client({ connectionString: databasesOf(product).documents });
  await documents.connect();
  const ids = await copies(
    documents,
    model,
    Math.ceil(count / 2),
    pairs.map((pair) => ({ owner: pair.owner.userId, guest: pair.guest.userId })),
  );
  await documents.end();
  const agreements = ids.map((id, i) => ({ id, ...(pairs[i % pairs.length] as (typeof pairs)[number]) }));
  await eachOf(agreements, AT_ONCE, (one) => shareOut(one.owner, one.guest, one.id));
  return agreements.flatMap(({ id, owner: first, guest: second }) =>
    [first, second].map((who) => ({ who, path: `/payments/document/${id}/pay` })),
  );
}

/** What autovacuum does some time after so many rows were made at once: here, and not in the middle of the measurement. */
export async function tidied(product: Product): Promise<void> {
  for (const name of ['auth', 'documents', 'payments', 'wallet', 'messaging']) {
    const url = new URL(product.backing.postgresUrl);
    url.pathname = `/karaar_${name}`;
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    await client.query('VACUUM ANALYZE');
    await client.end();
  }
}

/** Waits until nothing waits in an outbox and the history of documents has this many payments. */
export async function factsApplied(product: Product, payments: number): Promise<void> {
  const urls = databasesOf(product);
  const connected = async (connectionString: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return client;
  };
  const documents = await connected(urls.documents);
  const clients = [documents, ...(await Promise.all([urls.payments, urls.wallet].map(connected)))];
  const count = async (client: pg.Client, sql: string) =>
    Number((await client.query<{ n: string }>(sql)).rows[0]?.n);
  try {
    for (const until = Date.now() + SETTLE_MS; ; await sleep(50)) {
      const open = await Promise.all(
        clients.map((one) => count(one, 'SELECT count(*) AS n FROM outbox WHERE published_at IS NULL')),
      );
      const lines = await count(
        documents,
        `SELECT count(*) AS n FROM document_events WHERE type = 'payment.completed'`,
      );
      if (open.every((n) => n === 0) && lines >= payments) return;
      if (Date.now() > until)
        throw new Error(`facts are still open: ${open.join(', ')}; ${lines} of ${payments}`);
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
