import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { paymentsRoutes } from '@karaar/contracts/payments/http';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { startApi, type Api, type Caller } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
let meera: WorldUser;
let stranger: WorldUser;

beforeAll(async () => {
  api = await startApi('payments-charges');
  [asha, vikram, meera, stranger] = (await Promise.all(
    ['Asha', 'Vikram', 'Meera', 'Stranger'].map((name) => api.user(name, 1_000)),
  )) as [WorldUser, WorldUser, WorldUser, WorldUser];
}, 120_000);
afterAll(() => api.stop());

const routesOf = (document: string, payment: string) =>
  [
    ['calculate', 'GET', `/payments/document/${document}/calculate`],
    [
      'setupDistribution',
      'POST',
      `/payments/document/${document}/setup-distribution`,
      { payment_distributions: [{ user_id: asha.userId, percentage: 100 }] },
    ],
    ['paymentStatus', 'GET', `/payments/document/${document}/payment-status`],
    ['documentPayments', 'GET', `/payments/document/${document}/payments`],
    ['pay', 'POST', `/payments/document/${document}/pay`, {}],
    ['create', 'POST', '/payments/create', { document_id: document }],
    ['confirm', 'PUT', `/payments/${payment}/confirm`],
    ['due', 'GET', '/payments/due'],
    ['myPayments', 'GET', '/payments/my-payments'],
    ['receipt', 'GET', `/payments/${payment}/receipt`],
  ] as const;
const statuses = async (caller: Caller, document: string, payment: string) =>
  Object.fromEntries(
    await Promise.all(
      routesOf(document, payment).map(async ([name, method, path, body]) => {
        const answer = await api.call(caller, method, path, body);
        if (answer.status >= 400) refused({ path, ...answer }, answer.status);
        return [name, answer.status] as const;
      }),
    ),
  );
const everywhere = (status: number) =>
  Object.fromEntries(
    Object.entries(paymentsRoutes).flatMap(([name, { access }]) =>
      access === 'user' ? [[name, status]] : [],
    ),
  );

describe('access', () => {
  it('[PAY-046] answers 401 everywhere without a token, and for an expired, forged or foreign one', async () => {
    const id = api.document([asha]);
    const { issuer } = api.world;
    const subject = { userId: asha.userId, charId: asha.charId };
    for (const token of [
      undefined,
      'nonsense',
      await issuer.expired(subject),
      await issuer.forged(subject),
      await issuer.foreign(subject),
    ]) {
      const caller = token === undefined ? undefined : { headers: { authorization: `Bearer ${token}` } };
      expect(await statuses(caller, id, randomUUID())).toEqual(everywhere(401));
    }
  });

  it('answers 403 everywhere for an admin’s token', async () => {
    const admin = { headers: await api.world.adminHeaders() };
    expect(await statuses(admin, api.document([asha]), randomUUID())).toEqual(everywhere(403));
  });

  it('[PAY-030] [PAY-036] [PAY-044] [PAY-047] shows a stranger nothing of a document and refuses every change', async () => {
    const id = api.document([asha, vikram]);
    await api.distribute(asha, id, [[asha, 100]]);
    const { body } = await api.call(asha, 'POST', '/payments/create', { document_id: id });
    const asked = api.wallet.requestedDebits.length;
    expect(await statuses(stranger, id, String(body['_id']))).toEqual({
      ...everywhere(403),
      due: 200,
      myPayments: 200,
    });
    expect(api.wallet.requestedDebits).toHaveLength(asked);
  });

  it('[PAY-030] lets a party without a share read, but neither set up nor pay', async () => {
    const id = api.document([asha, vikram]);
    await api.distribute(asha, id, [[asha, 100]]);
    const { body } = await api.call(asha, 'POST', '/payments/create', { document_id: id });
    expect(await statuses(vikram, id, String(body['_id']))).toEqual({
      ...everywhere(200),
      setupDistribution: 403,
      pay: 403,
      create: 403,
      confirm: 403,
      receipt: 403,
    });
  });

  it('[PAY-045] [PAY-048] answers 404 for unknown and malformed ids', async () => {
    for (const unknown of [randomUUID(), 'x', '1', `${randomUUID()}0`, '%27%20or%201']) {
      expect(await statuses(asha, unknown, unknown)).toEqual({
        ...everywhere(404),
        due: 200,
        myPayments: 200,
      });
    }
  });
});

describe('the price of a document', () => {
  it('[PAY-026] [PAY-027] [PAY-050] [PAY-051] is its daily rate times its days, including the first and the last', async () => {
    for (const [start_date, end_date, daily_rate_paise, days, total] of [
      ['2026-03-01', '2026-03-01', 100, 1, 1],
      ['2026-03-01', '2026-03-07', 100, 7, 7],
      ['2026-03-01', '2026-03-30', 100, 30, 30],
      ['2028-02-28', '2028-03-01', 1, 3, 0.03],
      ['2026-01-01', '2026-12-31', 33, 365, 120.45],
      [null, null, 250, 1, 2.5],
    ] as const) {
      const id = api.document([asha, vikram], { start_date, end_date, daily_rate_paise });
      expect(await api.calculate(vikram, id)).toEqual({
        total_amount: total,
        duration_days: days,
        daily_rate: daily_rate_paise / 100,
        payment_status: 'not_setup',
        payment_distributions: [],
      });
    }
  });
});

