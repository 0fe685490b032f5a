import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Payment } from '@karaar/contracts/payments/http';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import pg from 'pg';
import { createApp, neighbours } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { findPayment } from '../src/features/charges/charges.repository.ts';
import { batchSteps } from '../src/features/charges/batched-steps.ts';
import { execute } from '../src/features/charges/saga.service.ts';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;

beforeAll(async () => {
  api = await startApi('payments-pay', {
    COMPANY_NAME: 'Karaar Agreements Pvt Ltd',
    COMPANY_ADDRESS: '12 MG Road, Pune 411001',
    COMPANY_GSTIN: '27AAPFU0939F1ZV',
  });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [asha, vikram] = [await api.user('Asha Rao', 1_000), await api.user('Vikram Shah', 1_000)];
});

const create = (user: WorldUser, document_id: unknown) =>
  api.call(user, 'POST', '/payments/create', { document_id });
const confirm = (user: WorldUser, id: unknown) => api.call(user, 'PUT', `/payments/${String(id)}/confirm`);
const mine = async (user: WorldUser) =>
  (await api.call<Payment[]>(user, 'GET', '/payments/my-payments')).body;
const progress = async (id: string) =>
  (await api.call(asha, 'GET', `/payments/document/${id}/payment-status`)).body;
const rupeesOf = (user: WorldUser) => (api.wallet.balances.get(user.userId) ?? 0) / 100;
const askedFor = (id: string) => api.wallet.requestedDebits.filter((debit) => debit.reference === id);
/** A document for a week at ₹1 a day, shared 60:40. */
const shared = async (other: WorldUser = vikram) => {
  const id = api.document([asha, other]);
  await api.distribute(asha, id, [
    [asha, 60],
    [other, 40],
  ]);
  return id;
};
const completedBy = (user: WorldUser, document_id: string, amount: number) => ({
  _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  document_id,
  document_name: 'Rent agreement',
  user_id: user.userId,
  amount,
  status: 'completed',
  payment_method: 'wallet',
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});

