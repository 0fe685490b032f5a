/** Inserts rows as the services would write them, but without the files that they name. */
import { hash } from 'node:crypto';
import { createDb } from '@karaar/db';
import { sql, type RawBuilder } from 'kysely';

const STEP = 100_000;
/** The number of users in the admins' lists. User 0 has a tenth of everything. */
const PEOPLE = 10_000;
const YEAR_S = 365 * 86_400;
/** The rows of the admins' lists cover the last year. Its first second: */
export const START_S = Math.floor(Date.now() / 1_000) - YEAR_S;

/** Runs statements for the rows from number `from` to below `to` in steps, and updates the statistics. */
async function seed(
  ownerUrl: string,
  [from, to]: readonly [number, number],
  statements: (from: number, to: number) => RawBuilder<unknown>[],
): Promise<void> {
  const options = { max: 1, applicationName: 'bench-lists', statementTimeoutMs: 600_000 };
  const db = createDb<unknown>({ url: ownerUrl, ...options });
  try {
    await sql`
      CREATE OR REPLACE FUNCTION code_of(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((n >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC)
        FROM generate_series(0, 7) AS place
      $$`.execute(db);
    for (let at = from; at < to; at += STEP)
      for (const statement of statements(at, Math.min(at + STEP, to) - 1)) await statement.execute(db);
    await sql`VACUUM ANALYZE`.execute(db);
  } finally {
    await db.destroy();
  }
}

type Documents = {
  from: number;
  to: number;
  reader: string;
  heavy: string;
  /** The Unix time in seconds of document 0, and the seconds between documents. */
  startS?: number;
  everyS?: number;
};

/** Adds documents with two parties and a file. `heavy` has every tenth, `reader` 200 of the first thousand. */
export const seedDocuments = (
  ownerUrl: string,
  { from: begin, to: end, reader, heavy, startS = 1_750_000_000, everyS = 1 }: Documents,
): Promise<void> =>
  seed(ownerUrl, [begin, end], (from, to) => [
    sql`DROP TABLE IF EXISTS pg_temp.seeded`,
    sql`
      CREATE TEMP TABLE seeded AS
      SELECT n, to_timestamp(${startS}::float8 + n * ${everyS}::float8) AS at,
        -- Ids that sort by time, as UUIDv7 does.
        (lpad(to_hex(((${startS}::float8 + n * ${everyS}::float8) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid AS id,
        CASE WHEN n % 10 = 0 THEN ${heavy}::uuid
          WHEN n < 1000 AND n % 5 = 1 THEN ${reader}::uuid
          ELSE md5('user' || n % 10000)::uuid END AS owner,
        md5('user' || (n * 7 + 3) % 10000)::uuid AS other,
        (ARRAY['pending', 'approved', 'pending_approval', 'pending', 'rejected', 'approved'])[1 + (n / 5) % 6] AS status
      FROM generate_series(${from}::bigint, ${to}::bigint) AS n`,
    sql`
      INSERT INTO documents (id, document_code, name, location, status, primary_user, daily_rate_paise, version, page_details, created_at, changed_at)
      SELECT id, code_of(n), (ARRAY['Rent', 'Lease', 'Sale', 'Loan'])[1 + n % 4] || ' agreement, plot ' || n,
        (ARRAY['Pune', 'Chennai', 'Kolkata', NULL])[1 + (n / 4) % 4], status, owner, 100, 1, '[]',
        at, at
      FROM seeded`,
    sql`
      INSERT INTO parties (document_id, user_id, position, state, approved, approved_at, approved_files_sha256, verified)
      SELECT id, owner, 0, 'primary', status = 'approved', CASE WHEN status = 'approved' THEN now() END,
        CASE WHEN status = 'approved' THEN repeat('a', 64) END, true FROM seeded
      UNION ALL
      SELECT id, other, 1, 'approved', true, now(), repeat('a', 64), true FROM seeded WHERE other <> owner`,
    sql`
      INSERT INTO raw_files (document_id, ordinal, name, kind, mime, size, sha256, path, pages, preview_path, preview_sha256,
        text_path, thumb_path)
      SELECT id, 0, 'rent.pdf', 'pdf', 'application/pdf', 1000, repeat('b', 64), at, 1, at || '/pages', repeat('c', 64),
        at || '/text', at || '/thumb'
      FROM (SELECT id, md5(n::text) || '/' || id AS at FROM seeded) AS one`,
    sql`
      INSERT INTO my_documents (user_id, document_id, status, waiting, name_key, search, changed_at)
      SELECT p.user_id, d.id, d.status, false, left(lower(d.name), 200),
        lower(concat_ws(' ', d.name, d.document_code, d.location)), d.changed_at
      FROM seeded s JOIN documents d ON d.id = s.id JOIN parties p ON p.document_id = d.id`,
  ]);

/** Adds the users to the directory; `00000042` is the 8-character ID of user 42. */
const seedDirectory = (ownerUrl: string): Promise<void> =>
  seed(ownerUrl, [0, PEOPLE], (from, to) => [
    sql`
  INSERT INTO directory (user_id, char_id, name, email, phone_no, is_active, profile_complete, version)
  SELECT md5('user' || n)::uuid, lpad(n::text, 8, '0'), 'User ' || n, 'user' || n || '@example.org',
    '+91' || (6000000000 + n), true, true, 1
  FROM generate_series(${from}::int, ${to}::int) AS n`,
  ]);