describe('a distribution', () => {
  it('[PAY-027] [PAY-028] [PAY-029] [PAY-033] is set up by the primary of an approved document', async () => {
    for (const status of ['approved', 'finalized'] as const) {
      const id = api.document([asha, vikram], { status });
      const answer = await api.distribute(
        asha,
        id,
        [
          [asha, 60],
          [vikram, 40],
        ],
        { document_id: id, total_amount: 7, duration_days: 7 },
      );
      const calculation = {
        total_amount: 7,
        duration_days: 7,
        daily_rate: 1,
        payment_status: 'distributed',
        payment_distributions: [
          { user_id: asha.userId, percentage: 60, amount: 4.2 },
          { user_id: vikram.userId, percentage: 40, amount: 2.8 },
        ],
      };
      expect(answer).toEqual({ status: 200, body: calculation });
      expect(await api.calculate(vikram, id)).toEqual(calculation);
      expect((await api.call(vikram, 'GET', `/payments/document/${id}/payment-status`)).body).toEqual({
        primary_paid_completed: false,
        completed: false,
      });
    }
  });

  it('[PAY-053] [PAY-049] sums to the total exactly, by largest remainder', async () => {
    const thirds = api.document([asha, vikram, meera], { end_date: '2026-03-01' });
    const { body } = await api.distribute(asha, thirds, [
      [asha, 33.33],
      [vikram, 33.34],
      [meera, 33.33],
    ]);
    const amounts = (body['payment_distributions'] as { amount: number }[]).map((share) => share.amount);
    expect(amounts).toEqual([0.33, 0.34, 0.33]);
    const paisa = api.document([asha, vikram], { daily_rate_paise: 1, end_date: null });
    const tiny = await api.distribute(asha, paisa, [
      [asha, 50.01],
      [vikram, 49.99],
    ]);
    expect(tiny.body['payment_distributions']).toMatchObject([{ amount: 0.01 }, { amount: 0 }]);
  });

  it('[PAY-031] is refused unless each percentage is 0 to 100 and all total 100 within 0.01', async () => {
    const id = api.document([asha, vikram]);
    const distribute = (first: number, second: number) =>
      api.distribute(asha, id, [
        [asha, first],
        [vikram, second],
      ]);
    for (const [first, second, detail] of [
      [60, 41, 'Total percentage cannot exceed 100%'],
      [60, 40.02, 'Total percentage cannot exceed 100%'],
      [60, 39.98, 'Total percentage must equal 100%'],
      [0, 0, 'Total percentage must equal 100%'],
    ] as const)
      expect(await distribute(first, second)).toMatchObject({ status: 422, body: { detail } });
    const percentage = (at: number) => `payment_distributions.${at}.percentage`;
    refused(await distribute(101, 0), 422, percentage(0));
    refused(await distribute(110, -10), 422, percentage(0), percentage(1));
    refused(await api.distribute(asha, id, []), 422, 'payment_distributions');
    expect((await api.calculate(asha, id)).payment_status).toBe('not_setup');
    for (const last of [39.99, 40.01]) {
      const answer = await api.distribute(asha, id, [
        [asha, 60],
        [vikram, last],
      ]);
      expect(answer.status).toBe(200);
    }
  });

  it("is refused for strangers, for a user named twice and for a document other than the URL's", async () => {
    const id = api.document([asha, vikram]);
    const whole: [WorldUser, number][] = [[asha, 100]];
    for (const [shares, extra] of [
      [[[stranger, 100]], {}],
      [
        [
          [asha, 50],
          [asha, 50],
        ],
        {},
      ],
      [whole, { document_id: api.document([asha]) }],
    ] as [[WorldUser, number][], object][]) {
      expect((await api.distribute(asha, id, shares, extra)).status).toBe(422);
    }
    const malformed = await api.call(asha, 'POST', `/payments/document/${id}/setup-distribution`, {});
    expect(malformed.status).toBe(422);
    expect((await api.calculate(asha, id)).payment_status).toBe('not_setup');
  });

  it('[PAY-032] is refused before all parties have approved the document', async () => {
    for (const change of [
      { status: 'draft', all_approved: false },
      { status: 'pending', all_approved: false },
      { status: 'pending_approval', all_approved: false },
      { status: 'rejected', all_approved: false },
      { status: 'approved', all_approved: false },
    ] as const) {
      const id = api.document([asha, vikram], change);
      const answer = await api.distribute(asha, id, [[asha, 100]]);
      refused({ change, ...answer }, 409);
      expect(answer.body['code']).toBe('not_approved');
      expect((await api.calculate(asha, id)).payment_status).toBe('not_setup');
    }
  });

  it('[PAY-059] uses the server’s sums, not the client’s, for setting up and for paying', async () => {
    const id = api.document([asha, vikram]);
    const wrong = [
      { total_amount: 6.99 },
      { total_amount: 0 },
      { total_amount: 7.001 },
      { duration_days: 6 },
    ];
    for (const sums of wrong) {
      const answer = await api.distribute(asha, id, [[asha, 100]], sums);
      refused({ sums, ...answer }, 409);
      expect(answer.body['code']).toBe('amount_differs');
    }
    expect((await api.calculate(asha, id)).payment_status).toBe('not_setup');
    // The amounts in a client's distribution are ignored.
    const forged = [{ user_id: asha.userId, percentage: 100, amount: 0.01 }];
    const setUp = await api.distribute(asha, id, [], { payment_distributions: forged });
    expect(setUp.body['payment_distributions']).toMatchObject([{ amount: 7 }]);
    for (const sums of wrong) refused({ sums, ...(await api.pay(asha, id, sums)) }, 409);
    expect(api.wallet.requestedDebits.filter((debit) => debit.reference === id)).toEqual([]);
    expect((await api.pay(asha, id, { total_amount: 7, duration_days: 7 })).body).toMatchObject({
      amount: 7,
    });
  });

  it('refuses a document that costs nothing', async () => {
    const id = api.document([asha], { daily_rate_paise: 0 });
    expect(await api.distribute(asha, id, [[asha, 100]])).toMatchObject({
      status: 400,
      body: { detail: 'No payable amount found' },
    });
  });

  it('can change until a share is paid or being paid, and then cancels payments that were only opened', async () => {
    const id = api.document([asha, vikram]);
    const halves: [WorldUser, number][] = [
      [asha, 50],
      [vikram, 50],
    ];
    await api.distribute(asha, id, halves);
    const opened = await api.call(vikram, 'POST', '/payments/create', { document_id: id });
    expect((await api.distribute(asha, id, [[asha, 100]])).status).toBe(200);
    const confirm = await api.call(vikram, 'PUT', `/payments/${String(opened.body['_id'])}/confirm`);
    expect(confirm).toMatchObject({ status: 409, body: { code: 'payment_failed' } });
    expect((await api.distribute(asha, id, halves)).status).toBe(200);
    expect((await api.pay(vikram, id)).status).toBe(200);
    expect(await api.distribute(asha, id, [[asha, 100]])).toMatchObject({
      status: 409,
      body: { code: 'already_paid' },
    });
    expect(api.wallet.requestedDebits.filter((debit) => debit.reference === id)).toHaveLength(1);
  });
});

