/**
 * Ledger periods: months that have ended and whose totals were proved and stored. A proof need not read them
 * each time, and a later change of their rows is detected (ADR 0070).
 */
import { idAt, momentOf, spanOf, type Span } from '@karaar/db/partitions';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { ALWAYS, type LedgerFault, type Since } from './ledger-faults.ts';

/**
 * The time between the end of a month and its closing, in which all transactions with transfers of that month
 * end.
 */
const GRACE_MS = 24 * 60 * 60 * 1_000;
/** The first period contains everything older than this. */
const MONTHS_BACK = 120;

/**
 * A digest that does not depend on the rows' order: two sums of 64 bits of each row's SHA-256. It hashes
 * PostgreSQL's binary format, so that settings and versions do not change it.
 */
const digestOf = (bytes: RawBuilder<unknown>, from: RawBuilder<unknown>, also = sql``) => sql`
  SELECT count(*) AS rows ${also},
    concat_ws(':', coalesce(sum(substr(hash, 1, 8)::int8), 0), coalesce(sum(substr(hash, 9, 8)::int8), 0)) AS digest
  FROM (SELECT *, sha256(${bytes}) AS hash FROM ${from} OFFSET 0) hashed`;

const textBytes = (column: string) =>
  sql`int4send(octet_length(${sql.ref(column)})) || convert_to(${sql.ref(column)}, 'UTF8')`;

const TRANSFER_BYTES = sql`uuid_send(id) || uuid_send(from_account) || uuid_send(to_account) || int8send(amount_paise)
  || int8send(balance_after_paise) || timestamptz_send(created_at)
  || ${sql.join([textBytes('idempotency_key'), textBytes('description'), textBytes('reference')], sql` || `)}`;
const ENTRY_BYTES = sql`uuid_send(transfer_id) || uuid_send(account_id) || int8send(amount_paise)`;

/** The totals of a range of transfers: the columns `transfers, entries, moved_paise, digest`. */
const held = (lower: RawBuilder<unknown>, upper: RawBuilder<unknown>) => sql`
  SELECT t.rows AS transfers, e.rows AS entries, t.moved_paise, concat_ws(' ', t.digest, e.digest) AS digest
  FROM (${digestOf(
    TRANSFER_BYTES,
    sql`transfers WHERE id >= ${lower} AND id < ${upper}`,
    sql`, coalesce(sum(amount_paise), 0) AS moved_paise`,
  )}) t, (${digestOf(ENTRY_BYTES, sql`entries WHERE transfer_id >= ${lower} AND transfer_id < ${upper}`)}) e`;

const SUMS_DIGEST = sql`
  (SELECT concat_ws(' ', rows, digest) FROM (${digestOf(
    sql`uuid_send(account_id) || convert_to(trim_scale(paise)::text, 'UTF8')`,
    sql`ledger_account_sums`,
  )}) sums)`;

export type LedgerPeriod = { month: string; lower_id: string; upper_id: string; transfers: number };

export const ledgerPeriods = (tx: Db): Promise<LedgerPeriod[]> =>
  tx
    .selectFrom('ledger_periods')
    .select(['month', 'lower_id', 'upper_id', 'transfers'])
    .orderBy('upper_id')
    .execute();

/** Returns the point from which a proof has to read rows. */
export function sinceLast(months: readonly LedgerPeriod[]): Since {
  const last = months.at(-1);
  return last ? { id: last.upper_id, at: momentOf(last.upper_id), sums: 'stored' } : ALWAYS;
}

const CHANGED = { what: 'a closed ledger period is not what was proved' };

/** Reads these periods again, and returns those that differ from their stored totals. */
export async function readAgain(tx: Db, months: readonly string[]): Promise<LedgerFault[]> {
  if (months.length === 0) return [];
  const { rows } = await sql<{ month: string; sound: boolean }>`
    WITH seen AS (
      SELECT m.month, (now.transfers, now.entries, now.moved_paise, now.digest)
        IS NOT DISTINCT FROM (m.transfers, m.entries, m.moved_paise, m.digest) AS sound
      FROM ledger_periods m CROSS JOIN LATERAL (${held(sql`m.lower_id`, sql`m.upper_id`)}) now
      WHERE m.month = ANY (${[...months]}::text[])
    )
    SELECT month, sound FROM seen ORDER BY month`.execute(tx);
  return rows.filter(({ sound }) => !sound).map(({ month }) => ({ ...CHANGED, id: month }));
}

/** Stores the time of this check, and which periods differed. */
export async function noteRead(
  tx: Db,
  months: readonly string[],
  faults: readonly LedgerFault[],
): Promise<void> {
  const unsound = faults.filter(({ what }) => what === CHANGED.what).map(({ id }) => id);
  await sql`
    UPDATE ledger_periods SET read_at = now(), sound = NOT month = ANY (${unsound}::text[])
    WHERE month = ANY (${[...months]}::text[])`.execute(tx);
}

/**
 * Returns the periods to check now: the given part of all, longest unchecked first, and all that differed
 * before.
 */