describe('paying', () => {
  it("[PAY-034] [PAY-054] [PAY-055] [PAY-056] [PAY-028] debits each share from its payer's wallet until all are paid", async () => {
    const id = await shared();
    expect(await api.pay(asha, id)).toEqual({ status: 200, body: completedBy(asha, id, 4.2) });
    expect([rupeesOf(asha), rupeesOf(vikram)]).toEqual([995.8, 1_000]);
    expect(await progress(id)).toEqual({ primary_paid_completed: true, completed: false });
    expect((await api.calculate(asha, id)).payment_status).toBe('distributed');

    expect(await api.pay(vikram, id)).toEqual({ status: 200, body: completedBy(vikram, id, 2.8) });
    expect([rupeesOf(asha), rupeesOf(vikram)]).toEqual([995.8, 997.2]);
    expect(await progress(id)).toEqual({ primary_paid_completed: true, completed: true });
    expect((await api.calculate(asha, id)).payment_status).toBe('completed');
  });

  it('answers each of many simultaneous payments correctly', async () => {
    const documents = await Promise.all(Array.from({ length: 8 }, () => shared()));
    const unpayable = api.document([asha, vikram]);
    const nobody = await api.user('Meera Nair', 0);
    api.wallet.balances.set(vikram.userId, 300);
    const [first = ''] = documents;
    const answers = await Promise.all([
      ...documents.map((id) => api.pay(asha, id)),
      api.pay(asha, first),
      api.pay(asha, unpayable),
      api.pay(nobody, first),
      ...documents.slice(0, 3).map((id) => api.pay(vikram, id)),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 11)).toEqual([...Array(9).fill(200), 409, 403]);
    expect(statuses.slice(11).toSorted()).toEqual([200, 402, 402]);
    const paid = answers.slice(0, 8).map(({ body }) => body['document_id']);
    expect(paid).toEqual(documents);
    expect(answers[8]?.body['_id']).toBe(answers[0]?.body['_id']);
    expect([rupeesOf(asha), rupeesOf(vikram)]).toEqual([1_000 - 8 * 4.2, 0.2]);
  });

  it('goes on for other documents while one is locked', async () => {
    const [stuck = '', ...free] = await Promise.all(Array.from({ length: 10 }, () => shared()));
    const other = new pg.Client({ connectionString: api.world.ownerUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select lock_charge($1)', [stuck]);
      const asked = [stuck, ...free].flatMap((id) => [api.pay(asha, id), api.pay(vikram, id)]);
      const [hers, his, ...others] = (await Promise.all(asked)).map(({ status }) => status);
      expect([hers, his]).toEqual([503, 503]);
      expect(new Set(others)).toEqual(new Set([200]));
    } finally {
      await other.end();
    }
    expect((await api.pay(asha, stuck)).status).toBe(200);
  });

  it('[PAY-055] is not complete for the primary before the primary has paid', async () => {
    const id = await shared();
    await api.pay(vikram, id);
    expect(await progress(id)).toEqual({ primary_paid_completed: false, completed: false });
  });

  it('[PAY-039] is pending once opened, failed for lack of money, completed once paid', async () => {
    const id = await shared();
    const statuses = async () =>
      (await api.payments(asha, id)).map(({ user_id, status }) => [user_id, status]).toSorted();
    const each = (hers: string, his: string) =>
      [
        [asha.userId, hers],
        [vikram.userId, his],
      ].toSorted();
    await create(asha, id);
    api.wallet.balances.set(vikram.userId, 0);
    refused(await api.pay(vikram, id), 402);
    expect(await statuses()).toEqual(each('pending', 'failed'));
    expect((await api.pay(asha, id)).status).toBe(200);
    expect(await statuses()).toEqual(each('completed', 'failed'));
  });

  it('[PAY-038] is recorded, newest first, and visible to every party', async () => {
    const id = await shared();
    await api.pay(asha, id);
    await api.pay(vikram, id);
    for (const reader of [asha, vikram]) {
      expect(await api.payments(reader, id)).toEqual([
        completedBy(vikram, id, 2.8),
        completedBy(asha, id, 4.2),
      ]);
    }
  });

  it('[PAY-058] debits once for fifty simultaneous calls and a later one', async () => {
    const id = await shared();
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.pay(asha, id)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect((await api.pay(asha, id)).body).toEqual(answers[0]?.body);
    expect(rupeesOf(asha)).toBe(995.8);
    expect(new Set(askedFor(id).map((debit) => debit.idempotency_key)).size).toBe(1);
    expect(await api.payments(asha, id)).toHaveLength(1);
  });

  it('requests one debit for any spelling of the document’s id', async () => {
    const id = await shared();
    const answers = await Promise.all([id, id.toUpperCase()].map((spelt) => api.pay(asha, spelt)));
    expect(answers.map((answer) => answer.body['document_id'])).toEqual([id, id]);
    expect(rupeesOf(asha)).toBe(995.8);
  });

  it("gives the wallet the document's name, even if the name has the greatest length", async () => {
    // The name with 187 letters and an emoji would be cut within the emoji's two UTF-16 units.
    for (const name of ['Rent', `${'a'.repeat(187)}😀${'b'.repeat(12)}`, '😀'.repeat(200)]) {
      const id = api.document([asha], { name });
      await api.distribute(asha, id, [[asha, 100]]);
      expect((await api.pay(asha, id)).status).toBe(200);
      const description = askedFor(id)[0]?.description ?? '';
      expect(`Payment for ${name}`.startsWith(description)).toBe(true);
      expect([...description].length).toBe(Math.min(200, 12 + [...name].length));
    }
  });
});

describe('a payment is refused', () => {
  it('[PAY-035] without a distribution, with the text that the client looks for', async () => {
    const answer = await api.pay(asha, api.document([asha, vikram]));
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/\bdistribution not setup\b/) },
    });
  });

  it('[PAY-019] before all parties have approved', async () => {
    const id = await shared();
    const document = api.documents.known.get(id);
    if (!document) throw new Error('The test has no document');
    const opened = await create(asha, id);
    for (const change of [
      { all_approved: false },
      { status: 'pending_approval' as const, all_approved: false },
      { status: 'pending' as const, all_approved: true },
    ]) {
      api.documents.known.set(id, { ...document, ...change });
      for (const answer of [
        await api.pay(asha, id),
        await api.pay(vikram, id),
        await confirm(asha, opened.body['_id']),
      ]) {
        expect(answer).toMatchObject({
          status: 409,
          body: { detail: 'Both users must be verified before payment' },
        });
      }
    }
    expect(askedFor(id)).toEqual([]);
  });

  it('[PAY-020] [PAY-036] for a party without a share, whatever else is missing', async () => {
    const withoutShare = api.document([asha, vikram]);
    await api.distribute(asha, withoutShare, [
      [asha, 100],
      [vikram, 0],
    ]);
    const notSetUp = api.document([asha, vikram]);
    const notApproved = api.document([asha, vikram], { status: 'pending', all_approved: false });
    for (const id of [notSetUp, notApproved]) {
      expect(await api.pay(vikram, id)).toMatchObject({
        status: 403,
        body: { detail: 'Only the primary user can pay for this document' },
      });
    }
    expect((await api.pay(vikram, withoutShare)).status).toBe(400);
    expect(rupeesOf(vikram)).toBe(1_000);
  });

  it('[PAY-018] [PAY-037] with the wallet’s text if the balance is too small, and works after a top-up', async () => {
    const id = await shared();
    api.wallet.balances.set(asha.userId, 100);
    expect(await api.pay(asha, id)).toEqual({
      status: 402,
      body: {
        detail: 'Insufficient wallet balance. Required: ₹4.20, Available: ₹1.00',
        code: 'insufficient_balance',
      },
    });
    expect(rupeesOf(asha)).toBe(1);
    const [failed] = await api.payments(asha, id);
    expect(failed).toMatchObject({ status: 'failed', amount: 4.2 });
    expect(await confirm(asha, failed?._id)).toMatchObject({ status: 409, body: { code: 'payment_failed' } });

    api.wallet.balances.set(asha.userId, 1_000);
    const paid = await api.pay(asha, id);
    expect(paid).toEqual({ status: 200, body: completedBy(asha, id, 4.2) });
    expect(paid.body['_id']).not.toBe(failed?._id);
    expect(rupeesOf(asha)).toBe(5.8);
    expect((await api.payments(asha, id)).map((one) => one.status)).toEqual(['completed', 'failed']);
  });

  it('[PAY-018] with the reason for each of ten simultaneous callers', async () => {
    const id = await shared();
    api.wallet.balances.set(asha.userId, 100);
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.pay(asha, id)));
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 402, body: { code: 'insufficient_balance' } });
    expect(rupeesOf(asha)).toBe(1);
  });

  it('without hiding the payments of others, however often it is repeated', async () => {
    const id = await shared();
    await api.pay(vikram, id);
    const { db } = api.service.foundation;
    // As after 600 attempts with an empty wallet.
    await db
      .insertInto('payments')
      .values(
        Array.from({ length: 600 }, () => ({
          id: randomUUID().replace(/^./, 'f'),
          document_id: id,
          document_name: 'Rent agreement',
          user_id: asha.userId,
          amount_paise: 420,
          status: 'failed' as const,
        })),
      )
      .execute();
    expect((await api.distribute(asha, id, [[asha, 100]])).status).toBe(409);
    await api.pay(asha, id);
    expect(await progress(id)).toEqual({ primary_paid_completed: true, completed: true });
    expect((await api.calculate(asha, id)).payment_status).toBe('completed');
  });
});

