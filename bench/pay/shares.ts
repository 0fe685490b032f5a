/** What is to be paid: agreements of pairs of payers, shared out by their owners. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import pg from 'pg';
import { approvedAgreement, copies } from '../faults/agreements.ts';
import type { Payer } from '../faults/people.ts';
import { databasesOf, sendAs, shareOut } from '../faults/run.ts';
import { eachOf } from './each-of.ts';

export type Due = { who: Payer; documentId: string; path: string };

/** Names the line that a share's payment leaves in the history of its document. */
export const lineOf = ({ who, documentId }: Due): string => `${documentId} ${who.userId}`;

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
    [first, second].map((who) => ({ who, documentId: id, path: `/payments/document/${id}/pay` })),
  );
}

/** What autovacuum does some time after so many rows were made at once: here, and not in the middle of the measurement. */
export async function tidied(product: Product): Promise<void> {
  for (const name of ['auth', 'documents', 'payments', 'wallet', 'messaging', 'notifications']) {
    const url = new URL(product.backing.postgresUrl);
    url.pathname = `/karaar_${name}`;
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    await client.query('VACUUM ANALYZE');
    await client.end();
  }
}

/**
 * Waits until nothing waits in an outbox and the histories of documents have these payments.
 * @param lines what was told to be completed, as {@link lineOf} names it
 * @returns what the histories still do not have after a minute
 * @throws Error when something still waits in an outbox then, and nothing is missing
 */
export async function missingLines(product: Product, lines: ReadonlySet<string>): Promise<string[]> {
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
  const missing = async (): Promise<string[]> => {
    const { rows } = await documents.query<{ line: string }>(
      `SELECT document_id || ' ' || actor_id AS line FROM document_events WHERE type = 'payment.completed'`,
    );
    const there = new Set(rows.map(({ line }) => line));
    return [...lines].filter((line) => !there.has(line));
  };
  try {
    for (const until = Date.now() + SETTLE_MS; ; await sleep(50)) {
      const open = await Promise.all(
        clients.map((one) => count(one, 'SELECT count(*) AS n FROM outbox WHERE published_at IS NULL')),
      );
      const late = Date.now() > until;
      const settled = open.every((n) => n === 0);
      // The lines themselves are read only when they may all be there: reading them costs more than counting.
      const sql = `SELECT count(*) AS n FROM document_events WHERE type = 'payment.completed'`;
      if (!late && (!settled || (await count(documents, sql)) < lines.size)) continue;
      const lost = await missing();
      if (lost.length === 0 && settled) return lost;
      if (late && lost.length > 0) return lost;
      if (late) throw new Error(`facts still wait in outboxes: ${open.join(', ')}`);
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
