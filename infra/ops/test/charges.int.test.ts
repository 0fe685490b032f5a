/** `karaar check` compares payments with the wallet's transfers. */
import { jest } from '@jest/globals';
import { migrateToLatest, uuidv7 } from '@karaar/db';
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { debitOf, startApi, type Api } from '@karaar/service-wallet/test/api';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { inOrder } from '../src/backup/dump.ts';
import { checkCharges, type ChargesRead } from '../src/charges.ts';
import { databaseOf, SERVICES, tables, withDatabase } from '../src/databases.ts';

jest.setTimeout(120_000);

let wallet: Api;
let database: TestDatabase;
let payer: WorldUser;

beforeAll(async () => {
  wallet = await startApi('check-charges');
  payer = await wallet.world.addUser('Asha Rao');
  await wallet.topUp(payer, 500);
  database = await testPostgres('check-charges-payments');
  await inPayments((db) => migrateToLatest(db, tables.payments.migrations));
});
afterAll(async () => {
  await wallet.stop();
  await database.drop();
});

const inPayments = <T>(work: Parameters<typeof withDatabase<unknown, T>>[1]): Promise<T> =>
  withDatabase<unknown, T>({ service: 'payments', url: database.url }, work);

async function debited(): Promise<{ id: string; transferId: string }> {
  const id = uuidv7();
  const asked = debitOf(payer, 1, { idempotency_key: `payment:${id}` });
  const { transfer_id: transferId } = await wallet.debit(asked);
  return { id, transferId };
}

const pay = (row: { id: string; status: string; transferId: string | null; startedAgo?: string }) =>
  inPayments((db) =>
    sql`insert into payments (id, document_id, document_name, user_id, amount_paise, status, started_at, transfer_id, completed_at)
      values (${row.id}, ${uuidv7()}, 'Rent agreement', ${payer.userId}, 100, ${row.status},
        now() - ${row.startedAgo ?? '1 second'}::interval, ${row.transferId},
        ${row.status === 'pending' ? null : sql`now()`})`.execute(db),
  );

const check = (): Promise<ChargesRead> =>
  inPayments((ours) =>
    withDatabase({ service: 'wallet', url: wallet.world.env['DATABASE_URL'] ?? '' }, (theirs) =>
      checkCharges(ours, theirs),
    ),
  );

it('accepts a payment with its debit, and a pending payment', async () => {
  const paid = await debited();
  await pay({ ...paid, status: 'completed' });
  await pay({ ...(await debited()), transferId: null, status: 'pending' });
  expect(await check()).toEqual({ payments: 1, debits: 2, faults: [] });
});

it("reports a payment without its debit, and one with another payment's debit", async () => {
  const [lost, other, paid] = [uuidv7(), uuidv7(), await debited()];
  await pay({ id: lost, transferId: uuidv7(), status: 'completed' });
  await pay({ ...paid, status: 'completed' });
  await pay({ id: other, transferId: paid.transferId, status: 'completed' });
  const { faults } = await check();
  expect(faults).toEqual([
    { what: 'payment without its debit', id: lost },
    { what: 'payment without its debit', id: other },
  ]);
});

it('reports a debit without a payment, and one whose payment is pending for too long', async () => {
  const before = (await check()).faults.length;
  const lost = await debited();
  const slow = await debited();
  await pay({ id: slow.id, transferId: null, status: 'pending', startedAgo: '1 hour' });
  const { faults } = await check();
  expect(faults.slice(before)).toEqual([
    { what: 'debit without its payment', id: lost.transferId },
    { what: 'debit without its payment', id: slow.transferId },
  ]);
});

it('reports a credit without a reversal', async () => {
  const before = (await check()).faults.length;
  const paid = await debited();
  await pay({ ...paid, status: 'completed' });
  const back = await wallet.ask(walletInternalRpc.reverseDebit, {
    debit_key: `payment:${paid.id}`,
    user_id: payer.userId,
    amount_paise: 100,
    description: 'Given back',
  });
  const { faults } = await check();
  expect(faults.slice(before)).toEqual([{ what: 'credit without its reversal', id: back.transfer_id }]);
});

it('opens the snapshots of callers before those of their callees', () => {
  const given = SERVICES.map((service) =>
    databaseOf({ [`${service.toUpperCase()}_DATABASE_URL`]: 'postgres://h/d' }, service),
  );
  expect(inOrder(given).map(({ service }) => service)).toEqual([
    'documents',
    'payments',
    'wallet',
    'auth',
    'cms',
    'messaging',
    'notifications',
  ]);
});