describe('create and confirm', () => {
  it('[PAY-041] [PAY-043] opens a payment without moving money, and executes it once', async () => {
    const id = await shared();
    const opened = await create(asha, id);
    expect(opened).toEqual({ status: 201, body: { ...completedBy(asha, id, 4.2), status: 'pending' } });
    expect((await create(asha, id)).body).toEqual(opened.body);
    expect(askedFor(id)).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(asha, opened.body['_id'])));
    for (const answer of answers)
      expect(answer).toEqual({ status: 200, body: { ...opened.body, status: 'completed' } });
    expect(await confirm(asha, opened.body['_id'])).toEqual(answers[0]);
    expect((await api.pay(asha, id)).body).toEqual(answers[0]?.body);
    expect(rupeesOf(asha)).toBe(995.8);
  });

  it('[PAY-042] needs a document', async () => {
    const open = (body: unknown) => api.call(asha, 'POST', '/payments/create', body);
    for (const body of [undefined, {}, { document_id: '' }, { document_id: 7 }, { document_id: null }])
      refused({ asked: body, ...(await open(body)) }, 422, 'document_id');
    refused(await open([]), 422, 'body');
  });

  it('[PAY-044] [PAY-045] confirms the caller’s own payments only', async () => {
    const id = await shared();
    const opened = await create(asha, id);
    refused(await confirm(vikram, opened.body['_id']), 403);
    for (const unknown of [randomUUID(), 'nothing']) refused(await confirm(asha, unknown), 404);
    expect((await api.payments(asha, id))[0]?.status).toBe('pending');
    expect(askedFor(id)).toEqual([]);
  });

  it('requests no debit if the payment was cancelled after it was read', async () => {
    const id = await shared();
    const opened = await create(asha, id);
    const { foundation } = api.service;
    const stale = await findPayment(foundation.db, String(opened.body['_id']));
    if (!stale) throw new Error('The test has no payment');
    await api.distribute(asha, id, [[asha, 100]]);
    const config = readConfig(api.world.env);
    const steps = batchSteps(foundation.db);
    const ctx = { ...foundation, config, steps, ...neighbours(config, foundation.logger) };
    await expect(execute(ctx, stale)).rejects.toMatchObject({ code: 'payment_failed' });
    expect(askedFor(id)).toEqual([]);
  });

  it('accepts a call without a body, as in the spec', async () => {
    const id = await shared();
    const answer = await api.call(asha, 'POST', `/payments/document/${id}/pay`);
    expect(answer.status).toBe(200);
  });
});

