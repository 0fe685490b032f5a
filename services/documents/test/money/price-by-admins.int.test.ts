import { jest } from '@jest/globals';
import type { WorldUser } from '@karaar/testing/service-world';
import { usersMaySetPrice } from '../../src/config.ts';
import { startApi, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;
let admin: Pick<WorldUser, 'headers'>;

beforeAll(async () => {
  api = await startApi('documents-price', { PRICE_SET_BY: 'admins' });
  user = await api.world.addUser('Asha Rao');
  admin = { headers: await api.world.adminHeaders() };
}, 120_000);
afterAll(() => api.stop());

// `call` uses only the headers of a user.
const asAdmin = (method: string, path: string, body?: unknown) =>
  api.call({ ...user, ...admin }, method, path, body);

it('reserves the price for admins in production unless configured, and lets every user set it in development', () => {
  expect(usersMaySetPrice({ NODE_ENV: 'production' })).toBe(false);
  expect(usersMaySetPrice({ NODE_ENV: 'production', PRICE_SET_BY: 'users' })).toBe(true);
  expect(usersMaySetPrice({ NODE_ENV: 'development' })).toBe(true);
  expect(usersMaySetPrice({ NODE_ENV: 'development', PRICE_SET_BY: 'admins' })).toBe(false);
});

it('refuses users before and after a rate is set, and no admin can allow them', async () => {
  const change = (method: string) => api.call(user, method, '/documents/pricing', { daily_rate: 2 });
  const read = () => api.call(user, 'GET', '/documents/pricing');
  expect(await read()).toMatchObject({ status: 404, body: { code: 'pricing_not_set_by_admins' } });
  expect(await change('POST')).toMatchObject({ status: 403, body: { code: 'pricing_editing_off' } });
  expect((await asAdmin('POST', '/admin/pricing', { daily_rate: 3 })).status).toBe(201);
  expect(await change('PUT')).toMatchObject({ status: 403, body: { code: 'pricing_editing_off' } });
  expect((await read()).body).toMatchObject({ daily_rate: 3, user_editing: false });
  const editing = '/admin/pricing/user-editing';
  expect((await asAdmin('GET', editing)).body).toEqual({ enabled: false });
  expect(await asAdmin('PUT', editing, { enabled: true })).toMatchObject({
    status: 409,
    body: { code: 'price_set_by_admins' },
  });
  expect((await asAdmin('PUT', editing, { enabled: false })).status).toBe(200);
  expect(await change('PUT')).toMatchObject({ status: 403 });
});
