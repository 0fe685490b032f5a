/** Compares the rows of wallet and payments with the card provider's and with the outcomes that callers were given. */
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import type { Payment } from '@karaar/testing/providers/razorpay';
import { sql } from 'kysely';
import { until } from '@karaar/testing/until';
import type { Reported } from './dealings.ts';
import type { MoneyWorld } from './money-world.ts';

/** Longer than the timeout for a silent connection. */
const SETTLE_MS = 60_000;

/**
 * Makes all scheduled checks due and waits until nothing is in progress. Call it only after the last action, because it
 * would also make the check of a new refund due.
 */
export async function settled({ db, razorpay }: MoneyWorld): Promise<void> {
  const captured = capturedOf({ razorpay }).map((payment) => payment.order_id);
  await db.wallet
    .updateTable('refunds')
    .set({ next_check_at: new Date(0) })
    .execute();
  await db.wallet
    .updateTable('top_up_orders')
    .set({ next_check_at: new Date(0) })
    .where('status', '<>', 'paid')
    .execute();
  await until(
    'nothing is in progress',
    async () => {
      const { rows: open } = await sql<{ n: number }>`
        SELECT (SELECT count(*) FROM refunds WHERE status = 'pending')::int
             + (SELECT count(*) FROM top_up_orders WHERE status <> 'paid' AND id = ANY(${captured}))::int AS n`.execute(
        db.wallet,
      );
      const { rows: begun } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM payments WHERE status = 'pending' AND started_at IS NOT NULL`.execute(
        db.payments,
      );
      return open[0]?.n === 0 && begun[0]?.n === 0;
    },
    SETTLE_MS,
  );
}

const capturedOf = ({ razorpay }: Pick<MoneyWorld, 'razorpay'>) =>
  [...razorpay.payments.values()].filter((payment) => payment.status === 'captured');

/** Returns the part of a payment that the wallet gets: the amount without the fee, which `dealings` adds on top. */
const creditOf = ({ amount, fee }: Payment): number => amount - (fee ?? 0);

/** Returns a text for each lost, doubled or made-up entry. */
export async function faultsOf(world: MoneyWorld, reported: Reported): Promise<string[]> {
  const { db, razorpay } = world;
  const ledger = await checkLedger(db.wallet);
  const transfers = await db.wallet.selectFrom('transfers').selectAll().execute();
  const refunds = await db.wallet.selectFrom('refunds').selectAll().execute();
  const accounts = await db.wallet.selectFrom('accounts').selectAll().where('kind', '=', 'user').execute();
  const payments = await db.payments
    .selectFrom('payments')
    .selectAll()
    .where('status', '=', 'completed')
    .execute();
  const captured = capturedOf(world);
  const orders = new Map(
    (await db.wallet.selectFrom('top_up_orders').select(['id', 'user_id']).execute()).map((order) => [
      order.id,
      order.user_id,
    ]),
  );
  const kept = refunds.filter((refund) => refund.status !== 'failed');

  /** The balance that each wallet must have, computed without the ledger. */
  const expected = new Map<string, number>();
  const book = (user: string | undefined, paise: number) =>
    expected.set(user ?? '', (expected.get(user ?? '') ?? 0) + paise);
  for (const payment of captured) book(orders.get(payment.order_id), creditOf(payment));
  const givenUp = transfers.filter(({ idempotency_key }) => idempotency_key.startsWith('given-up:'));
  for (const transfer of givenUp) book(transfer.from_account, -transfer.amount_paise);
  for (const payment of payments) book(payment.user_id, -payment.amount_paise);
  for (const refund of kept) book(refund.user_id, -refund.amount_paise);

  return [
    ...ledger.faults.map(({ what, id }) => `${what}: ${id}`),
    ...(ledger.totalPaise === '0' ? [] : [`Σ entries is ${ledger.totalPaise}`]),
    ...accounts.flatMap(({ id, balance_paise }) =>
      balance_paise === (expected.get(id) ?? 0) && (balance_paise ?? 0) >= 0
        ? []
        : [`wallet ${id} holds ${balance_paise}, not ${expected.get(id) ?? 0}`],
    ),
    ...differences(
      'credit',
      captured.map((payment) => `razorpay:${payment.id} ${creditOf(payment)}`),
      keysOf(transfers, 'razorpay:'),
    ),
    ...differences(
      'fee',
      captured.flatMap(({ id, fee }) => (fee ? [`razorpay-fee:${id} ${fee}`] : [])),
      keysOf(transfers, 'razorpay-fee:'),
    ),
    ...missing(
      'remainder reported as given up',
      [...reported.givenUp].map(([key, paise]) => `${key} ${paise}`),
      keysOf(transfers, 'given-up:'),
    ),
    ...differences(
      'debit',
      payments.map(({ id, amount_paise }) => `payment:${id} ${amount_paise}`),
      keysOf(transfers, 'payment:'),
    ),
    ...differences(
      'refund at the provider',
      kept.map(({ id, amount_paise }) => `${id} ${amount_paise}`),
      razorpay.refunds.map(({ receipt, amount }) => `${receipt} ${amount}`),
    ),
    ...missing(
      'payment reported as completed',
      [...reported.paid].map(([id, paise]) => `${id} ${paise}`),
      payments.map(({ id, amount_paise }) => `${id} ${amount_paise}`),
    ),
    ...missing(
      'refund reported as accepted',
      [...reported.refunded].map(([id, paise]) => `${id} ${paise}`),
      refunds.map(({ id, amount_paise }) => `${id} ${amount_paise}`),
    ),
    ...repeated(
      'share paid',
      payments.map(({ document_id, user_id }) => `${document_id} ${user_id}`),
    ),
    ...differences(
      'event of a payment',
      payments.map(({ id }) => id),
      await eventsOf(db.payments),
    ),
  ];
}

const keysOf = (transfers: readonly { idempotency_key: string; amount_paise: number }[], prefix: string) =>
  transfers
    .filter(({ idempotency_key }) => idempotency_key.startsWith(prefix))
    .map(({ idempotency_key, amount_paise }) => `${idempotency_key} ${amount_paise}`);

/** Returns the ids of the payments whose completion is in the outbox. */
async function eventsOf(db: MoneyWorld['db']['payments']): Promise<string[]> {
  const { rows } = await sql<{ aggregate_id: string }>`
    SELECT aggregate_id FROM outbox WHERE type = 'payments.payment.completed'`.execute(db);
  return rows.map(({ aggregate_id }) => aggregate_id);
}

const repeated = (what: string, all: readonly string[]): string[] =>
  all.filter((one, at) => all.indexOf(one) !== at).map((one) => `doubled ${what}: ${one}`);

const missing = (what: string, wanted: readonly string[], there: readonly string[]): string[] => {
  const known = new Set(there);
  return wanted.filter((one) => !known.has(one)).map((one) => `lost ${what}: ${one}`);
};

/** Both lists must have the same entries, each once. */
const differences = (what: string, wanted: readonly string[], there: readonly string[]): string[] => [
  ...missing(what, wanted, there),
  ...missing(what, there, wanted).map((fault) => fault.replace('lost', 'made up')),
  ...repeated(what, there),
];
