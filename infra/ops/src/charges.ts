/** Compares payments with the wallet's transfers: each payment has its debit, and each debit its payment. */
import { isUuid } from '@karaar/db';
import { sql, type Kysely } from 'kysely';

type Db = Kysely<unknown>;

const BATCH = 5_000;
/** Maximum time between a debit and its completed payment; the sweeper runs several times meanwhile. */
const UNDER_WAY = '15 minutes';

type ChargeFault = { what: string; id: string };
export type ChargesRead = { payments: number; debits: number; faults: ChargeFault[] };

type Payment = {
  id: string;
  user_id: string;
  amount_paise: string;
  transfer_id: string | null;
  back_id: string | null;
};
type Transfer = { id: string; key: string; from_account: string; to_account: string; amount_paise: string };

/** Each direction first reads the rows that are written last, so that a concurrent payment is not a fault. */
export async function checkCharges(payments: Db, wallet: Db): Promise<ChargesRead> {
  const forward = await paymentsWithDebits(payments, wallet);
  const backward = await debitsWithPayments(payments, wallet);
  return {
    payments: forward.count,
    debits: backward.count,
    faults: [...forward.faults, ...backward.faults],
  };
}

type Pass = { count: number; faults: ChargeFault[] };

/** Reads all rows in pages by their ids and collects the faults of each page. */
async function inPages<Row extends { id: string }>(
  read: (after: string | null) => Promise<{ rows: Row[] }>,
  faultsIn: (rows: readonly Row[]) => Promise<ChargeFault[]>,
): Promise<Pass> {
  const pass: Pass = { count: 0, faults: [] };
  for (let last: string | null = null; ;) {
    const { rows }: { rows: Row[] } = await read(last);
    pass.faults.push(...(await faultsIn(rows)));
    pass.count += rows.length;
    last = rows.at(-1)?.id ?? null;
    if (rows.length < BATCH) return pass;
  }
}

/** Each completed payment has its debit, and each reversal its credit. */
const paymentsWithDebits = (payments: Db, wallet: Db): Promise<Pass> =>
  inPages(
    (after) =>
      sql<Payment>`
        select p.id, p.user_id, p.amount_paise::text, p.transfer_id, r.transfer_id as back_id
        from payments p left join reversals r on r.payment_id = p.id and r.state = 'done'
        where p.status in ('completed', 'reversed') and (${after}::uuid is null or p.id > ${after}::uuid)
        order by p.id limit ${BATCH}`.execute(payments),
    async (rows) => {
      const ids = rows.flatMap(({ transfer_id, back_id }) => [transfer_id, back_id]);
      const byId = await transfersOf(
        wallet,
        ids.filter((id) => id !== null),
      );
      return rows.flatMap((payment) => faultsOf(payment, byId));
    },
  );

function faultsOf(payment: Payment, byId: ReadonlyMap<string, Transfer>): ChargeFault[] {
  const { id, user_id: user, amount_paise: amount, transfer_id: debitId, back_id: backId } = payment;
  const debit = byId.get(debitId ?? '');
  const back = backId === null ? undefined : byId.get(backId);
  const isDebit =
    debit?.key === `payment:${id}` && debit.from_account === user && debit.amount_paise === amount;
  const isBack =
    back?.key === `reversal:payment:${id}` && back.to_account === user && back.amount_paise === amount;
  return [
    ...(isDebit ? [] : [{ what: 'payment without its debit', id }]),
    ...(backId === null || isBack ? [] : [{ what: 'reversal without its credit', id }]),
  ];
}

async function transfersOf(wallet: Db, ids: readonly string[]): Promise<Map<string, Transfer>> {
  const { rows } = await sql<Transfer>`
    select id, idempotency_key as key, from_account, to_account, amount_paise::text
    from transfers where id = any(${ids}::uuid[])`.execute(wallet);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Each debit has a completed or recently started payment, and each credit a reversal. */
const debitsWithPayments = (payments: Db, wallet: Db): Promise<Pass> =>
  inPages(
    (after) =>
      sql<{ id: string; payment: string; back: boolean }>`
        select id, substring(idempotency_key from '[^:]+$') as payment, idempotency_key like 'reversal:%' as back
        from transfers
        where (idempotency_key like 'payment:%' or idempotency_key like 'reversal:payment:%')
          and (${after}::uuid is null or id > ${after}::uuid)
        order by id limit ${BATCH}`.execute(wallet),
    async (rows) => {
      const named = new Set(rows.map(({ payment }) => payment).filter((id) => isUuid(id)));
      const known = await statesOf(payments, [...named]);
      return rows.flatMap(({ id, payment, back }) => {
        const state = known.get(payment);
        if (back ? state?.given_back : state?.charged) return [];
        return { what: back ? 'credit without its reversal' : 'debit without its payment', id };
      });
    },
  );

type State = { id: string; charged: boolean; given_back: boolean };

async function statesOf(payments: Db, ids: readonly string[]): Promise<Map<string, State>> {
  const { rows } = await sql<State>`
    select p.id,
      p.status in ('completed', 'reversed')
        or (p.status = 'pending' and p.started_at > now() - ${UNDER_WAY}::interval) as charged,
      exists (select from reversals r where r.payment_id = p.id and r.state in ('decided', 'done')) as given_back
    from payments p where p.id = any(${ids}::uuid[])`.execute(payments);
  return new Map(rows.map((row) => [row.id, row]));
}
