/** Everything about money that must hold after the harm, by every service's own rows; and when nothing is under way any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '@karaar/platform/db-kit';
import type { Database as WalletDatabase } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import type { Databases } from '../lib/product.ts';
import { rows } from '../lib/rows.ts';
import type { Told } from './told.ts';

export type Findings = {
  /** Told or captured, and not there. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
  /** Broken invariants, and wrong answers. */
  wrong: string[];
};

/** Waits until nothing is under way any more. @returns what still is after `ms` */
export async function settled(urls: Databases, told: Told, ms: number): Promise<string[]> {
  for (const until = Date.now() + ms; ; await sleep(500)) {
    const open = await underWay(urls, told);
    if (open.length === 0 || Date.now() > until) return open;
  }
}

async function underWay(urls: Databases, told: Told): Promise<string[]> {
  const { auth, documents, payments, wallet } = urls;
  const count = async (url: string, from: string) =>
    (await rows<{ n: number }>(url, `SELECT count(*)::int AS n FROM ${from}`))[0]?.n ?? 0;
  const people = await count(auth, 'users');
  const directories = [documents, urls.messaging, payments];
  const disputes = new Map(
    (await rows<{ id: string; status: string }>(wallet, 'SELECT id, status FROM disputes')).map(
      ({ id, status }) => [id, status],
    ),
  );
  const completed = await count(payments, `payments WHERE status IN ('completed', 'reversed')`);
  const open: [what: string, n: number | Promise<number>][] = [
    ['finalizations', count(documents, `finalization_jobs WHERE state IN ('queued', 'running')`)],
    ['entries of the log', count(documents, 'log_commitments WHERE confirmed_at IS NULL')],
    [
      'cosignatures',
      count(
        documents,
        `log_checkpoints c WHERE size = (SELECT max(size) FROM log_checkpoints)
         AND size > 0 AND NOT EXISTS (SELECT FROM log_cosignatures WHERE size = c.size)`,
      ),
    ],
    [
      'lines of the audit log',
      told.pages.size - (await count(auth, `admin_audit WHERE action = 'page.published'`)),
    ],
    ['payments', count(payments, `payments WHERE status = 'pending' AND started_at IS NOT NULL`)],
    ['reversals', count(payments, `reversals WHERE state = 'decided'`)],
    ['refunds to cards', count(wallet, `refunds WHERE status = 'pending'`)],
    ['disputes', [...told.disputes].filter(([id, end]) => disputes.get(id) !== end).length],
    [
      'credits',
      told.captured.size - (await count(wallet, `transfers WHERE idempotency_key LIKE 'razorpay:%'`)),
    ],
    [
      'events to apply',
      completed - (await count(documents, `document_events WHERE type = 'payment.completed'`)),
    ],
  ];
  for (const url of directories) open.push(['people to be known', people - (await count(url, 'directory'))]);
  for (const url of Object.values(urls))
    open.push(['events to publish', count(url, 'outbox WHERE published_at IS NULL')]);
  const counted = await Promise.all(open.map(async ([what, n]) => [what, await n] as const));
  return counted.flatMap(([what, n]) => (n > 0 ? [`${n} ${what}`] : []));
}

/** A refund as the card provider has it: `receipt` is our own id of it. */
export type SentBack = { receipt: string | null; amount: number; status: string };

/** Compares what was told with what is on record, and our refunds with those that the card provider made. */
export async function moneyFindings(
  { wallet, payments: paymentsUrl, documents }: Databases,
  told: Told,
  sentBack: readonly SentBack[],
): Promise<Findings> {
  const db = createDb<WalletDatabase>({ url: wallet, max: 1, applicationName: 'faults' });
  const ledger = await checkLedger(db).finally(() => db.destroy());
  const transfers = await rows<{ key: string; paise: string }>(
    wallet,
    'SELECT idempotency_key AS key, amount_paise AS paise FROM transfers',
  );
  const payments = await rows<{ id: string; paise: string }>(
    paymentsUrl,
    `SELECT id, amount_paise AS paise FROM payments WHERE status IN ('completed', 'reversed')`,
  );
  const refunds = await rows<{ id: string; key: string; paise: string; status: string }>(
    wallet,
    'SELECT id, idempotency_key AS key, amount_paise AS paise, status FROM refunds',
  );
  const twice = (url: string, what: string, from: string, by: string) =>
    rows<{ what: string }>(
      url,
      `SELECT '${what} ' || document_id || ' ' || ${by} AS what FROM ${from} GROUP BY 1 HAVING count(*) > 1`,
    );
  const shares = await twice(paymentsUrl, 'share', `payments WHERE status = 'completed'`, 'user_id');
  const lines = await twice(
    documents,
    'history line',
    `document_events WHERE type = 'payment.completed'`,
    'actor_id',
  );
  const ofKey = new Map(refunds.map(({ key, paise }) => [key, Number(paise)]));
  const made = Map.groupBy(sentBack, ({ receipt }) => receipt ?? '');
  const moved = new Map(transfers.map(({ key, paise }) => [key, Number(paise)]));
  const completed = new Map(payments.map(({ id, paise }) => [id, Number(paise)]));
  const expected = [
    ...[...told.paid, ...completed].map(([id, paise]) => [`payment:${id}`, paise] as const),
    ...[...told.captured].map(([id, paise]) => [`razorpay:${id}`, paise] as const),
    ...[...told.reversed].map((id) => [`reversal:payment:${id}`, completed.get(id)] as const),
  ];
  const orphans = [...moved.keys()].filter(
    (key) => key.startsWith('payment:') && !completed.has(key.slice('payment:'.length)),
  );
  return {
    lost: [
      ...expected.flatMap(([key, paise]) => (moved.get(key) === paise ? [] : [key])),
      ...[...told.paid.keys()].flatMap((id) => (completed.has(id) ? [] : [`payment ${id} is not completed`])),
      ...orphans.map((key) => `${key} was debited and its payment is not completed`),
      ...[...told.refunds].flatMap(([key, paise]) => (ofKey.get(key) === paise ? [] : [`refund ${key}`])),
      ...refunds.flatMap(({ id, paise, status }) =>
        status !== 'processed' || made.get(id)?.[0]?.amount === Number(paise)
          ? []
          : [`refund ${id} is done and the card provider has none of it`],
      ),
    ],
    doubled: [
      ...[...shares, ...lines].map(({ what }) => what),
      ...(transfers.length === moved.size ? [] : ['transfers share a key']),
      ...[...made].flatMap(([id, all]) => (all.length > 1 ? [`refund ${id} at the card provider`] : [])),
    ],
    wrong: [
      ...ledger.faults.map(({ what, id }) => `ledger: ${what}: ${id}`),
      ...(Number(ledger.totalPaise) === 0 ? [] : [`ledger: Σ entries is ${ledger.totalPaise}`]),
    ],
  };
}
