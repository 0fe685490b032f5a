/** What must hold of money whatever died, asked of every service's own rows; and when nothing is under way any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@karaar/contracts/names';
import { createDb } from '@karaar/platform/db-kit';
import type { Database as WalletDatabase } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import { rows } from './rows.ts';
import type { Told } from './told.ts';

/** The address of each service's database; vision has none. */
export type Databases = Record<Exclude<ServiceName, 'vision'>, string>;

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

/** Waits until nothing is under way any more. @returns what still is after `ms` */
export async function settled(urls: Databases, told: Told, ms: number): Promise<string[]> {
  const until = Date.now() + ms;
  for (;;) {
    const open = await underWay(urls, told);
    if (open.length === 0 || Date.now() > until) return open;
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
      Object.values(urls).map((url) =>
        rows<{ n: number }>(url, 'SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL'),
      ),
    ),
  ]);
  const completed = await rows<{ n: number }>(
    urls.payments,
    `SELECT count(*)::int AS n FROM payments WHERE status IN ('completed', 'reversed')`,
  );
  const reversals = await rows<{ n: number }>(
    urls.payments,
    `SELECT count(*)::int AS n FROM reversals WHERE state = 'decided'`,
  );
  const facts = await rows<{ n: number }>(
    urls.documents,
    `SELECT count(*)::int AS n FROM document_events WHERE type = 'payment.completed'`,
  );
  const refunds = await rows<{ n: number }>(
    urls.wallet,
    `SELECT count(*)::int AS n FROM refunds WHERE status = 'pending'`,
  );
  const disputes = await disputesOf(urls);
  const untold = [...told.disputes].filter(([id, end]) => disputes.get(id) !== end);
  const jobs = await rows<{ n: number }>(
    urls.documents,
    `SELECT count(*)::int AS n FROM finalization_jobs WHERE state IN ('queued', 'running')`,
  );
  const unlogged = await rows<{ n: number }>(
    urls.documents,
    'SELECT count(*)::int AS n FROM log_commitments WHERE confirmed_at IS NULL',
  );
  const uncosigned = await rows<{ n: number }>(
    urls.documents,
    `SELECT count(*)::int AS n FROM log_checkpoints c WHERE size = (SELECT max(size) FROM log_checkpoints)
     AND size > 0 AND NOT EXISTS (SELECT FROM log_cosignatures WHERE size = c.size)`,
  );
  const people = await rows<{ n: number }>(urls.auth, 'SELECT count(*)::int AS n FROM users');
  const known = await Promise.all(
    (['documents', 'messaging', 'payments'] as const).map((service) =>
      rows<{ n: number }>(urls[service], 'SELECT count(*)::int AS n FROM directory'),
    ),
  );
  const acts = await rows<{ n: number }>(
    urls.auth,
    `SELECT count(*)::int AS n FROM admin_audit WHERE action = 'page.published'`,
  );
  const count = (list: { n: number }[]) => list[0]?.n ?? 0;
  return [
    ...(count(jobs) > 0 ? [`${count(jobs)} finalizations`] : []),
    ...(count(unlogged) > 0 ? [`${count(unlogged)} entries of the log`] : []),
    ...(count(uncosigned) > 0 ? ['a cosignature'] : []),
    ...(count(acts) < told.pages.size ? [`${told.pages.size - count(acts)} lines of the audit log`] : []),
    ...known.flatMap((list) => {
      const missing = count(people) - count(list);
      return missing > 0 ? [`${missing} people to be known`] : [];
    }),
    ...(count(payments) > 0 ? [`${count(payments)} payments`] : []),
    ...(count(reversals) > 0 ? [`${count(reversals)} reversals`] : []),
    ...(count(refunds) > 0 ? [`${count(refunds)} refunds to cards`] : []),
    ...(untold.length > 0 ? [`${untold.length} disputes`] : []),
    ...(count(credits) < told.captured.size ? [`${told.captured.size - count(credits)} credits`] : []),
    ...outboxes.flatMap((list) => (count(list) > 0 ? [`${count(list)} facts to publish`] : [])),
    ...(count(facts) < count(completed) ? [`${count(completed) - count(facts)} facts to apply`] : []),
  ];
}

const disputesOf = async ({ wallet }: Databases): Promise<Map<string, string>> =>
  new Map(
    (await rows<{ id: string; status: string }>(wallet, 'SELECT id, status FROM disputes')).map(
      ({ id, status }) => [id, status],
    ),
  );

/** A refund as the card provider has it: `receipt` is our own id of it. */
export type SentBack = { receipt: string | null; amount: number; status: string };

/** Compares what was told with what is on record, and our refunds with those that the card provider made. */
export async function findings(
  urls: Databases,
  told: Told,
  sentBack: readonly SentBack[],
): Promise<Findings> {
  const db = createDb<WalletDatabase>({ url: urls.wallet, max: 1, applicationName: 'faults' });
  const ledger = await checkLedger(db).finally(() => db.destroy());
  const transfers = await rows<{ key: string; paise: string }>(
    urls.wallet,
    'SELECT idempotency_key AS key, amount_paise AS paise FROM transfers',
  );
  const payments = await rows<{ id: string; paise: string; transfer: string | null }>(
    urls.payments,
    `SELECT id, amount_paise AS paise, transfer_id AS transfer FROM payments WHERE status IN ('completed', 'reversed')`,
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

  const refunds = await rows<{ id: string; key: string; paise: string; status: string }>(
    urls.wallet,
    'SELECT id, idempotency_key AS key, amount_paise AS paise, status FROM refunds',
  );
  const ofKey = new Map(refunds.map(({ key, paise }) => [key, Number(paise)]));
  const made = Map.groupBy(sentBack, ({ receipt }) => receipt ?? '');

  const moved = new Map(transfers.map(({ key, paise }) => [key, Number(paise)]));
  const completed = new Map(payments.map(({ id, paise }) => [id, Number(paise)]));
  const expected = [
    ...[...told.paid].map(([id, paise]) => [`payment:${id}`, paise] as const),
    ...[...completed].map(([id, paise]) => [`payment:${id}`, paise] as const),
    ...[...told.captured].map(([id, paise]) => [`razorpay:${id}`, paise] as const),
    ...[...told.reversed].map((id) => [`reversal:payment:${id}`, completed.get(id)] as const),
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
      ...[...told.refunds].flatMap(([key, paise]) => (ofKey.get(key) === paise ? [] : [`refund ${key}`])),
      ...refunds.flatMap(({ id, paise, status }) =>
        status !== 'processed' || made.get(id)?.[0]?.amount === Number(paise)
          ? []
          : [`refund ${id} is done and the card provider has none of it`],
      ),
    ],
    doubled: [
      ...shares.map(({ what }) => `share ${what}`),
      ...lines.map(({ what }) => `history line ${what}`),
      ...(transfers.length === moved.size ? [] : ['transfers share a key']),
      ...[...made].flatMap(([id, all]) => (all.length > 1 ? [`refund ${id} at the card provider`] : [])),
    ],
    ledgerFaults: ledger.faults.map(({ what, id }) => `${what}: ${id}`),
    totalPaise: ledger.totalPaise,
    transfers: transfers.length,
  };
}
