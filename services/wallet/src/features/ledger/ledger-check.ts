/** Proves the ledger from its rows alone, whatever wrote them. */
import { inTransaction } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

export type LedgerFault = {
  /** What is broken, in words. */
  what: string;
  /** The account, transfer, key or order. */
  id: string;
};

export type LedgerReport = {
  /** Σ of all entries in paise; 0 in a sound ledger. A text, because it may be beyond 2^53. */
  totalPaise: string;
  transfers: number;
  /** Accounts of users. */
  wallets: number;
  faults: LedgerFault[];
};

const TOTALS = sql<Omit<LedgerReport, 'faults'>>`
  SELECT coalesce((SELECT sum(amount_paise) FROM entries), 0)::text AS "totalPaise",
         (SELECT count(*)::int FROM transfers) AS transfers,
         (SELECT count(*)::int FROM accounts WHERE kind = 'user') AS wallets`;

const FAULTS = sql<LedgerFault>`
  SELECT 'the balance kept is not the sum of the entries' AS what, a.id::text AS id
  FROM accounts a LEFT JOIN entries e ON e.account_id = a.id
  WHERE a.kind = 'user'
  GROUP BY a.id HAVING a.balance_paise <> coalesce(sum(e.amount_paise), 0)
  UNION ALL
  SELECT 'the balance is negative', a.id::text
  FROM accounts a JOIN entries e ON e.account_id = a.id
  WHERE a.kind = 'user'
  GROUP BY a.id HAVING sum(e.amount_paise) < 0
  UNION ALL
  SELECT 'a transfer has not exactly its two entries', t.id::text
  FROM transfers t LEFT JOIN entries e ON e.transfer_id = t.id
  GROUP BY t.id
  HAVING count(*) <> 2
    OR count(*) FILTER (WHERE e.account_id = t.from_account AND e.amount_paise = -t.amount_paise) <> 1
    OR count(*) FILTER (WHERE e.account_id = t.to_account AND e.amount_paise = t.amount_paise) <> 1
  UNION ALL
  SELECT 'an account of a transfer does not exist', t.id::text
  FROM transfers t
  WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = t.from_account)
    OR NOT EXISTS (SELECT FROM accounts a WHERE a.id = t.to_account)
  UNION ALL
  SELECT 'a key was both refused to a user and carried out', t.idempotency_key
  FROM transfers t JOIN refusals r
    ON r.idempotency_key = t.idempotency_key AND r.user_account IN (t.from_account, t.to_account)
  UNION ALL
  SELECT 'a reversal does not mirror its debit', t.id::text
  FROM transfers t LEFT JOIN transfers d
    ON t.idempotency_key = 'reversal:' || d.idempotency_key AND d.from_account = t.to_account
   AND d.to_account = t.from_account AND d.amount_paise = t.amount_paise
  WHERE t.idempotency_key LIKE 'reversal:%' AND d.id IS NULL
  UNION ALL
  SELECT 'a paid top-up order has no credit of its amount', o.id
  FROM top_up_orders o LEFT JOIN transfers t
    ON t.idempotency_key = 'razorpay:' || o.payment_id AND t.reference = o.id
   AND t.to_account = o.user_id AND t.amount_paise = o.amount_paise
  WHERE o.status = 'paid' AND t.id IS NULL
  UNION ALL
  SELECT 'a top-up credit has no paid order', t.id::text
  FROM transfers t LEFT JOIN top_up_orders o
    ON o.id = t.reference AND 'razorpay:' || o.payment_id = t.idempotency_key
  WHERE t.idempotency_key LIKE 'razorpay:%' AND o.id IS NULL
  UNION ALL
  SELECT 'a refund has not left its wallet', r.id::text
  FROM refunds r
    LEFT JOIN transfers t ON t.idempotency_key = 'refund:' || r.id AND t.from_account = r.user_id
      AND t.amount_paise = r.amount_paise - r.short_paise
    LEFT JOIN transfers s ON s.idempotency_key = 'refund-short:' || r.id AND s.amount_paise = r.short_paise
  WHERE (r.amount_paise > r.short_paise) <> (t.id IS NOT NULL) OR (r.short_paise > 0) <> (s.id IS NOT NULL)
  UNION ALL
  SELECT 'a refund that is not failed was put back, or a failed one was not', r.id::text
  FROM refunds r
    LEFT JOIN transfers t ON t.idempotency_key = 'refund-back:' || r.id AND t.to_account = r.user_id
      AND t.amount_paise = r.amount_paise - r.short_paise
    LEFT JOIN transfers s ON s.idempotency_key = 'refund-short-back:' || r.id AND s.amount_paise = r.short_paise
  WHERE (r.status = 'failed' AND r.amount_paise > r.short_paise) <> (t.id IS NOT NULL)
    OR (r.status = 'failed' AND r.short_paise > 0) <> (s.id IS NOT NULL)
  UNION ALL
  SELECT 'a dispute has not moved its money as its state says', d.id
  FROM disputes d
    LEFT JOIN transfers h ON h.idempotency_key = 'dispute:' || d.id AND h.from_account = d.user_id
      AND h.amount_paise = d.held_paise
    LEFT JOIN transfers b ON b.idempotency_key = 'dispute-back:' || d.id AND b.to_account = d.user_id
      AND b.amount_paise = d.held_paise
    LEFT JOIN transfers l ON l.idempotency_key = 'dispute-lost:' || d.id AND l.amount_paise = d.held_paise
    LEFT JOIN transfers s ON s.idempotency_key = 'dispute-short:' || d.id
      AND s.amount_paise = d.amount_paise - d.held_paise
  WHERE (d.held_paise > 0) <> (h.id IS NOT NULL)
    OR (d.held_paise > 0 AND d.status = 'won') <> (b.id IS NOT NULL)
    OR (d.held_paise > 0 AND d.status = 'lost') <> (l.id IS NOT NULL)
    OR (d.amount_paise > d.held_paise AND d.status = 'lost') <> (s.id IS NOT NULL)
  UNION ALL
  SELECT 'the account of suspense is not what the open exceptions hold', 'suspense'
  WHERE (SELECT coalesce(sum(e.amount_paise), 0) FROM entries e JOIN accounts a ON a.id = e.account_id
         WHERE a.kind = 'suspense')
    <> (SELECT coalesce(sum(x.booked_paise), 0) FROM payment_exceptions x WHERE x.state <> 'resolved')
  UNION ALL
  SELECT 'the refunds of a payment are more than its top-up', r.payment_id
  FROM refunds r JOIN top_up_orders o ON o.id = r.order_id
  WHERE r.status <> 'failed'
  GROUP BY r.payment_id, o.amount_paise HAVING sum(r.amount_paise) > o.amount_paise`;

/** Checks the whole ledger in one snapshot, so that it may run beside the service. */
export async function checkLedger(db: Db): Promise<LedgerReport> {
  return inTransaction(
    db,
    async (tx) => {
      const totals = await TOTALS.execute(tx);
      const { totalPaise = '0', transfers = 0, wallets = 0 } = totals.rows[0] ?? {};
      const { rows: faults } = await FAULTS.execute(tx);
      if (totalPaise !== '0') faults.unshift({ what: 'the entries do not sum to zero', id: 'all' });
      return { totalPaise, transfers, wallets, faults };
    },
    { isolation: 'repeatable read' },
  );
}
