/** The possible faults of a ledger, as queries over all rows or those since the last closed period. */
import { REFUND_MIN_PAISE } from '@karaar/contracts/limits';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/schema.ts';

export type LedgerFault = {
  what: string;
  /** The account, transfer, key, order or period. */
  id: string;
};

/** The start of a proof: transfers from this id on, and other rows that changed since this moment. */
export type Since = { id: string; at: Date | '-infinity'; sums: 'stored' | 'none' };

export const ALWAYS: Since = { id: '00000000-0000-0000-0000-000000000000', at: '-infinity', sums: 'none' };

/** Σ of each account's entries: the stored sums of the closed periods, plus the entries since. */
const accountSums = ({ id, sums }: Since) => sql`
  SELECT account_id, sum(paise) AS paise FROM (
    ${sums === 'stored' ? sql`SELECT account_id, paise FROM ledger_account_sums UNION ALL` : sql``}
    SELECT account_id, sum(amount_paise) FROM entries WHERE transfer_id >= ${id}::uuid GROUP BY account_id
  ) parts(account_id, paise) GROUP BY account_id`;

const balanceFaults = (since: Since): RawBuilder<LedgerFault> => sql<LedgerFault>`
  WITH sums AS MATERIALIZED (${accountSums(since)})
  SELECT 'the entries do not sum to zero' AS what, 'all' AS id
  WHERE (SELECT coalesce(sum(paise), 0) FROM sums) <> 0
  UNION ALL
  SELECT 'the balance kept is not the sum of the entries', a.id::text
  FROM accounts a LEFT JOIN sums s ON s.account_id = a.id
  WHERE a.kind = 'user' AND a.balance_paise <> coalesce(s.paise, 0)
  UNION ALL
  SELECT 'the balance is negative', a.id::text
  FROM accounts a JOIN sums s ON s.account_id = a.id
  WHERE a.kind = 'user' AND s.paise < 0
  UNION ALL
  SELECT 'an account with entries does not exist', s.account_id::text
  FROM sums s WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = s.account_id)
  UNION ALL
  SELECT 'the account of suspense is not what the open exceptions hold', 'suspense'
  WHERE (SELECT coalesce(sum(s.paise), 0) FROM sums s JOIN accounts a ON a.id = s.account_id
         WHERE a.kind = 'suspense')
    <> (SELECT coalesce(sum(x.booked_paise), 0) FROM payment_exceptions x WHERE x.state <> 'resolved')`;

const transferFaults = ({ id }: Since): RawBuilder<LedgerFault> => sql<LedgerFault>`
  WITH booked AS (SELECT * FROM entries WHERE transfer_id >= ${id}::uuid),
    moved AS (SELECT * FROM transfers WHERE id >= ${id}::uuid)
  SELECT 'a transfer has not exactly its two entries' AS what, t.id::text AS id
  FROM moved t LEFT JOIN booked e ON e.transfer_id = t.id
  GROUP BY t.id, t.from_account, t.to_account, t.amount_paise
  HAVING count(*) <> 2
    OR count(*) FILTER (WHERE e.account_id = t.from_account AND e.amount_paise = -t.amount_paise) <> 1
    OR count(*) FILTER (WHERE e.account_id = t.to_account AND e.amount_paise = t.amount_paise) <> 1
  UNION ALL
  SELECT 'an entry has no transfer', e.transfer_id::text
  FROM booked e WHERE NOT EXISTS (SELECT FROM moved t WHERE t.id = e.transfer_id)
  UNION ALL
  SELECT 'an account of a transfer does not exist', t.id::text
  FROM moved t
  WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = t.from_account)
    OR NOT EXISTS (SELECT FROM accounts a WHERE a.id = t.to_account)`;

/** Compares transfers with the orders, debits and refusals behind them, in both directions. */
const reasonFaults = ({ id, at }: Since): RawBuilder<LedgerFault> => sql<LedgerFault>`
  WITH moved AS (SELECT * FROM transfers WHERE id >= ${id}::uuid)
  SELECT 'a key was both refused to a user and carried out' AS what, t.idempotency_key AS id
  FROM moved t JOIN refusals r
    ON r.idempotency_key = t.idempotency_key AND r.user_account IN (t.from_account, t.to_account)
  UNION
  SELECT 'a key was both refused to a user and carried out', t.idempotency_key
  FROM refusals r JOIN transfers t
    ON r.idempotency_key = t.idempotency_key AND r.user_account IN (t.from_account, t.to_account)
  WHERE r.created_at >= ${at}::timestamptz
  UNION ALL
  SELECT 'a reversal does not mirror its debit', t.id::text
  FROM moved t LEFT JOIN transfers d
    ON d.idempotency_key = substr(t.idempotency_key, length('reversal:') + 1) AND d.from_account = t.to_account
   AND d.to_account = t.from_account AND d.amount_paise = t.amount_paise
  WHERE t.idempotency_key LIKE 'reversal:%' AND d.id IS NULL
  UNION ALL
  SELECT 'a paid top-up order has no credit of its amount', o.id
  FROM top_up_orders o LEFT JOIN transfers t
    ON t.idempotency_key = 'razorpay:' || o.payment_id AND t.reference = o.id
   AND t.to_account = o.user_id AND t.amount_paise = o.amount_paise
  WHERE o.status = 'paid' AND o.updated_at >= ${at}::timestamptz AND t.id IS NULL
  UNION ALL
  SELECT 'a top-up credit has no paid order', t.id::text
  FROM moved t LEFT JOIN top_up_orders o
    ON o.id = t.reference AND 'razorpay:' || o.payment_id = t.idempotency_key
  WHERE t.idempotency_key LIKE 'razorpay:%' AND o.id IS NULL
  UNION ALL
  SELECT 'a fee that was paid on top of an order is not booked', o.id
  FROM top_up_orders o LEFT JOIN transfers t
    ON t.idempotency_key = 'razorpay-fee:' || o.payment_id AND t.amount_paise = o.fee_paise
  WHERE o.fee_paise > 0 AND o.updated_at >= ${at}::timestamptz AND t.id IS NULL
  UNION ALL
  SELECT 'a booked fee was not paid on top of an order', t.id::text
  FROM moved t LEFT JOIN top_up_orders o
    ON o.id = t.reference AND 'razorpay-fee:' || o.payment_id = t.idempotency_key AND o.fee_paise = t.amount_paise
  WHERE t.idempotency_key LIKE 'razorpay-fee:%' AND o.id IS NULL
  UNION ALL
  SELECT 'a rest that was given up could have gone back to a card', t.id::text
  FROM moved t JOIN accounts a ON a.id = t.to_account
  WHERE a.kind = 'given_up' AND t.amount_paise >= ${REFUND_MIN_PAISE}`;

