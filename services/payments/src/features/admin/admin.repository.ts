/** The admins' list of all payments: our own and those by card, merged page by page from an index of each. */
import type { AdminPaymentSort, Payment, PaymentType } from '@karaar/contracts/payments/http';
import { whoIs } from '@karaar/platform/directory';
import {
  all,
  cut,
  inDays,
  keyset,
  likePart,
  textHits,
  type KeysetSort,
  type Placed,
} from '@karaar/platform/keyset';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '../../db/schema.ts';

export type PaymentFilters = {
  search?: string | undefined;
  status?: Payment['status'] | '' | undefined;
  type?: PaymentType | '' | undefined;
  document_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: AdminPaymentSort | undefined;
};
export type PaymentPage = PaymentFilters & { cursor?: string | undefined; limit: number };

export type PaymentLine = Placed & {
  type: PaymentType;
  document_id: string | null;
  document_name: string | null;
  user_id: string;
  user_name: string | null;
  char_id: string | null;
  amount_paise: number;
  status: Payment['status'];
  method: 'wallet' | 'card';
  order_id: string | null;
  payment_id: string | null;
  created_at: Date;
};

const SORTS = {
  newest: { column: 'created_at', cast: 'timestamptz', direction: 'desc' },
  oldest: { column: 'created_at', cast: 'timestamptz', direction: 'asc' },
  amount: { column: 'amount_paise', cast: 'bigint', direction: 'desc' },
  '-amount': { column: 'amount_paise', cast: 'bigint', direction: 'asc' },
} as const satisfies Record<AdminPaymentSort, KeysetSort>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Sides = { own: RawBuilder<boolean>; card: RawBuilder<boolean> };
const never = sql<boolean>`false`;

/** What a search means on either side, each by an index of its own. */
async function found(db: Kysely<Database>, search: string): Promise<Sides> {
  const person = await whoIs(db, search);
  if (person) {
    const theirs = sql<boolean>`user_id = ${person}::uuid`;
    return { own: theirs, card: theirs };
  }
  if (UUID.test(search)) {
    const id = sql`${search}::uuid`;
    return {
      own: sql<boolean>`(id = ${id} OR document_id = ${id})`,
      card: sql<boolean>`reference = ${search}`,
    };
  }
  const byCard = sql<boolean>`(order_id = ${search} OR payment_id = ${search})`;
  if (/^(order|pay|rfnd)_/.test(search)) return { own: never, card: byCard };
  const named = sql<boolean>`lower(document_name) LIKE ${likePart(search.toLowerCase())}`;
  return { own: await textHits(db, 'payments', named), card: never };
}

/** One page and the cursor of the next. Throws 400 for a cursor of another list, 422 for a day that there is not. */
export async function listPayments(
  db: Kysely<Database>,
  page: PaymentPage,
): Promise<{ items: PaymentLine[]; nextCursor: string | null }> {
  const { search, status, type, document_id, from, to, sort = 'newest', cursor, limit } = page;
  const { key, orderBy, after } = keyset(SORTS, sort, cursor);
  const words = search?.trim();
  const meant = words ? await found(db, words) : undefined;
  const shared = [
    after,
    ...(status ? [sql<boolean>`status = ${status}`] : []),
    ...inDays('created_at', { from, to }),
  ];
  const ofDocument =
    document_id && UUID.test(document_id) ? sql<boolean>`document_id = ${document_id}::uuid` : never;
  const own = all([
    ...shared,
    ...(meant ? [meant.own] : []),
    ...(document_id ? [ofDocument] : []),
    ...(type && type !== 'document' ? [never] : []),
  ]);
  const card = all([
    ...shared,
    ...(meant ? [meant.card] : []),
    ...(document_id ? [never] : []),
    ...(type ? [sql<boolean>`type = ${type}`] : []),
  ]);
  const { rows } = await sql<PaymentLine>`
    SELECT line.*, u.name AS user_name, u.char_id FROM (
      (SELECT id, ${key} AS page_key, 'document' AS type, document_id, document_name, user_id, amount_paise, status,
          'wallet' AS method, NULL AS order_id, id::text AS payment_id, created_at
        FROM payments WHERE ${own} ORDER BY ${orderBy} LIMIT ${limit + 1})
      UNION ALL
      (SELECT id, ${key} AS page_key, type, NULL, NULL, user_id, amount_paise, status,
          'card', order_id, payment_id, created_at
        FROM card_movements WHERE ${card} ORDER BY ${orderBy} LIMIT ${limit + 1})
      ORDER BY ${orderBy} LIMIT ${limit + 1}
    ) line LEFT JOIN directory u USING (user_id) ORDER BY ${orderBy}`.execute(db);
  return cut(rows, limit, sort);
}

export type Totals = {
  sums: { type: PaymentType; status: Payment['status']; paise: number; count: number }[];
  byDay: { day: string; paise: number; count: number }[];
};

/** All payments by type and status, and what was paid for documents on each of the last days of India's calendar. */
export async function sumPayments(db: Kysely<Database>, days: number): Promise<Totals> {
  const { rows: sums } = await sql<Totals['sums'][number]>`
    SELECT 'document' AS type, status, sum(amount_paise)::bigint AS paise, count(*)::int AS count
    FROM payments GROUP BY status
    UNION ALL
    SELECT type, status, sum(amount_paise)::bigint, count(*)::int FROM card_movements GROUP BY type, status`.execute(
    db,
  );
  const { rows: byDay } = await sql<Totals['byDay'][number]>`
    SELECT to_char(created_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') AS day,
      sum(amount_paise)::bigint AS paise, count(*)::int AS count
    FROM payments WHERE status = 'completed' AND created_at >= now() - make_interval(days => ${days})
    GROUP BY 1 ORDER BY 1`.execute(db);
  return { sums, byDay };
}
