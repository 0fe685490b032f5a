/** What must hold of money whatever died: asked of every service's own rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '@karaar/platform/db-kit';
import type { Database as WalletDatabase } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import pg from 'pg';

export type Databases = { wallet: string; payments: string; documents: string };

/** What the callers were told, to be found again. */
export type Told = {
  /** Payments answered as completed: id → paise. */
  paid: Map<string, number>;
  /** Payments captured at the card provider: id → paise. */
  captured: Map<string, number>;
};

export type Findings = {
  /** Told or captured, and not there. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
  /** Faults of the ledger itself: sums, balances, negative ones. */
  ledgerFaults: string[];
  /** Σ of all entries in paise. */
  totalPaise: string;
  transfers: number;
};

const SETTLE_MS = 120_000;

/** Waits until nothing is under way any more. Throws with what still is. */
export async function settled(urls: Databases, told: Told): Promise<void> {
  const until = Date.now() + SETTLE_MS;
  for (;;) {
    const open = await underWay(urls, told);
    if (open.length === 0) return;
    if (Date.now() > until)
      throw new Error(`still under way after ${SETTLE_MS / 1000} s: ${open.join(', ')}`);
    await sleep(500);
  }
}

async function underWay(urls: Databases, told: Told): Promise<string[]> {
  const [payments, credits, outboxes] = await Promise.all([
    rows<{ n: number }>(
      urls.payments,
      `SELECT count(*)::int AS n FROM payments WHERE status = 'pending' AND started_at IS NOT NULL`,
    ),
    rows<{ n: number }>(
      urls.wallet,
      `SELECT count(*)::int AS n FROM transfers WHERE idempotency_key LIKE 'razorpay:%'`,
    ),
    Promise.all(
      [urls.wallet, urls.payments].map((url) =>
        rows<{ n: number }>(url, 'SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL'),
      ),
    ),
  ]);
  const completed = await rows<{ n: number }>(
    urls.payments,
    `SELECT count(*)::int AS n FROM payments WHERE status = 'completed'`,
  );
  const facts = await rows<{ n: number }>(
    urls.documents,
    `SELECT count(*)::int AS n FROM document_events WHERE type = 'payment.completed'`,
  );
  const count = (list: { n: number }[]) => list[0]?.n ?? 0;
  return [
    ...(count(payments) > 0 ? [`${count(payments)} payments`] : []),
    ...(count(credits) < told.captured.size ? [`${told.captured.size - count(credits)} credits`] : []),
    ...outboxes.flatMap((list) => (count(list) > 0 ? [`${count(list)} facts to publish`] : [])),
    ...(count(facts) < count(completed) ? [`${count(completed) - count(facts)} facts to apply`] : []),
  ];
}

/** Compares what was told with what is on record. */
export async function findings(urls: Databases, told: Told): Promise<Findings> {
  const db = createDb<WalletDatabase>({ url: urls.wallet, max: 1, applicationName: 'faults' });
  const ledger = await checkLedger(db).finally(() => db.destroy());
  const transfers = await rows<{ key: string; paise: string }>(
    urls.wallet,
    'SELECT idempotency_key AS key, amount_paise AS paise FROM transfers',
  );
  const payments = await rows<{ id: string; paise: string; transfer: string | null }>(
    urls.payments,
    `SELECT id, amount_paise AS paise, transfer_id AS transfer FROM payments WHERE status = 'completed'`,
  );
  const shares = await rows<{ what: string; n: number }>(
    urls.payments,
    `SELECT document_id || ' ' || user_id AS what, count(*)::int AS n FROM payments
     WHERE status = 'completed' GROUP BY 1 HAVING count(*) > 1`,
  );
  const lines = await rows<{ what: string; events: number; payments: number }>(
    urls.documents,
    `SELECT document_id || ' ' || actor_id AS what, count(*)::int AS events FROM document_events
     WHERE type = 'payment.completed' GROUP BY 1 HAVING count(*) > 1`,
  );

  const moved = new Map(transfers.map(({ key, paise }) => [key, Number(paise)]));
  const completed = new Map(payments.map(({ id, paise }) => [id, Number(paise)]));
  const expected = [
    ...[...told.paid].map(([id, paise]) => [`payment:${id}`, paise] as const),
    ...[...completed].map(([id, paise]) => [`payment:${id}`, paise] as const),
    ...[...told.captured].map(([id, paise]) => [`razorpay:${id}`, paise] as const),
  ];
  const orphans = transfers.filter(
    ({ key }) => key.startsWith('payment:') && !completed.has(key.slice('payment:'.length)),
  );
  return {
    lost: [
      ...expected.filter(([key, paise]) => moved.get(key) !== paise).map(([key]) => key),
      ...[...told.paid.keys()]
        .filter((id) => !completed.has(id))
        .map((id) => `payment ${id} is not completed`),
      ...orphans.map(({ key }) => `${key} was debited and its payment is not completed`),
    ],
    doubled: [
      ...shares.map(({ what }) => `share ${what}`),
      ...lines.map(({ what }) => `history line ${what}`),
      ...(transfers.length === moved.size ? [] : ['transfers share a key']),
    ],
    ledgerFaults: ledger.faults.map(({ what, id }) => `${what}: ${id}`),
    totalPaise: ledger.totalPaise,
    transfers: transfers.length,
  };
}

async function rows<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}
