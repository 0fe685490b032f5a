/** Payments by the hundred thousand: three of four for documents, the others by card. */
import type { Database } from '@karaar/service-payments/db/schema';
import { sql, type Kysely } from 'kysely';

/** @param rows of both kinds together */
export async function seedPayments(db: Kysely<Database>, rows: number): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`SET statement_timeout = 0`.execute(one);
    await sql`
      INSERT INTO directory (user_id, char_id, name, email, phone_no, is_active, profile_complete, version)
      SELECT md5('user' || n)::uuid, lpad(n::text, 8, '0'), 'User ' || n, 'user' || n || '@example.org',
        '+91' || (6000000000 + n), true, true, 1
      FROM generate_series(0, 9999) AS n`.execute(one);
    await sql`
      INSERT INTO payments (id, document_id, document_name, user_id, amount_paise, status, transfer_id, created_at)
      SELECT gen_random_uuid(), md5('document' || n)::uuid,
        (ARRAY['Rent', 'Lease', 'Sale', 'Loan'])[1 + n % 4] || ' agreement, plot ' || n,
        md5('user' || n % 10000)::uuid, 100 + (n * 7919) % 500000,
        CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 40 = 0 THEN 'pending' ELSE 'completed' END,
        CASE WHEN n % 50 = 0 OR n % 40 = 0 THEN NULL ELSE gen_random_uuid() END,
        to_timestamp(1750000000 + n)
      FROM generate_series(1, ${Math.ceil(rows * 0.75)}::bigint) AS n`.execute(one);
    await sql`
      INSERT INTO card_movements (id, reference, type, order_id, payment_id, user_id, amount_paise, status, version, created_at)
      SELECT gen_random_uuid(), CASE WHEN n % 20 = 0 THEN 'refund_' || n ELSE 'order_' || n END,
        CASE WHEN n % 20 = 0 THEN 'refund' ELSE 'top_up' END, 'order_' || n, 'pay_' || n,
        md5('user' || n % 10000)::uuid, 100 + (n * 7919) % 500000,
        CASE WHEN n % 30 = 0 THEN 'failed' ELSE 'completed' END, 3, to_timestamp(1750000000 + n * 4)
      FROM generate_series(1, ${Math.ceil(rows * 0.25)}::bigint) AS n`.execute(one);
    await sql`VACUUM ANALYZE`.execute(one);
    await sql`RESET statement_timeout`.execute(one);
  });
}
