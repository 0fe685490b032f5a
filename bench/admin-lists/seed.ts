/** Payments, users and acts of admins by the hundred thousand, spread over a year as documents are (`../lists/seed.ts`). */
import type { Database as Auth } from '@karaar/service-auth/db/schema';
import type { Database as Documents } from '@karaar/service-documents/db/schema';
import type { Database as Payments } from '@karaar/service-payments/db/schema';
import { sql, type Kysely } from 'kysely';
import { codeOf, seedDocuments } from '../lists/seed.ts';

/** Users of the seeds have these ids; the one of number 0 has a tenth of everything. */
export const PEOPLE = 10_000;
const STEP = 100_000;
const YEAR_S = 365 * 86_400;

async function steps<DB>(
  db: Kysely<DB>,
  rows: number,
  what: string,
  run: (one: Kysely<DB>, from: number, to: number) => Promise<void>,
): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`SET statement_timeout = 0`.execute(one);
    for (let from = 1; from <= rows; from += STEP) {
      await run(one, from, Math.min(from + STEP - 1, rows));
      console.log(`  ${what}: ${Math.min(from + STEP - 1, rows)} seeded`);
    }
    await sql`RESET statement_timeout`.execute(one);
  });
}

/** Who the users are, as the services know it: `00000042` is the 8-character ID of number 42. */
const directoryRows = sql`
  INSERT INTO directory (user_id, char_id, name, email, phone_no, is_active, profile_complete, version)
  SELECT md5('user' || n)::uuid, lpad(n::text, 8, '0'), 'User ' || n, 'user' || n || '@example.org',
    '+91' || (6000000000 + n), true, true, 1
  FROM generate_series(0, ${PEOPLE - 1}::int) AS n`;

/** A tenth belongs to number 0; one in ten thousand is a draft. */
export async function seedAllDocuments(db: Kysely<Documents>, rows: number, startS: number): Promise<void> {
  await directoryRows.execute(db);
  const { rows: people } = await sql<{ heavy: string; reader: string }>`
    SELECT md5('user0')::uuid AS heavy, md5('user1')::uuid AS reader`.execute(db);
  const [{ heavy, reader } = { heavy: '', reader: '' }] = people;
  await seedDocuments(db, { from: 0, to: rows, reader, heavy, startS, everyS: YEAR_S / rows });
  await db.connection().execute(async (one) => {
    await sql`SET statement_timeout = 0`.execute(one);
    await sql`UPDATE documents SET status = 'draft' WHERE name LIKE '%777'`.execute(one);
    await sql`RESET statement_timeout`.execute(one);
  });
}

/** Three of four for documents, the others by card. */
export async function seedPayments(db: Kysely<Payments>, rows: number, startS: number): Promise<void> {
  await directoryRows.execute(db);
  const everyS = YEAR_S / rows;
  await steps(db, rows, 'payments', async (one, from, to) => {
    await sql`
      INSERT INTO payments (id, document_id, document_name, user_id, amount_paise, status, transfer_id, created_at)
      SELECT gen_random_uuid(), md5('document' || n)::uuid,
        (ARRAY['Rent', 'Lease', 'Sale', 'Loan'])[1 + n % 4] || ' agreement, plot ' || n,
        md5('user' || CASE WHEN n % 10 = 1 THEN 0 ELSE n % ${PEOPLE}::int END)::uuid, 100 + (n::bigint * 7919) % 500000,
        CASE WHEN n % 50 = 1 THEN 'failed' WHEN n % 4000 = 2 THEN 'pending' ELSE 'completed' END,
        CASE WHEN n % 50 = 1 OR n % 4000 = 2 THEN NULL ELSE gen_random_uuid() END,
        to_timestamp(${startS}::float8 + n * ${everyS}::float8)
      FROM generate_series(${from}::int, ${to}::int) AS n WHERE n % 4 <> 0`.execute(one);
    await sql`
      INSERT INTO card_movements (id, reference, type, order_id, payment_id, user_id, amount_paise, status, version, created_at)
      SELECT gen_random_uuid(), CASE WHEN n % 20 = 0 THEN 'refund_' || n ELSE 'order_' || n END,
        CASE WHEN n % 20 = 0 THEN 'refund' ELSE 'top_up' END, 'order_' || n, 'pay_' || n,
        md5('user' || CASE WHEN n % 40 = 0 THEN 0 ELSE n % ${PEOPLE}::int END)::uuid, 100 + (n::bigint * 7919) % 500000,
        CASE WHEN n % 24 = 0 THEN 'failed' WHEN n % 4000 = 4 THEN 'pending' ELSE 'completed' END, 3,
        to_timestamp(${startS}::float8 + n * ${everyS}::float8)
      FROM generate_series(${from}::int, ${to}::int) AS n WHERE n % 4 = 0`.execute(one);
  });
}

/** One in ten thousand is deactivated; first names are common, family names rare. */
export async function seedUsers(db: Kysely<Auth>, rows: number, startS: number): Promise<void> {
  await codeOf(db);
  const everyS = YEAR_S / rows;
  await steps(db, rows, 'users', async (one, from, to) => {
    await sql`
      INSERT INTO users (id, char_id, name, email, phone_no, city, state, status, created_at)
      SELECT md5('user' || n)::uuid, code_of(n),
        (ARRAY['Asha', 'Vikram', 'Meera', 'Ravi', 'Lakshmi'])[1 + n % 5] || ' ' || initcap(substr(md5('family' || n % 50000), 1, 9)),
        'person' || n || '@example.org', '+91' || (6000000000 + n), 'Pune', 'Maharashtra',
        CASE WHEN n % 10000 = 7 THEN 'inactive' ELSE 'active' END, to_timestamp(${startS}::float8 + n * ${everyS}::float8)
      FROM generate_series(${from}::int, ${to}::int) AS n`.execute(one);
  });
}

/** Half of all acts are one admin's; one in ten thousand is a refund. */
export async function seedAudit(db: Kysely<Auth>, rows: number, startS: number): Promise<void> {
  const everyS = YEAR_S / rows;
  await sql`
    INSERT INTO admins (id, username, password_hash, role)
    SELECT md5('admin' || n)::uuid, 'admin-' || n, 'nobody signs in by this', 'support' FROM generate_series(1, 20) AS n`.execute(
    db,
  );
  await steps(db, rows, 'audit', async (one, from, to) => {
    await sql`
      INSERT INTO admin_audit (id, admin_id, action, target_id, target, reason, at)
      SELECT gen_random_uuid(), md5('admin' || CASE WHEN n % 2 = 0 THEN 1 ELSE 2 + n % 19 END)::uuid,
        CASE WHEN n % 10000 = 5 THEN 'refund.made'
          ELSE (ARRAY['admin.signed-in', 'user.deactivated', 'user.reactivated', 'biometrics.opened'])[1 + n % 4] END,
        md5('user' || n % ${PEOPLE}::int)::uuid::text, lpad((n % ${PEOPLE}::int)::text, 8, '0'), 'Asked for on the phone',
        to_timestamp(${startS}::float8 + n * ${everyS}::float8)
      FROM generate_series(${from}::int, ${to}::int) AS n`.execute(one);
  });
}
