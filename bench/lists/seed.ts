/** Documents by the hundred thousand, as the service itself would have written them; no blobs behind the paths. */
import type { Database } from '@karaar/service-documents/db/schema';
import { sql, type Kysely } from 'kysely';

const STEP = 100_000;

type Wish = {
  from: number;
  to: number;
  reader: string;
  heavy: string;
  /** Second of 1970 at which the first one was created; a fixed day of 2025 when absent. */
  startS?: number;
  /** Seconds from one to the next. */
  everyS?: number;
};

/** The SQL function `code_of`: 8-character codes that count in base 32. */
export const codeOf = <DB>(db: Kysely<DB>) =>
  sql`
    CREATE OR REPLACE FUNCTION code_of(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((n >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC)
      FROM generate_series(0, 7) AS place
    $$`.execute(db);

/**
 * Adds the documents numbered `from` to `to`: every tenth belongs to `heavy`, 200 of the first thousand to
 * `reader`, the others to ten thousand further users. Each has a second party and one file.
 */
export async function seedDocuments(db: Kysely<Database>, wish: Wish): Promise<void> {
  await codeOf(db);
  for (let from = wish.from; from < wish.to; from += STEP) {
    await seedStep(db, { ...wish, from, to: Math.min(from + STEP, wish.to) });
    console.log(`  ${Math.min(from + STEP, wish.to)} seeded`);
  }
  await db.connection().execute(async (one) => {
    await sql`SET statement_timeout = 0`.execute(one);
    await sql`VACUUM ANALYZE`.execute(one);
    await sql`RESET statement_timeout`.execute(one);
  });
}

async function seedStep(
  db: Kysely<Database>,
  { from, to, reader, heavy, startS = 1_750_000_000, everyS = 1 }: Wish,
): Promise<void> {
  await db.connection().execute(async (one) => {
    // A hundred thousand at once take longer than any answer may.
    await sql`SET statement_timeout = 0`.execute(one);
    await sql`DROP TABLE IF EXISTS pg_temp.seeded`.execute(one);
    await sql`
      CREATE TEMP TABLE seeded AS
      SELECT n, to_timestamp(${startS}::float8 + n * ${everyS}::float8) AS at,
        -- Ids that sort by time, as UUIDv7 does.
        (lpad(to_hex(((${startS}::float8 + n * ${everyS}::float8) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid AS id,
        CASE WHEN n % 10 = 0 THEN ${heavy}::uuid
          WHEN n < 1000 AND n % 5 = 1 THEN ${reader}::uuid
          ELSE md5('user' || n % 10000)::uuid END AS owner,
        md5('user' || (n * 7 + 3) % 10000)::uuid AS other,
        (ARRAY['pending', 'approved', 'pending_approval', 'pending', 'rejected', 'approved'])[1 + (n / 5) % 6] AS status
      FROM generate_series(${from}::bigint, ${to - 1}::bigint) AS n`.execute(one);
    await sql`
      INSERT INTO documents (id, document_code, name, location, status, primary_user, daily_rate_paise, version, page_details, created_at, changed_at)
      SELECT id, code_of(n), (ARRAY['Rent', 'Lease', 'Sale', 'Loan'])[1 + n % 4] || ' agreement, plot ' || n,
        (ARRAY['Pune', 'Chennai', 'Kolkata', NULL])[1 + (n / 4) % 4], status, owner, 100, 1, '[]',
        at, at
      FROM seeded`.execute(one);
    await sql`
      INSERT INTO parties (document_id, user_id, position, state, approved, approved_at, approved_files_sha256, verified)
      SELECT id, owner, 0, 'primary', status = 'approved', CASE WHEN status = 'approved' THEN now() END,
        CASE WHEN status = 'approved' THEN repeat('a', 64) END, true FROM seeded
      UNION ALL
      SELECT id, other, 1, 'approved', true, now(), repeat('a', 64), true FROM seeded WHERE other <> owner`.execute(
      one,
    );
    await sql`
      INSERT INTO raw_files (document_id, ordinal, name, kind, mime, size, sha256, path, pages, preview_path, preview_sha256,
        text_path, thumb_path)
      SELECT id, 0, 'rent.pdf', 'pdf', 'application/pdf', 1000, repeat('b', 64), at, 1, at || '/pages', repeat('c', 64),
        at || '/text', at || '/thumb'
      FROM (SELECT id, md5(n::text) || '/' || id AS at FROM seeded) AS one`.execute(one);
    await sql`
      INSERT INTO my_documents (user_id, document_id, status, waiting, name_key, search, changed_at)
      SELECT p.user_id, d.id, d.status, false, left(lower(d.name), 200),
        lower(concat_ws(' ', d.name, d.document_code, d.location)), d.changed_at
      FROM seeded s JOIN documents d ON d.id = s.id JOIN parties p ON p.document_id = d.id`.execute(one);
    await sql`RESET statement_timeout`.execute(one);
  });
}
