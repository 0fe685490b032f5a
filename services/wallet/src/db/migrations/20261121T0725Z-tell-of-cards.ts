import { sql, type Kysely } from 'kysely';

/** Tells of the top-ups and refunds that there are, as later ones are told of when they change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const iso = sql`to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await sql`
    INSERT INTO outbox (id, subject, type, version, aggregate_id, aggregate_version, data)
    SELECT gen_random_uuid(), 'evt.wallet.card.changed.v1', 'wallet.card.changed', 1, id,
      CASE status WHEN 'created' THEN 1 WHEN 'failed' THEN 2 ELSE 3 END,
      json_build_object('reference', id, 'type', 'top_up', 'order_id', id, 'payment_id', payment_id,
        'user_id', user_id, 'amount_paise', amount_paise, 'created_at', ${iso},
        'status', CASE status WHEN 'created' THEN 'pending' WHEN 'failed' THEN 'failed' ELSE 'completed' END)
    FROM top_up_orders`.execute(db);
  await sql`
    INSERT INTO outbox (id, subject, type, version, aggregate_id, aggregate_version, data)
    SELECT gen_random_uuid(), 'evt.wallet.card.changed.v1', 'wallet.card.changed', 1, id::text,
      CASE status WHEN 'pending' THEN 1 ELSE 2 END,
      json_build_object('reference', id, 'type', 'refund', 'order_id', order_id, 'payment_id', payment_id,
        'user_id', user_id, 'amount_paise', amount_paise, 'created_at', ${iso},
        'status', CASE status WHEN 'processed' THEN 'completed' ELSE status END)
    FROM refunds`.execute(db);
}
