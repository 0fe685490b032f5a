/**
 * Random acts of several admins at the same time, with a wallet that fails: payments and wallet always agree.
 */
import { jest } from '@jest/globals';
import type { Envelope } from '@karaar/contracts/kit';
import type { Reversal } from '@karaar/contracts/payments/http';
import type { WorldAdmin, WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import fc from 'fast-check';
import { startApi, type Api } from './api.ts';

jest.setTimeout(180_000);

let api: Api;
let payer: WorldUser;
let admins: WorldAdmin[];

beforeAll(async () => {
  api = await startApi('payments-reversal-states', {
    SWEEP_EVERY_MS: '100',
    SWEEP_AFTER_MS: '100',
    REVERSAL_ALONE_PAISE: '5000',
  });
  payer = await api.user('Asha Rao', 1_000_000);
  admins = await Promise.all([api.world.addAdmin(), api.world.addAdmin(), api.world.addAdmin()]);
}, 120_000);
afterAll(() => api.stop());

const reason = 'Charged twice by mistake';
type Act = { what: 'reverse' | 'confirm' | 'decline' | 'break'; who: number };
const act: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom('reverse', 'reverse', 'confirm', 'decline', 'break'),
  who: fc.nat(2),
});
const database = () => api.service.foundation.db;
const reversalsOf = (payment: string) =>
  database().selectFrom('reversals').selectAll().where('payment_id', '=', payment).orderBy('id').execute();

/** @param rupees the amount of the share; one admin may give back up to ₹50 alone */
async function paidShare(rupees: number): Promise<{ document: string; payment: string }> {
  const document = api.document([payer], {
    daily_rate_paise: rupees * 100,
    start_date: null,
    end_date: null,
  });
  await api.distribute(payer, document, [[payer, 100]]);
  return { document, payment: String((await api.pay(payer, document)).body['_id']) };
}

async function run(payment: string, { what, who }: Act): Promise<void> {
  const admin = admins[who];
  if (what === 'break') return void api.wallet.nextReversals.push('crash');
  if (what === 'reverse')
    return void (await api.call(admin, 'POST', `/admin/payments/${payment}/reversals`, { reason }));
  const newest = (await reversalsOf(payment)).at(-1);
  if (!newest) return;
  await api.call<Reversal>(admin, 'POST', `/admin/payments/reversals/${newest.id}/${what}`, {
    ...(what === 'decline' ? { reason } : {}),
  });
}

it('at most one reversal is done, by two admins if needed, and credited once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(3, 60),
      fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      async (rupees, rounds) => {
        api.wallet.nextReversals.length = 0;
        const { document, payment } = await paidShare(rupees);
        const before = api.wallet.balances.get(payer.userId) ?? 0;
        for (const round of rounds) await Promise.all(round.map((one) => run(payment, one)));
        await until('nothing is under way', async () =>
          (await reversalsOf(payment)).every(({ state }) => state !== 'decided'),
        );

        const rows = await reversalsOf(payment);
        const done = rows.filter(({ state }) => state === 'done');
        expect(done.length + rows.filter(({ state }) => state === 'requested').length).toBeLessThanOrEqual(1);
        for (const { two_people, confirmed_by, requested_by } of done)
          expect(two_people).toBe(confirmed_by !== null && confirmed_by !== requested_by);
        if (rupees === 60) expect(rows.every(({ two_people }) => two_people)).toBe(true);
        const credit = api.wallet.reversals.get(`payment:${payment}`);
        expect(credit?.transfer_id).toBe(done[0]?.transfer_id ?? undefined);
        expect(api.wallet.balances.get(payer.userId)).toBe(before + done.length * rupees * 100);
        const { status } = await database()
          .selectFrom('payments')
          .select('status')
          .where('id', '=', payment)
          .executeTakeFirstOrThrow();
        expect(status).toBe(done.length === 1 ? 'reversed' : 'completed');

        const reversalEvents = async () =>
          (
            await messagesOf<Envelope<{ target_id?: string; action?: string; document_id?: string }>>(
              api.world.natsUrl,
              'EVT_PAYMENTS',
            )
          ).flatMap(({ type, data }) =>
            data.target_id === payment
              ? [String(data.action)]
              : data.document_id === document && type.startsWith('payments.payment.')
                ? [type]
                : [],
          );
        const expected = [
          'payments.payment.completed',
          ...rows.flatMap(({ two_people, confirmed_by, declined_by, state }) => [
            two_people ? 'reversal.requested' : 'reversal.made',
            ...(confirmed_by ? ['reversal.confirmed'] : []),
            ...(declined_by ? ['reversal.declined'] : []),
            ...(state === 'done' ? ['payments.payment.reversed'] : []),
          ]),
        ].sort();
        await until('all is told', async () => (await reversalEvents()).length >= expected.length);
        expect((await reversalEvents()).sort()).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});