/** Adds documents, one in a thousand of them a draft. */
export async function seedAllDocuments(ownerUrl: string, rows: number): Promise<void> {
  const idOf = (number: number): string => hash('md5', `user${number}`);
  await seedDirectory(ownerUrl);
  const times = { startS: START_S, everyS: YEAR_S / rows };
  await seedDocuments(ownerUrl, { from: 0, to: rows, reader: idOf(1), heavy: idOf(0), ...times });
  await seed(ownerUrl, [0, 1], () => [sql`UPDATE documents SET status = 'draft' WHERE name LIKE '%777'`]);
}

/** Adds three payments for documents for each card payment. */
export async function seedPayments(ownerUrl: string, rows: number): Promise<void> {
  await seedDirectory(ownerUrl);
  await seed(ownerUrl, [1, rows + 1], (from, to) => [
    sql`
      INSERT INTO payments (id, document_id, document_name, user_id, amount_paise, status, transfer_id, created_at)
      SELECT gen_random_uuid(), md5('document' || n)::uuid,
        (ARRAY['Rent', 'Lease', 'Sale', 'Loan'])[1 + n % 4] || ' agreement, plot ' || n,
        md5('user' || CASE WHEN n % 10 = 1 THEN 0 ELSE n % ${PEOPLE}::int END)::uuid, 100 + (n::bigint * 7919) % 500000,
        CASE WHEN n % 50 = 1 THEN 'failed' WHEN n % 4000 = 2 THEN 'pending' ELSE 'completed' END,
        CASE WHEN n % 50 = 1 OR n % 4000 = 2 THEN NULL ELSE gen_random_uuid() END,
        to_timestamp(${START_S}::float8 + n * ${YEAR_S / rows}::float8)
      FROM generate_series(${from}::int, ${to}::int) AS n WHERE n % 4 <> 0`,
    sql`
      INSERT INTO card_movements (id, reference, type, order_id, payment_id, user_id, amount_paise, status, version, created_at)
      SELECT gen_random_uuid(), CASE WHEN n % 20 = 0 THEN 'refund_' || n ELSE 'order_' || n END,
        CASE WHEN n % 20 = 0 THEN 'refund' ELSE 'top_up' END, 'order_' || n, 'pay_' || n,
        md5('user' || CASE WHEN n % 40 = 0 THEN 0 ELSE n % ${PEOPLE}::int END)::uuid, 100 + (n::bigint * 7919) % 500000,
        CASE WHEN n % 24 = 0 THEN 'failed' WHEN n % 4000 = 4 THEN 'pending' ELSE 'completed' END, 3,
        to_timestamp(${START_S}::float8 + n * ${YEAR_S / rows}::float8)
      FROM generate_series(${from}::int, ${to}::int) AS n WHERE n % 4 = 0`,
  ]);
}

/** Adds users, one in ten thousand of them deactivated. First names are common, family names rare. */
export const seedUsers = (ownerUrl: string, rows: number): Promise<void> =>
  seed(ownerUrl, [1, rows + 1], (from, to) => [
    sql`
      INSERT INTO users (id, char_id, name, email, phone_no, city, state, status, created_at)
      SELECT md5('user' || n)::uuid, code_of(n),
        (ARRAY['Asha', 'Vikram', 'Meera', 'Ravi', 'Lakshmi'])[1 + n % 5] || ' ' || initcap(substr(md5('family' || n % 50000), 1, 9)),
        'person' || n || '@example.org', '+91' || (6000000000 + n), 'Pune', 'Maharashtra',
        CASE WHEN n % 10000 = 7 THEN 'inactive' ELSE 'active' END, to_timestamp(${START_S}::float8 + n * ${YEAR_S / rows}::float8)
      FROM generate_series(${from}::int, ${to}::int) AS n`,
  ]);

/** Adds admins and their actions: half of them by one admin, one in ten thousand a refund. */
export async function seedAudit(ownerUrl: string, rows: number): Promise<void> {
  await seed(ownerUrl, [1, 21], (from, to) => [
    sql`
      INSERT INTO admins (id, username, password_hash, role)
      SELECT md5('admin' || n)::uuid, 'admin-' || n, 'without a password', 'support'
      FROM generate_series(${from}::int, ${to}::int) AS n`,
  ]);
  await seed(ownerUrl, [1, rows + 1], (from, to) => [
    sql`
      INSERT INTO admin_audit (id, admin_id, action, target_id, target, reason, at)
      SELECT gen_random_uuid(), md5('admin' || CASE WHEN n % 2 = 0 THEN 1 ELSE 2 + n % 19 END)::uuid,
        CASE WHEN n % 10000 = 5 THEN 'refund.made'
          ELSE (ARRAY['admin.signed-in', 'user.deactivated', 'user.reactivated', 'biometrics.opened'])[1 + n % 4] END,
        md5('user' || n % ${PEOPLE}::int)::uuid::text, lpad((n % ${PEOPLE}::int)::text, 8, '0'), 'Asked for on the phone',
        to_timestamp(${START_S}::float8 + n * ${YEAR_S / rows}::float8)
      FROM generate_series(${from}::int, ${to}::int) AS n`,
  ]);
}
