import { randomUUID } from 'node:crypto';
import type { AdminPayment } from '@karaar/contracts/payments/http';
import type { AdminRole } from '@karaar/contracts/kit';
import { walletEvents } from '@karaar/contracts/wallet/events';
import { authEvents } from '@karaar/contracts/auth/events';
import { connectBus, createOutbox, type Bus } from '@karaar/bus';
import { createDb, inTransaction, migrateToLatest, type Db } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import { testPostgres } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { startApi, type Api } from './api.ts';
import { busTables } from '@karaar/db/shared-tables';

let api: Api;
let asha: WorldUser;
let documentId: string;
let phone: string;
let others: {
  publish: (service: 'wallet' | 'auth', events: TestEvent[]) => Promise<void>;
  stop: () => Promise<void>;
};

type TestEvent = Parameters<ReturnType<typeof createOutbox>['add']>[2] & { event: keyof typeof EVENTS };
const EVENTS = { card: walletEvents.card, user: authEvents.userUpdated };

const get = async <T>(path: string, role: AdminRole = 'super-admin') =>
  api.call<T>({ headers: await api.world.adminHeaders(role) }, 'GET', path);
const list = async (query = '') =>
  (await get<{ items: AdminPayment[]; next_cursor: string | null }>(`/admin/payments/page?${query}`)).body;

const card = (reference: string, version: number, change: object = {}): TestEvent => ({
  event: 'card',
  aggregateId: reference,
  aggregateVersion: version,
  data: {
    reference,
    type: 'top_up',
    order_id: reference,
    payment_id: version > 1 ? 'pay_Abc123' : null,
    user_id: asha.userId,
    amount_paise: 25_000,
    status: version > 1 ? 'completed' : 'pending',
    created_at: '2026-03-01T18:29:00.000Z',
    ...change,
  },
});

async function openOthers(): Promise<typeof others> {
  const logger = createLogger({ name: 'test', level: 'error' });
  const open: {
    database: Awaited<ReturnType<typeof testPostgres>>;
    db: Db<Record<string, never>>;
    bus: Bus;
  }[] = [];
  return {
    publish: async (service, events) => {
      const database = await testPostgres(`payments-admin-${service}`);
      const db = createDb<Record<string, never>>({ url: database.url, max: 2, applicationName: service });
      await migrateToLatest(db, { init: { up: busTables } });
      const bus = await connectBus({ url: api.world.natsUrl, name: service, logger });
      open.push({ database, db, bus });
      const outbox = createOutbox(db, bus, { logger });
      await inTransaction(db, async (tx) => {
        // TypeScript cannot relate an event and its data through the table.
        for (const { event, ...fields } of events) await outbox.add(tx, EVENTS[event], fields as never);
      });
      outbox.start();
      await until('sent', async () => {
        const { rows } = await sql<{ n: number }>`
          SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL`.execute(db);
        return rows[0]?.n === 0;
      });
      await outbox.stop();
    },
    stop: async () => {
      for (const { database, db, bus } of open) {
        await bus.close();
        await db.destroy();
        await database.drop();
      }
    },
  };
}

beforeAll(async () => {
  api = await startApi('payments-admin');
  others = await openOthers();
  asha = await api.user('Asha Rao', 1_000);
  documentId = api.document([asha], { name: 'Lease of a shop' });
  await api.distribute(asha, documentId, [[asha, 100]]);
  expect((await api.pay(asha, documentId)).status).toBe(200);
  await others.publish('auth', [
    {
      event: 'user',
      aggregateId: asha.userId,
      aggregateVersion: 2,
      data: { user_id: asha.userId },
    },
  ]);
  const refund = randomUUID();
  await others.publish('wallet', [
    // Late and repeated events: the newest state stays.
    card('order_Xyz', 3, { fee_paise: 590 }),
    card('order_Xyz', 1),
    card('order_Xyz', 3, { fee_paise: 590 }),
    card(refund, 2, { type: 'refund', order_id: 'order_Xyz', amount_paise: 5_000 }),
  ]);
  await until('kept', async () => (await list()).items.length === 3);
  await until('named', async () => (await list()).items.every(({ char_id }) => char_id === asha.charId));
  const { rows } = await sql<{ phone_no: string }>`SELECT phone_no FROM directory`.execute(
    api.service.foundation.db,
  );
  phone = rows[0]?.phone_no ?? '';
}, 120_000);
afterAll(async () => {
  await others.stop();
  await api.stop();
});

