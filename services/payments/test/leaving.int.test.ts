/** A party leaves a document: no payment for the old version, and no leaving once a share is paid. */
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import { connectBus, type Bus } from '@karaar/bus';
import { uuidv7 } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import type { ChargedDocument } from '@karaar/testing/made-up/documents';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { startApi, type Api } from './api.ts';

jest.setTimeout(90_000);

let api: Api;
let documents: Bus;
let asha: WorldUser;
let vikram: WorldUser;

beforeAll(async () => {
  api = await startApi('payments-leaving', { SWEEP_EVERY_MS: '100', SWEEP_AFTER_MS: '400' });
  const logger = createLogger({ name: 'documents', level: 'silent' });
  documents = await connectBus({ url: api.world.natsUrl, name: 'documents', logger });
}, 120_000);
afterAll(async () => {
  await documents.close();
  await api.stop();
});
beforeEach(async () => {
  [asha, vikram] = [await api.user('Asha Rao', 1_000), await api.user('Vikram Shah', 1_000)];
  api.wallet.next.length = 0;
});

const shared = async () => {
  const id = api.document([asha, vikram], { version: 7 });
  expect(
    (
      await api.distribute(asha, id, [
        [asha, 50],
        [vikram, 50],
      ])
    ).status,
  ).toBe(200);
  return id;
};
const known = (id: string): ChargedDocument => {
  const document = api.documents.known.get(id);
  if (!document) throw new Error('The test has no such document');
  return document;
};
const stop = (id: string, version = known(id).version) =>
  documents.request(paymentsRpc.stopCharge, { document_id: id, version });
const create = (user: WorldUser, id: string) =>
  api.call(user, 'POST', '/payments/create', { document_id: id });

const leave = (id: string): void => {
  const document = known(id);
  Object.assign(document, {
    status: 'pending',
    all_approved: false,
    involved_users: [asha.userId],
    version: document.version + 1,
  });
};
const publishChange = (id: string, change: string, version = known(id).version) =>
  documents.link.js.publish(
    documentsEvents.changed.subject,
    JSON.stringify({
      id: uuidv7(),
      type: documentsEvents.changed.type,
      version: 1,
      occurredAt: new Date().toISOString(),
      aggregateId: id,
      aggregateVersion: version,
      data: {
        document_id: id,
        status: 'pending',
        primary_user: asha.userId,
        involved_users: [asha.userId],
        change,
      },
    }),
  );
const setupOf = async (id: string) => (await api.calculate(asha, id)).payment_status;

