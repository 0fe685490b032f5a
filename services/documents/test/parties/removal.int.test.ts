import { jest } from '@jest/globals';
import type { WorldUser } from '@karaar/testing/service-world';
import { approvedBy } from '../approved.ts';
import { startApi, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-removal');
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
}, 120_000);
afterAll(() => api.stop());
beforeEach(() => {
  api.payments.meanwhile = undefined;
  api.payments.taken.clear();
  api.payments.requests.length = 0;
});

const remove = (id: string) => api.call(owner, 'DELETE', `/documents/${id}/remove-user/${guest.userId}`);
const involved = async (id: string) =>
  (await api.call(owner, 'GET', `/documents/${id}`)).body['involved_users'] as string[];

it('refuses a removal with the name and the amount, and allows it after the share is gone', async () => {
  const id = await approvedBy(api, owner, guest);
  api.payments.taken.set(id, [{ user_id: guest.userId, amount_paise: 35_050, state: 'open' }]);
  expect(await remove(id)).toMatchObject({
    status: 409,
    body: { code: 'share_open', detail: expect.stringContaining('Vikram Shah has a share of ₹350.50') },
  });
  expect(await involved(id)).toContain(guest.userId);
  api.payments.taken.clear();
  expect((await remove(id)).status).toBe(200);
  expect(await involved(id)).not.toContain(guest.userId);
  expect(api.payments.requests).toMatchObject([{ removed: guest.userId }, { removed: guest.userId }]);
});

it('checks again if the document changes while it waits for payments', async () => {
  const id = await approvedBy(api, owner, guest);
  api.payments.meanwhile = async () => {
    api.payments.meanwhile = undefined;
    await api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`);
    await api.call(owner, 'POST', `/documents/${id}/add-user`, {
      target_user_char_id: (await api.world.addUser('Meera Nair')).charId,
    });
    api.payments.taken.set(id, [{ user_id: guest.userId, amount_paise: 100, state: 'open' }]);
  };
  expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'share_open' } });
  expect(await involved(id)).toContain(guest.userId);
});