describe('deploying a later version', () => {
  it("adds and drops a column while this version's connections go on working", async () => {
    const payTwo = async (url = api.service.url) => {
      const id = await shared();
      const answers = await Promise.all(
        [asha, vikram].map(async ({ headers }) => {
          const path = `${url}/payments/document/${id}/pay`;
          const answer = await fetch(path, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: '{}',
          });
          const body = (await answer.json()) as Partial<Payment>;
          return [answer.status, body.amount, body.status];
        }),
      );
      expect(answers).toEqual([
        [200, 4.2, 'completed'],
        [200, 2.8, 'completed'],
      ]);
    };
    await payTwo();
    await api.world.asOwner(`ALTER TABLE payments ADD COLUMN later text DEFAULT 'new'`);
    // Its connections plan while the table has the column; PostgreSQL keeps a plan from the sixth run on.
    const started = await createApp(readConfig(api.world.env));
    try {
      for (let i = 0; i < 10; i += 1) {
        await payTwo();
        await payTwo(started.url);
      }
      await api.world.asOwner('ALTER TABLE payments DROP COLUMN later');
      for (let i = 0; i < 10; i += 1) {
        await payTwo();
        await payTwo(started.url);
      }
    } finally {
      await api.world.asOwner('ALTER TABLE payments DROP COLUMN IF EXISTS later');
      await started.app.close();
      await started.close();
    }
  });
});

