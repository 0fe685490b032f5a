/** The admins' list of all payments: wallet payments and card payments, merged from an index of each. */
import { isUuid } from '@karaar/db';
import type { AdminPaymentSort, Payment, PaymentType } from '@karaar/contracts/payments/http';
import { readPlain } from '@karaar/contracts/typed/read';
import { whoIs } from '@karaar/bus/directory';
import {
  all,
  cut,
  inDays,
  keyset,
  occursIn,
  pageRows,
  type KeysetSort,
  type Placed,
} from '@karaar/db/keyset';
import { readCounters } from '@karaar/db/counters';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/schema.ts';

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
  fee_paise: number;
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

/** The conditions of a search for wallet payments, card payments, and the text in the document's name. */
type Found = { own?: RawBuilder<boolean>; card?: RawBuilder<boolean>; text?: RawBuilder<boolean> };
const never = sql<boolean>`false`;

async function found(db: Db, search: string): Promise<Found> {
  const person = await whoIs(db, search);
  if (person) {
    const theirs = sql<boolean>`user_id = ${person}::uuid`;
    return { own: theirs, card: theirs };
  }
  // Copied ids have invisible characters around them.
  const typed = readPlain(search).trim();
  if (isUuid(typed)) {
    const id = sql`${typed}::uuid`;
    return {
      own: sql<boolean>`(id = ${id} OR document_id = ${id})`,
      card: sql<boolean>`reference = ${typed}`,
    };
  }
  if (/^(order|pay|rfnd)_/.test(typed))
    return { own: never, card: sql<boolean>`(order_id = ${typed} OR payment_id = ${typed})` };
  return { text: occursIn([sql`lower(document_name)`], search) };
}

const OWN = sql`(
  SELECT id, 'document' AS type, document_id, document_name, user_id, amount_paise, 0::bigint AS fee_paise, status, 'wallet' AS method,
    NULL AS order_id, id::text AS payment_id, created_at FROM payments) AS own`;
const CARD = sql`(
  SELECT id, type, NULL::uuid AS document_id, NULL AS document_name, user_id, amount_paise, fee_paise, status, 'card' AS method,
    order_id, payment_id, created_at, reference FROM card_movements) AS card`;

/** Returns one page and the next cursor. Throws 400 for a cursor of another list, 422 for an invalid day. */
export async function listPayments(
  db: Db,
  page: PaymentPage,
): Promise<{ items: PaymentLine[]; nextCursor: string | null }> {
  const { search, status, type, document_id, from, to, sort = 'newest', cursor, limit } = page;
  const by = keyset(SORTS, sort, cursor);
  const words = search?.trim();
  const meant: Found = words ? await found(db, words) : {};
  const filters = [
    ...(status ? [sql<boolean>`status = ${status}`] : []),
    ...inDays('created_at', { from, to }),
  ];
  const ofDocument =
    document_id && isUuid(document_id) ? sql<boolean>`document_id = ${document_id}::uuid` : never;
  const own = [
    ...(meant.own ? [meant.own] : []),
    ...(document_id ? [ofDocument] : []),
    ...(type && type !== 'document' ? [never] : []),
  ];
  const card = [
    by.after,
    ...filters,
    ...(meant.card ? [meant.card] : []),
    ...(document_id || meant.text ? [never] : []),
    ...(type ? [sql<boolean>`type = ${type}`] : []),
  ];
  const columns = sql`id, ${by.key} AS page_key, type, document_id, document_name, user_id, amount_paise, fee_paise, status,
    method, order_id, payment_id, created_at`;
  // The indexes by amount contain neither states nor days.
  const byAge = SORTS[sort].column === 'created_at';
  const query = {
    list: OWN,
    conditions: [...own, ...(byAge ? filters : [])],
    slowConditions: byAge ? [] : filters,
    keyset: by,
    limit: limit + 1,
  };
  const rows = await pageRows({ ...query, text: meant.text }, async (ofOwn) => {
    const answer = await sql<PaymentLine>`
        SELECT line.*, u.name AS user_name, u.char_id FROM (
          (SELECT ${columns} FROM (${ofOwn}) AS own)
          UNION ALL
          (SELECT ${columns} FROM ${CARD} WHERE ${all(card)} ORDER BY ${by.orderBy} LIMIT ${limit + 1})
          ORDER BY ${by.orderBy} LIMIT ${limit + 1}
        ) line LEFT JOIN directory u USING (user_id) ORDER BY ${by.orderBy}`.execute(db);
    return answer.rows;
  });
  return cut(rows, limit, sort);
}

export type Totals = {
  sums: { type: PaymentType; status: Payment['status']; paise: number; count: number }[];
  byDay: { day: string; paise: number; count: number }[];
};

/** Returns the sums by type and status, and the document payments of each of the last days in India. */
export async function sumPayments(db: Db, days: number): Promise<Totals> {
  const own = await readCounters(db, 'payments', days);
  const cards = await readCounters(db, 'card_movements', 0);
  // The tables' checks allow only these kinds: a status, for card payments after the type.
  return {
    sums: [
      ...own.kinds.map(({ kind, count, amount }) => ({
        type: 'document' as const,
        status: kind as Payment['status'],
        paise: amount,
        count,
      })),
      ...cards.kinds.map(({ kind, count, amount }) => {
        const [type, status] = kind.split(' ') as [PaymentType, Payment['status']];
        return { type, status, paise: amount, count };
      }),
    ],
    byDay: own.byDay.flatMap(({ day, kind, count, amount }) =>
      kind === 'completed' ? [{ day, paise: amount, count }] : [],
    ),
  };
}
