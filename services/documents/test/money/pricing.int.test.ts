import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { startApi, type Answer, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let admin: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-pricing');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  admin = { userId: '', charId: '', name: '', token: '', headers: await api.world.adminHeaders() };
}, 120_000);
afterAll(() => api.stop());

const call = (who: WorldUser | undefined, method: string, path: string, body?: unknown): Promise<Answer> =>
  api.call(who, method, path, body);
const totalOf = async (id: string) => (await call(owner, 'GET', `/documents/${id}`)).body['total_amount'];
const NOT_A_RATE = [undefined, null, 0, -1, 'x', '', true, [], 1.001].map((daily_rate) => ({ daily_rate }));

describe('pricing', () => {
  it('[PRICING-006] [PRICING-007] [PRICING-009] [PRICING-012] [PRICING-013] [PAY-052] [ADMIN-030] returns 404 until a rate is set, then fixes the rate on each new document', async () => {
    const first = await api.create(owner);
    refused(await call(owner, 'GET', '/documents/pricing'), 404);
    refused(await call(admin, 'GET', '/admin/pricing'), 404);
    expect((await call(guest, 'POST', '/documents/pricing', { daily_rate: 2.5 })).status).toBe(201);
    const second = await api.create(owner);
    const updated = await call(owner, 'PUT', '/documents/pricing', { daily_rate: 3 });
    expect(updated.body).toEqual({
      daily_rate: 3,
      is_active: true,
      created_by_name: guest.name,
      updated_by_name: owner.name,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      user_editing: true,
    });
    for (const user of [owner, guest]) {
      expect(await call(user, 'GET', '/documents/pricing')).toEqual({ status: 200, body: updated.body });
    }
    expect(await totalOf(first.id)).toBe(7);
    expect(await totalOf(second.id)).toBe(17.5);
    expect((await call(guest, 'GET', '/documents/pricing/history')).body).toMatchObject([
      { daily_rate: 3, author_name: owner.name, at: updated.body['updated_at'] },
      { daily_rate: 2.5, author_name: guest.name, at: updated.body['created_at'] },
    ]);
  });

  it('[PRICING-008] [PRICING-010] [ADMIN-025] [ADMIN-027] refuses invalid rates', async () => {
    const before = (await call(owner, 'GET', '/documents/pricing')).body;
    for (const method of ['POST', 'PUT']) {
      for (const body of NOT_A_RATE) {
        refused(
          { asked: body, ...(await call(owner, method, '/documents/pricing', body)) },
          422,
          'daily_rate',
        );
        refused({ asked: body, ...(await call(admin, method, '/admin/pricing', body)) }, 422, 'daily_rate');
      }
    }
    expect((await call(owner, 'GET', '/documents/pricing')).body).toEqual(before);
  });

  it('[ADMIN-023] [ADMIN-024] [ADMIN-026] shows admins and users the same rate, whoever sets it', async () => {
    for (const [method, status, rate] of [
      ['POST', 201, 4.25],
      ['PUT', 200, 5],
    ] as const) {
      expect(await call(admin, method, '/admin/pricing', { daily_rate: rate })).toMatchObject({
        status,
        body: { daily_rate: rate, updated_by_name: 'Administrator' },
      });
      expect((await call(owner, 'GET', '/documents/pricing')).body['daily_rate']).toBe(rate);
      expect((await call(admin, 'GET', '/admin/pricing')).body['daily_rate']).toBe(rate);
    }
    expect((await call(admin, 'GET', '/admin/pricing/history')).body).toMatchObject([
      { daily_rate: 5 },
      { daily_rate: 4.25 },
      { daily_rate: 3 },
      { daily_rate: 2.5 },
    ]);
  });

  it('[PRICING-014] publishes every change, in the order in which the changes took effect', async () => {
    const rates = Array.from({ length: 12 }, (_, i) => 10 + i);
    await Promise.all(rates.map((rate) => call(owner, 'PUT', '/documents/pricing', { daily_rate: rate })));
    const { rows } = await sql<{ version: number; rate: number; author: string }>`
      SELECT aggregate_version::int AS version, (data->>'daily_rate_paise')::int AS rate, data->>'author_id' AS author
      FROM outbox WHERE type = ${documentsEvents.pricingChanged.type} ORDER BY aggregate_version DESC LIMIT 12`.execute(
      api.service.foundation.db,
    );
    expect(rows.map(({ rate }) => rate / 100).sort((a, b) => a - b)).toEqual(rates);
    expect(rows.every(({ author }) => author === owner.userId)).toBe(true);
    expect((await call(owner, 'GET', '/documents/pricing')).body['daily_rate']).toBe(
      (rows[0]?.rate ?? 0) / 100,
    );
  });

  it('[PRICING-015] refuses changes by users while admins have switched them off', async () => {
    const turn = (enabled: boolean) => call(admin, 'PUT', '/admin/pricing/user-editing', { enabled });
    const before = (await call(owner, 'GET', '/documents/pricing')).body;
    expect(await turn(false)).toEqual({ status: 200, body: { enabled: false } });
    for (const method of ['POST', 'PUT']) {
      const answer = await call(owner, method, '/documents/pricing', { daily_rate: 9 });
      refused({ method, ...answer }, 403);
      expect(answer.body['code']).toBe('pricing_editing_off');
    }
    expect((await call(owner, 'GET', '/documents/pricing')).body).toEqual({ ...before, user_editing: false });
    expect((await call(admin, 'PUT', '/admin/pricing', { daily_rate: 6 })).body['daily_rate']).toBe(6);
    await turn(true);
    expect((await call(admin, 'GET', '/admin/pricing/user-editing')).body).toEqual({ enabled: true });
    expect((await call(owner, 'PUT', '/documents/pricing', { daily_rate: 7 })).body['daily_rate']).toBe(7);
  });

  it('allows the admin routes to admins only', async () => {
    const before = (await call(owner, 'GET', '/documents/pricing')).body['daily_rate'];
    for (const [method, path, body] of [
      ['GET', '/admin/pricing'],
      ['POST', '/admin/pricing', { daily_rate: 99 }],
      ['PUT', '/admin/pricing', { daily_rate: 99 }],
      ['GET', '/admin/pricing/history'],
      ['GET', '/admin/pricing/user-editing'],
      ['PUT', '/admin/pricing/user-editing', { enabled: false }],
    ] as const) {
      for (const [caller, status] of [
        [undefined, 401],
        [owner, 403],
      ] as const) {
        refused({ path, ...(await call(caller, method, path, body)) }, status);
      }
    }
    const after = await call(owner, 'GET', '/documents/pricing');
    expect(after.body).toMatchObject({ daily_rate: before, user_editing: true });
  });
});