describe('my payments', () => {
  it('[PAY-040] are only the caller’s, newest first', async () => {
    expect(await mine(asha)).toEqual([]);
    const [first, second] = [await shared(), await shared()];
    await api.pay(asha, first);
    await api.pay(vikram, first);
    await create(asha, second);
    expect((await mine(asha)).map((one) => [one.document_id, one.user_id, one.status])).toEqual([
      [second, asha.userId, 'pending'],
      [first, asha.userId, 'completed'],
    ]);
    expect((await mine(vikram)).map((one) => one.user_id)).toEqual([vikram.userId]);
  });
});

describe('a receipt', () => {
  const receipt = (caller: Pick<WorldUser, 'headers'> | undefined, id: unknown) =>
    fetch(`${api.service.url}/payments/${String(id)}/receipt`, { headers: caller?.headers ?? {} });

  it('is printed for a completed payment, with payer, amount and document', async () => {
    const id = await shared();
    const { body: payment } = await api.pay(vikram, id);
    const response = await receipt(vikram, payment['_id']);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(response.headers.get('content-disposition')).toContain(
      `karaar-receipt-${String(payment['_id'])}.pdf`,
    );
    const sheet = api.documents.sheets.at(-1);
    expect(sheet?.lead).toContain('Rent agreement');
    expect(sheet?.facts.map(({ value }) => value)).toEqual([
      expect.stringMatching(/^KR\d\d[0-9A-HJKMNP-TV-Z]{12}$/),
      '₹2.80',
      expect.stringMatching(/^\d{1,2} \w+ \d{4}.* IST$/),
      'Vikram Shah',
      `${vikram.charId.slice(0, 4)} ${vikram.charId.slice(4)}`,
      '₹7.00',
      '7 days',
      '40%',
      'Karaar Agreements Pvt Ltd',
      '12 MG Road, Pune 411001',
      '27AAPFU0939F1ZV',
    ]);
    expect(sheet?.rows).toEqual([
      ['Payment', payment['_id']],
      ['Wallet transaction', expect.any(String)],
    ]);
  });

  it('is printed in English and then in the payer’s language, or in the requested one', async () => {
    const meena = await api.world.addUser('Meena Kumari', { language: 'te' });
    api.wallet.balances.set(meena.userId, 100_000);
    const id = await shared(meena);
    const { body: payment } = await api.pay(meena, id);
    const printed = async (query = '') => {
      const url = `${api.service.url}/payments/${String(payment['_id'])}/receipt${query}`;
      expect((await fetch(url, { headers: meena.headers })).status).toBe(200);
      const sheet = api.documents.sheets.at(-1);
      return [sheet?.language, sheet?.translation?.language];
    };
    expect(await printed()).toEqual(['en', 'te']);
    expect(await printed('?language=bn')).toEqual(['en', 'bn']);
    expect(await printed('?language=en')).toEqual(['en', undefined]);
    const refused = await fetch(`${api.service.url}/payments/${String(payment['_id'])}/receipt?language=fr`, {
      headers: meena.headers,
    });
    expect(refused.status).toBe(422);
  });

  it('is only for the payer, and only once the payment is completed', async () => {
    const id = await shared();
    const { body: opened } = await create(asha, id);
    const before = api.documents.sheets.length;
    expect((await receipt(asha, opened['_id'])).status).toBe(409);
    const { body: payment } = await api.pay(vikram, id);
    for (const [caller, status] of [
      [undefined, 401],
      [asha, 403],
      [{ headers: await api.world.adminHeaders() }, 403],
    ] as const) {
      expect((await receipt(caller, payment['_id'])).status).toBe(status);
    }
    for (const unknown of ['x', randomUUID()]) expect((await receipt(asha, unknown)).status).toBe(404);
    expect(api.documents.sheets).toHaveLength(before);
  });
});