it('a share is due from the distribution until its payment, for its holder only', async () => {
  const payer = await api.user('Kiran', 1_000);
  const due = async (user: WorldUser) => (await api.call(user, 'GET', '/payments/due')).body;
  const id = api.document([asha, vikram, payer]);
  expect(await due(payer)).toEqual([]);
  await api.distribute(asha, id, [
    [asha, 60],
    [vikram, 0],
    [payer, 40],
  ]);
  const document = { document_id: id, document_name: expect.any(String) as string };
  expect(await due(payer)).toEqual([{ ...document, amount: 2.8 }]);
  expect(await due(asha)).toContainEqual({ ...document, amount: 4.2 });
  expect(await due(vikram)).not.toContainEqual(expect.objectContaining({ document_id: id }));
  await api.call(payer, 'POST', '/payments/create', { document_id: id });
  expect(await due(payer)).toHaveLength(1);
  expect((await api.pay(payer, id)).status).toBe(200);
  expect(await due(payer)).toEqual([]);
  expect(await due(asha)).toContainEqual({ ...document, amount: 4.2 });
});

describe('the event about shares', () => {
  const eventData = async (id: string) => {
    const { rows } = await sql<{ data: unknown }>`
      SELECT data FROM outbox WHERE type = ${paymentsEvents.sharesChanged.type} AND aggregate_id = ${id}
      ORDER BY id`.execute(api.service.foundation.db);
    return rows.map(({ data }) => data);
  };

  it('has who set them and the amount of each party, once per distribution and never for a refused one', async () => {
    const id = api.document([asha, vikram]);
    expect((await api.distribute(vikram, id, [[vikram, 100]])).status).toBe(403);
    expect((await api.distribute(asha, id, [[asha, 60]])).status).toBeGreaterThanOrEqual(400);
    expect(await eventData(id)).toEqual([]);
    expect(
      (
        await api.distribute(asha, id, [
          [asha, 50],
          [vikram, 50],
        ])
      ).status,
    ).toBe(200);
    expect((await api.distribute(asha, id, [[vikram, 100]])).status).toBe(200);
    const about = { document_id: id, set_by: asha.userId };
    expect(await eventData(id)).toEqual([
      {
        ...about,
        shares: [
          { user_id: asha.userId, amount_paise: 350 },
          { user_id: vikram.userId, amount_paise: 350 },
        ],
      },
      {
        ...about,
        shares: [
          { user_id: vikram.userId, amount_paise: 700, replaced_paise: 350 },
          { user_id: asha.userId, amount_paise: 0, replaced_paise: 350 },
        ],
      },
    ]);
  });
});
