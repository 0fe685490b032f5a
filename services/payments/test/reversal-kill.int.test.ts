/**
 * A process is killed after the wallet has given the money back, and before the process could record that.
 */
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { serviceProcess, type ServiceProcess } from '@karaar/testing/servers/service-process';
import { until } from '@karaar/testing/until';
import { startApi, type Api } from './api.ts';

jest.setTimeout(120_000);

let api: Api;
let killed: ServiceProcess;
beforeAll(async () => {
  // Its own sweeper never runs during the test.
  api = await startApi('payments-reversal-kill');
  killed = await serviceProcess(join(import.meta.dirname, '../src/main.ts'), {
    ...api.world.env,
    SWEEP_EVERY_MS: '200',
    SWEEP_AFTER_MS: '200',
  });
}, 120_000);
afterAll(async () => {
  await killed.kill();
  await api.stop();
});

it('leaves a decided reversal, which the next process finishes with the same credit', async () => {
  const [asha, admin] = [await api.user('Asha Rao', 100), await api.world.addAdmin()];
  const document = api.document([asha]);
  await api.distribute(asha, document, [[asha, 100]]);
  const payment = String((await api.pay(asha, document)).body['_id']);
  const row = () =>
    api.service.foundation.db
      .selectFrom('reversals')
      .innerJoin('payments', 'payments.id', 'reversals.payment_id')
      .select(['state', 'status', 'reversals.transfer_id'])
      .where('payment_id', '=', payment)
      .executeTakeFirstOrThrow();

  await killed.start();
  api.wallet.nextReversals.push('lost');
  const asked = fetch(`${killed.url}/admin/payments/${payment}/reversals`, {
    method: 'POST',
    headers: { ...admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'Charged twice by mistake' }),
  });
  const answer = asked.then(
    () => 'answered',
    () => 'cut off',
  );
  await until('the wallet has given it back', () => api.wallet.reversals.has(`payment:${payment}`));
  await killed.kill();
  expect(await answer).toBe('cut off');
  expect(await row()).toEqual({ state: 'decided', status: 'completed', transfer_id: null });

  await killed.start();
  await until('it is finished', async () => (await row()).state === 'done');
  expect(await row()).toEqual({
    state: 'done',
    status: 'reversed',
    transfer_id: api.wallet.reversals.get(`payment:${payment}`)?.transfer_id,
  });
  expect(api.wallet.balances.get(asha.userId)).toBe(10_000);
  const reversedCount = async () =>
    (await api.events(document)).filter(({ type }) => type === 'payments.payment.reversed').length;
  await until('it is told', async () => (await reversedCount()) > 0);
  expect(await reversedCount()).toBe(1);
});
