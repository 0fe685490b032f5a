/** Compares payments with the wallet's transfers: each payment has its debit, and each debit its payment. */
import { isUuid } from '@karaar/db';
import { sql, type Kysely, type RawBuilder } from 'kysely';

type Db = Kysely<unknown>;

const BATCH = 5_000;
/** Maximum time between a debit and its completed payment; the sweeper runs several times meanwhile. */
const UNDER_WAY = '15 minutes';

export type ChargesRead = { payments: number; debits: number; faults: { what: string; id: string }[] };

/** Each direction first reads the rows that are written last, so that a concurrent payment is not a fault. */
export async function checkCharges(payments: Db, wallet: Db): Promise<ChargesRead> {
  const read: ChargesRead = { payments: 0, debits: 0, faults: [] };
  await paymentsWithDebits(payments, wallet, read);
  await debitsWithPayments(payments, wallet, read);
  return read;
}

/** Reads all rows in pages by their ids. */
async function* pages<Row extends { id: string }>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  for (let last: string | null = null; ;) {
    const { rows }: { rows: Row[] } = await sql<Row>`
      select * from (${query}) as row where ${last}::uuid is null or id > ${last}::uuid
      order by id limit ${BATCH}`.execute(db);
    yield rows;
    last = rows.at(-1)?.id ?? null;
    if (rows.length < BATCH) return;
  }
}

type Payment = { id: string; transfer_id: string | null; back_id: string | null; charge: string };

/** Each completed payment has its debit, and each reversal its credit. */
async function paymentsWithDebits(payments: Db, wallet: Db, read: ChargesRead): Promise<void> {
  const completed = sql<Payment>`
    select p.id, p.transfer_id, r.transfer_id as back_id,
      concat_ws(' ', 'payment:' || p.id, p.user_id, p.amount_paise) as charge
    from payments p left join reversals r on r.payment_id = p.id and r.state = 'done'
    where p.status in ('completed', 'reversed')`;
  for await (const rows of pages(payments, completed)) {
    const ids = rows.flatMap(({ transfer_id, back_id }) => [transfer_id, back_id]);
    const { rows: transfers } = await sql<{ id: string; charge: string }>`
      select id, concat_ws(' ', idempotency_key,
        case when idempotency_key like 'reversal:%' then to_account else from_account end, amount_paise) as charge
      from transfers where id = any(${ids}::uuid[])`.execute(wallet);
    const byId = new Map(transfers.map(({ id, charge }) => [id, charge]));
    read.payments += rows.length;
    for (const { id, transfer_id, back_id, charge } of rows) {
      if (byId.get(transfer_id ?? '') !== charge) read.faults.push({ what: 'payment without its debit', id });
      if (back_id !== null && byId.get(back_id) !== `reversal:${charge}`)
        read.faults.push({ what: 'reversal without its credit', id });
    }
  }
}

/** Each debit has a completed or recently started payment, and each credit a reversal. */
async function debitsWithPayments(payments: Db, wallet: Db, read: ChargesRead): Promise<void> {
  const charged = sql<{ id: string; payment: string; back: boolean }>`
    select id, substring(idempotency_key from '[^:]+$') as payment, idempotency_key like 'reversal:%' as back
    from transfers where idempotency_key like 'payment:%' or idempotency_key like 'reversal:payment:%'`;
  for await (const rows of pages(wallet, charged)) {
    const ids = rows.map(({ payment }) => payment).filter((id) => isUuid(id));
    const { rows: states } = await sql<{ id: string; charged: boolean; given_back: boolean }>`
      select p.id,
        p.status in ('completed', 'reversed')
          or (p.status = 'pending' and p.started_at > now() - ${UNDER_WAY}::interval) as charged,
        exists (select from reversals r where r.payment_id = p.id and r.state in ('decided', 'done')) as given_back
      from payments p where p.id = any(${ids}::uuid[])`.execute(payments);
    const byId = new Map(states.map((state) => [state.id, state]));
    read.debits += rows.length;
    for (const { id, payment, back } of rows) {
      const state = byId.get(payment);
      if (back ? !state?.given_back : !state?.charged)
        read.faults.push({ what: back ? 'credit without its reversal' : 'debit without its payment', id });
    }
  }
}