export async function monthsToRead(tx: Db, part: number): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    SELECT month FROM (SELECT month, sound, row_number() OVER (ORDER BY read_at, month) AS turn,
      count(*) OVER () AS all_of_them FROM ledger_periods) months
    WHERE NOT sound OR turn <= ceil(all_of_them * ${part}::float8) ORDER BY month`.execute(tx);
  return rows.map(({ month }) => month);
}

/** Returns faults of the stored totals: a missing period, or sums that do not match the last period. */
export async function storedFaults(tx: Db): Promise<LedgerFault[]> {
  const { rows } = await sql<LedgerFault>`
    SELECT 'a closed ledger period is missing before' AS what, month AS id
    FROM (SELECT month, lower_id, lag(upper_id, 1, ${ALWAYS.id}::uuid) OVER (ORDER BY upper_id) AS expected
          FROM ledger_periods) months
    WHERE lower_id <> expected
    UNION ALL
    SELECT 'the stored sums of accounts are not those of the last closed month', month
    FROM (SELECT month, sums_digest FROM ledger_periods ORDER BY upper_id DESC LIMIT 1) last
    WHERE sums_digest <> ${SUMS_DIGEST}
    UNION ALL
    SELECT 'sums of accounts are stored without a closed ledger period', 'all'
    WHERE EXISTS (SELECT FROM ledger_account_sums) AND NOT EXISTS (SELECT FROM ledger_periods)`.execute(tx);
  return rows;
}

/** Compares every account's stored sum with its entries, which reads all closed periods. */
export async function sumFaults(tx: Db, before: string): Promise<LedgerFault[]> {
  const { rows } = await sql<LedgerFault>`
    SELECT 'the stored sum of an account is not that of its entries' AS what, account_id::text AS id
    FROM ledger_account_sums s FULL JOIN (
      SELECT account_id, sum(amount_paise) AS paise FROM entries WHERE transfer_id < ${before}::uuid GROUP BY account_id
    ) e USING (account_id)
    WHERE s.paise IS DISTINCT FROM e.paise`.execute(tx);
  return rows;
}

/**
 * Closes the months that have ended. The transaction must have found the ledger sound.
 * @returns their names
 */
export async function closeEnded(tx: Db, months: readonly LedgerPeriod[]): Promise<string[]> {
  const spans = await endedSince(tx, months.at(-1));
  const last = spans.at(-1);
  if (!last) return [];
  const first = months.at(-1)?.upper_id ?? ALWAYS.id;
  const sums = await addSums(tx, first, idAt(last.to));
  for (const [nth, { name, from, to }] of spans.entries())
    await close(tx, { name, lower: nth === 0 ? first : idAt(from), upper: idAt(to), sums });
  return spans.map(({ name }) => name);
}

async function addSums(tx: Db, lower: string, upper: string): Promise<string> {
  await sql`
    INSERT INTO ledger_account_sums AS kept (account_id, paise)
    SELECT account_id, sum(amount_paise) FROM entries
    WHERE transfer_id >= ${lower}::uuid AND transfer_id < ${upper}::uuid GROUP BY account_id
    ON CONFLICT (account_id) DO UPDATE SET paise = kept.paise + excluded.paise`.execute(tx);
  const { rows } = await sql<{ digest: string }>`SELECT ${SUMS_DIGEST} AS digest`.execute(tx);
  return rows[0]?.digest ?? '';
}

type Closing = { name: string; lower: string; upper: string; sums: string };

async function close(tx: Db, month: Closing): Promise<void> {
  const [lower, upper] = [sql`${month.lower}::uuid`, sql`${month.upper}::uuid`];
  await sql`
    INSERT INTO ledger_periods (month, lower_id, upper_id, transfers, entries, moved_paise, digest, sums_digest)
    SELECT ${month.name}, ${lower}, ${upper}, now.transfers, now.entries, now.moved_paise, now.digest, ${month.sums}
    FROM (${held(lower, upper)}) now`.execute(tx);
}

/**
 * Returns the months after the last closed period that ended at least a day ago; if no period is closed, from
 * the first transfer on.
 */
async function endedSince(tx: Db, last: LedgerPeriod | undefined): Promise<Span[]> {
  const { rows } = await sql<{ now: Date; first: string | null }>`
    SELECT now() AS now, (SELECT id FROM transfers ORDER BY id LIMIT 1)::text AS first`.execute(tx);
  const { now = new Date(), first = null } = rows[0] ?? {};
  if (!last && first === null) return [];
  const back = new Date(now);
  back.setUTCMonth(back.getUTCMonth() - MONTHS_BACK, 1);
  const start = last
    ? momentOf(last.upper_id)
    : new Date(Math.max(momentOf(first ?? '').getTime(), back.getTime()));
  const spans: Span[] = [];
  for (let span = spanOf(start, 1); span.to.getTime() + GRACE_MS <= now.getTime(); span = spanOf(span.to, 1))
    spans.push(span);
  return spans;
}