describe('the admins’ list of payments', () => {
  it('[ADMIN-022] has every payment with order_id, payment_id and type', async () => {
    const { status, body } = await get<AdminPayment[]>('/admin/payments');
    expect(status).toBe(200);
    expect(body).toHaveLength(3);
    expect(body.find(({ type }) => type === 'document')).toMatchObject({
      amount: 7,
      status: 'completed',
      payment_method: 'wallet',
      user_id: asha.userId,
      user_name: 'Asha Rao',
      document_id: documentId,
      order_id: null,
      payment_id: expect.any(String),
    });
    expect(body.find(({ type }) => type === 'top_up')).toMatchObject({
      amount: 250,
      card_fee: 5.9,
      status: 'completed',
      payment_method: 'card',
      order_id: 'order_Xyz',
      payment_id: 'pay_Abc123',
      created_at: '2026-03-01T18:29:00.000Z',
    });
    expect(body.find(({ type }) => type === 'refund')).toMatchObject({
      amount: 50,
      card_fee: 0,
      order_id: 'order_Xyz',
    });
  });

  it('is filtered, searched, sorted and paged over both kinds', async () => {
    const types = async (query: string) => (await list(query)).items.map(({ type }) => type);
    expect(await types('type=top_up')).toEqual(['top_up']);
    expect(await types('type=document')).toEqual(['document']);
    expect(await types('status=pending')).toEqual([]);
    expect(await types(`document_id=${documentId}`)).toEqual(['document']);
    expect((await types('from=2026-03-01&to=2026-03-01')).sort()).toEqual(['refund', 'top_up']);
    expect(await types('to=2026-02-28')).toEqual([]);
    expect((await types('search=order_Xyz')).sort()).toEqual(['refund', 'top_up']);
    expect((await types('search=pay_Abc123')).sort()).toEqual(['refund', 'top_up']);
    expect(await types('search=%E2%80%8Bpay_Abc123%0A')).toHaveLength(2);
    expect(await types('search=of%20a%20SHOP')).toEqual(['document']);
    expect(await types(`search=${asha.charId}`)).toHaveLength(3);
    expect(await types(`search=${phone.slice(3)}`)).toHaveLength(3);
    expect(await types('sort=amount')).toEqual(['top_up', 'refund', 'document']);
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof list>> = await list(`sort=-amount&limit=1&cursor=${cursor}`);
      seen.push(...page.items.map(({ amount }) => amount));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([7, 50, 250]);
  });

  it('has sums: payments for documents, top-ups and refunds', async () => {
    expect((await get('/admin/payments/totals')).body).toMatchObject({
      volume: { amount: 7, count: 1 },
      top_ups: { amount: 250, count: 1 },
      refunds: { amount: 50, count: 1 },
      pending: { amount: 0, count: 0 },
      by_day: [{ amount: 7, count: 1 }],
    });
  });

  it('is exported as CSV, with an entry in the audit log', async () => {
    const answer = await fetch(`${api.service.url}/admin/payments/export?type=top_up`, {
      headers: await api.world.adminHeaders(),
    });
    const [head, line, ...more] = (await answer.text()).trim().split('\r\n');
    expect(head).toContain('Order ID,Payment ID');
    expect(line).toMatch(
      /^2026-03-01 23:59:00,top_up,completed,250\.00,5\.90,card,Asha Rao,.*,order_Xyz,pay_Abc123,/,
    );
    expect(more).toEqual([]);
    const { rows } = await sql<{ data: object }>`
      SELECT data FROM outbox WHERE type = 'payments.admin.acted'`.execute(api.service.foundation.db);
    expect(rows).toMatchObject([{ data: { action: 'payments.exported', target: 'top_up' } }]);
  });

  it('is for super-admins only', async () => {
    for (const path of ['', '/page', '/totals', '/export'])
      for (const role of ['support', 'editor'] as const)
        expect((await get(`/admin/payments${path}`, role)).body).toMatchObject({ code: 'role_forbidden' });
  });
});