it('says that a party owes the share of a document until it is paid or being paid, and other users owe nothing', async () => {
  const id = await shared();
  const other = await shared();
  const owes = async (user: WorldUser, document = id) =>
    (await documents.request(paymentsRpc.owes, { user_id: user.userId, document_id: document })).owes;
  const stranger = await api.user('Meera Nair', 0);
  expect([await owes(asha), await owes(vikram), await owes(stranger), await owes(asha, uuidv7())]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  await api.pay(vikram, id);
  expect([await owes(asha), await owes(vikram), await owes(vikram, other)]).toEqual([true, false, true]);
});

it('the answer names a paid share, and nothing changes', async () => {
  const id = await shared();
  await api.pay(asha, id);
  const opened = await create(vikram, id);
  const { taken } = await stop(id);
  expect(taken).toEqual([{ user_id: asha.userId, amount_paise: 350, state: 'paid' }]);
  const confirmed = await api.call(vikram, 'PUT', `/payments/${String(opened.body['_id'])}/confirm`);
  expect(confirmed).toMatchObject({ status: 200, body: { status: 'completed' } });
});

it('the answer names a payment in progress', async () => {
  const id = await shared();
  api.wallet.next.push('crash', 'crash');
  expect((await api.pay(vikram, id)).status).toBe(503);
  expect((await stop(id)).taken).toEqual([{ user_id: vikram.userId, amount_paise: 350, state: 'running' }]);
  await until('the sweeper has found out', async () => (await stop(id)).taken[0]?.state === 'paid');
});

it('opened payments end, and stale reads start no payment', async () => {
  const id = await shared();
  const opened = await create(vikram, id);
  expect(await stop(id)).toEqual({ taken: [] });
  const confirm = await api.call(vikram, 'PUT', `/payments/${String(opened.body['_id'])}/confirm`);
  expect(confirm).toMatchObject({ status: 409, body: { code: 'payment_failed' } });
  leave(id);
  expect((await api.pay(asha, id)).body).toMatchObject({ code: 'not_verified' });
  const again = await api.distribute(asha, id, [[asha, 100]]);
  expect(again).toMatchObject({ status: 409, body: { code: 'not_approved' } });
  expect(api.wallet.requestedDebits.filter(({ reference }) => reference === id)).toEqual([]);
});

it('a withdrawal that does not happen blocks no payment: payments asks documents for a newer version', async () => {
  const id = await shared();
  await stop(id);
  expect((await api.pay(vikram, id)).status).toBe(200);
  expect(known(id).version).toBe(8);
  const other = await shared();
  await stop(other);
  expect((await api.distribute(asha, other, [[asha, 100]])).status).toBe(200);
  expect(known(other).version).toBe(8);
});

it("a party's leaving removes only the shares from before", async () => {
  const id = await shared();
  await stop(id);
  leave(id);
  await publishChange(id, 'party.removed');
  await publishChange(id, 'party.withdrawn');
  await until('the shares are gone', async () => (await setupOf(id)) === 'not_setup');
  expect((await api.calculate(asha, id)).payment_distributions).toEqual([]);
  // All remaining parties approve, shares are set up, one is paid; then the event arrives again.
  Object.assign(known(id), { status: 'approved', all_approved: true, version: 9 });
  expect((await api.distribute(asha, id, [[asha, 100]])).status).toBe(200);
  expect((await api.pay(asha, id)).status).toBe(200);
  await publishChange(id, 'party.withdrawn', 8);
  const probe = await shared();
  leave(probe);
  await publishChange(probe, 'party.withdrawn');
  await until('the later event has arrived', async () => (await setupOf(probe)) === 'not_setup');
  expect(await setupOf(id)).toBe('completed');
});

it('a cancelled document leaves no share to pay', async () => {
  const id = await shared();
  expect((await create(vikram, id)).status).toBe(201);
  expect(await stop(id)).toEqual({ taken: [] });
  Object.assign(known(id), { status: 'rejected', version: 8 });
  await publishChange(id, 'document.cancelled');
  await until('the shares are gone', async () => (await setupOf(id)) === 'not_setup');
  expect((await api.pay(asha, id)).body).toMatchObject({ code: 'not_verified' });
});

it('of a simultaneous payment and withdrawal exactly one happens, in any order', async () => {
  const ROUNDS = 60;
  const seen = { left: 0, paid: 0 };
  const withdraw = async (id: string, waitMs: number): Promise<boolean> => {
    for (;;) {
      const { version } = known(id);
      if ((await stop(id, version)).taken.length > 0) return false;
      await sleep(waitMs);
      if (known(id).version !== version) continue;
      leave(id);
      return true;
    }
  };
  const round = async (no: number): Promise<void> => {
    const id = await shared();
    const ways = [
      () => api.pay(vikram, id),
      () => api.distribute(asha, id, [[asha, 100]]).then(() => api.pay(asha, id)),
      () =>
        create(vikram, id).then(({ body }) =>
          api.call(vikram, 'PUT', `/payments/${String(body['_id'])}/confirm`),
        ),
    ];
    const [left, paid] = await Promise.all([
      sleep(no % 7).then(() => withdraw(id, no % 5)),
      ways[no % 3]?.(),
    ]);
    const moved = api.wallet.requestedDebits.some(({ reference }) => reference === id);
    expect({ no, left, moved }).toEqual({ no, left, moved: !left });
    expect(paid?.status === 200).toBe(!left);
    seen[left ? 'left' : 'paid'] += 1;
  };
  for (let no = 0; no < ROUNDS; no += 6)
    await Promise.all(Array.from({ length: 6 }, (_, at) => round(no + at)));
  expect(seen.left).toBeGreaterThan(0);
  expect(seen.paid).toBeGreaterThan(0);
});

describe('a party whom the creator removes', () => {
  const remove = (id: string, user: WorldUser) =>
    documents.request(paymentsRpc.stopCharge, {
      document_id: id,
      version: known(id).version,
      removed: user.userId,
    });

  it('is named with their share in any state, and can be removed without a share', async () => {
    const id = await shared();
    const share = { user_id: vikram.userId, amount_paise: 350 };
    expect(await remove(id, vikram)).toEqual({ taken: [{ ...share, state: 'open' }] });
    await create(vikram, id);
    expect(await remove(id, vikram)).toEqual({ taken: [{ ...share, state: 'open' }] });
    // The request changed nothing: the opened payment is still there.
    expect((await api.pay(vikram, id)).status).toBe(200);
    expect(await remove(id, vikram)).toEqual({ taken: [{ ...share, state: 'paid' }] });

    const other = api.document([asha, vikram], { version: 7 });
    await api.distribute(asha, other, [[asha, 100]]);
    expect((await api.pay(asha, other)).status).toBe(200);
    expect(await remove(other, vikram)).toEqual({ taken: [] });
  });
});