const cardFaults = ({ at }: Since): RawBuilder<LedgerFault> => sql<LedgerFault>`
  WITH recent AS (SELECT * FROM refunds WHERE updated_at >= ${at}::timestamptz OR status = 'pending'),
    disputed AS (SELECT * FROM disputes WHERE updated_at >= ${at}::timestamptz OR status = 'open')
  SELECT 'a refund has not left its wallet' AS what, r.id::text AS id
  FROM recent r
    LEFT JOIN transfers t ON t.idempotency_key = 'refund:' || r.id AND t.from_account = r.user_id
      AND t.amount_paise = r.amount_paise - r.short_paise - r.fee_paise
    LEFT JOIN transfers s ON s.idempotency_key = 'refund-short:' || r.id AND s.amount_paise = r.short_paise
    LEFT JOIN transfers f ON f.idempotency_key = 'refund-fee:' || r.id AND f.amount_paise = r.fee_paise
  WHERE (r.amount_paise > r.short_paise + r.fee_paise) <> (t.id IS NOT NULL)
    OR (r.short_paise > 0) <> (s.id IS NOT NULL) OR (r.fee_paise > 0) <> (f.id IS NOT NULL)
  UNION ALL
  SELECT 'a refund that is not failed was put back, or a failed one was not', r.id::text
  FROM recent r
    LEFT JOIN transfers t ON t.idempotency_key = 'refund-back:' || r.id AND t.to_account = r.user_id
      AND t.amount_paise = r.amount_paise - r.short_paise - r.fee_paise
    LEFT JOIN transfers s ON s.idempotency_key = 'refund-short-back:' || r.id AND s.amount_paise = r.short_paise
    LEFT JOIN transfers f ON f.idempotency_key = 'refund-fee-back:' || r.id AND f.amount_paise = r.fee_paise
  WHERE (r.status = 'failed' AND r.amount_paise > r.short_paise + r.fee_paise) <> (t.id IS NOT NULL)
    OR (r.status = 'failed' AND r.short_paise > 0) <> (s.id IS NOT NULL)
    OR (r.status = 'failed' AND r.fee_paise > 0) <> (f.id IS NOT NULL)
  UNION ALL
  SELECT 'a dispute has not moved its money as its state says', d.id
  FROM disputed d
    LEFT JOIN transfers h ON h.idempotency_key = 'dispute:' || d.id AND h.from_account = d.user_id
      AND h.amount_paise = d.held_paise
    LEFT JOIN transfers b ON b.idempotency_key = 'dispute-back:' || d.id AND b.to_account = d.user_id
      AND b.amount_paise = d.held_paise
    LEFT JOIN transfers l ON l.idempotency_key = 'dispute-lost:' || d.id AND l.amount_paise = d.held_paise
    LEFT JOIN transfers s ON s.idempotency_key = 'dispute-short:' || d.id
      AND s.amount_paise = d.amount_paise - d.held_paise - d.fee_paise
    LEFT JOIN transfers f ON f.idempotency_key = 'dispute-fee:' || d.id AND f.amount_paise = d.fee_paise
  WHERE (d.held_paise > 0) <> (h.id IS NOT NULL)
    OR (d.held_paise > 0 AND d.status = 'won') <> (b.id IS NOT NULL)
    OR (d.held_paise > 0 AND d.status = 'lost') <> (l.id IS NOT NULL)
    OR (d.amount_paise > d.held_paise + d.fee_paise AND d.status = 'lost') <> (s.id IS NOT NULL)
    OR (d.fee_paise > 0 AND d.status = 'lost') <> (f.id IS NOT NULL)
  UNION ALL
  SELECT 'the refunds of a payment are more than its top-up', r.payment_id
  FROM refunds r JOIN top_up_orders o ON o.id = r.order_id
  WHERE r.status <> 'failed'
  GROUP BY r.payment_id, o.amount_paise, o.fee_paise
  HAVING sum(r.amount_paise) > o.amount_paise + o.fee_paise`;

/** Returns the faults of the rows. The transaction must see one snapshot. */
export async function faultsSince(tx: Db, since: Since): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  for (const query of [balanceFaults, transferFaults, reasonFaults, cardFaults])
    faults.push(...(await query(since).execute(tx)).rows);
  return faults;
}

/** Returns Σ of all entries in paise, as text because it may be beyond 2^53. */
export async function totalSince(tx: Db, since: Since): Promise<string> {
  const { rows } = await sql<{ total: string }>`
    SELECT coalesce(sum(paise), 0)::text AS total FROM (${accountSums(since)}) sums`.execute(tx);
  return rows[0]?.total ?? '0';
}
