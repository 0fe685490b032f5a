/** Debits that payments gives back through the internal port. */
import { jest } from '@jest/globals';
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { AppError } from '@karaar/base/errors';
import type { WorldUser } from '@karaar/testing/service-world';
import { debitOf, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;
beforeAll(async () => {
  api = await startApi('wallet-reversals');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  user = await api.world.addUser('Asha Rao');
  await api.topUp(user, 100);
});

const reversalOf = (debit: ReturnType<typeof debitOf>) => ({
  debit_key: debit.idempotency_key,
  user_id: debit.user_id,
  amount_paise: debit.amount_paise,
  description: 'Reversal of payment for Rent agreement',
});
const reverse = (request: ReturnType<typeof reversalOf>) => api.ask(walletInternalRpc.reverseDebit, request);
const refusalOf = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? `${error.status} ${error.code}` : 'not refused';
};

it('gives a debit back to its wallet once, however often and by however many callers it is requested', async () => {
  const debit = debitOf(user, 40);
  await api.debit(debit);
  const answers = await Promise.all(Array.from({ length: 20 }, () => reverse(reversalOf(debit))));
  expect(new Set(answers.map(({ transfer_id }) => transfer_id)).size).toBe(1);
  expect(answers[0]?.balance_paise).toBe(10_000);
  expect(await api.balance(user)).toBe(100);
  const [newest] = await api.transactions(user);
  expect(newest).toMatchObject({
    type: 'credit',
    amount: 40,
    description: 'Reversal of payment for Rent agreement',
  });
  // The debit itself is unchanged: repeating it returns the same answer and takes nothing.
  await api.debit(debit);
  expect(await api.balance(user)).toBe(100);
  await api.sound();
});

it('gives nothing back that was not debited with the same values', async () => {
  const [done, never, given] = [debitOf(user, 10), debitOf(user, 10), debitOf(user, 1_000)];
  await api.debit(done);
  await refusalOf(api.debit(given));
  const other = await api.world.addUser('Vikram Shah');
  expect(await refusalOf(reverse(reversalOf(never)))).toBe('404 debit_not_found');
  expect(await refusalOf(reverse(reversalOf(given)))).toBe('404 debit_not_found');
  expect(await refusalOf(reverse({ ...reversalOf(done), amount_paise: 1_001 }))).toBe(
    '409 idempotency_mismatch',
  );
  expect(await refusalOf(reverse({ ...reversalOf(done), user_id: other.userId }))).toBe(
    '409 idempotency_mismatch',
  );
  expect(await refusalOf(reverse({ ...reversalOf(done), user_id: 'nobody' }))).toBe('404 user_not_found');
  // A top-up or a reversal cannot be given back either.
  const rows = await api.service.foundation.db.selectFrom('transfers').selectAll().execute();
  const topUp = rows.find(({ to_account }) => to_account === user.userId);
  expect(await refusalOf(reverse({ ...reversalOf(done), debit_key: topUp?.idempotency_key ?? '' }))).toBe(
    '404 debit_not_found',
  );
  await reverse(reversalOf(done));
  expect(
    await refusalOf(reverse({ ...reversalOf(done), debit_key: `reversal:${done.idempotency_key}` })),
  ).toBe('404 debit_not_found');
  expect(await api.balance(user)).toBe(100);
  await api.sound();
});
