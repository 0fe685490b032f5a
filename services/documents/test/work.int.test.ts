import { jest } from '@jest/globals';
import type { WorldUser } from '@karaar/testing/service-world';
import { startApi, verificationForm, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-work');
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
}, 120_000);
afterAll(() => api.stop());

type Item = { kind: string; document_id: string; name: string; people: { name: string }[] };
const work = async (user: WorldUser) => {
  const { body } = await api.call(user, 'GET', '/documents/work');
  const words = (list: unknown) =>
    (list as Item[]).map(({ kind, people }) => [kind, ...people.map(({ name }) => name)].join(' '));
  return { mine: words(body['mine']), others: words(body['others']) };
};

it('follows an agreement from its draft to its sealing, for both parties', async () => {
  expect(await work(owner)).toEqual({ mine: [], others: [] });
  const { id, code } = await api.create(owner);
  expect(await work(owner)).toEqual({ mine: ['invite'], others: [] });

  const asked = await api.send(guest, '/documents/join', await verificationForm({ document_code: code }));
  expect(asked.status).toBe(202);
  expect(await work(owner)).toEqual({ mine: ['admit Vikram Shah'], others: [] });
  expect(await work(guest)).toEqual({ mine: [], others: ['admission Asha Rao'] });

  await api.call(owner, 'PUT', `/documents/${id}/approve-user/${guest.userId}`);
  expect(await work(owner)).toEqual({ mine: ['approve'], others: ['reading Vikram Shah'] });
  expect(await work(guest)).toEqual({ mine: ['read Asha Rao'], others: [] });

  await api.call(guest, 'PUT', `/documents/${id}/approve/${guest.userId}`);
  expect(await work(guest)).toEqual({ mine: [], others: ['approval Asha Rao'] });
  await api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`);
  expect(await work(owner)).toEqual({ mine: ['seal'], others: [] });
  expect(await work(guest)).toEqual({ mine: [], others: ['sealing Asha Rao'] });
});

it('shows a user who only asked to join the name and the creator, and nothing after a removal', async () => {
  const ravi = await api.world.addUser('Ravi Kumar');
  const { id, code } = await api.create(owner);
  await api.send(ravi, '/documents/join', await verificationForm({ document_code: code }));
  const { body } = await api.call(ravi, 'GET', '/documents/work');
  expect(body).toEqual({
    mine: [],
    others: [
      {
        kind: 'admission',
        document_id: id,
        name: expect.any(String),
        people: [{ user_id: owner.userId, name: 'Asha Rao' }],
      },
    ],
  });
  await api.call(owner, 'DELETE', `/documents/${id}/remove-user/${ravi.userId}`);
  expect(await work(ravi)).toEqual({ mine: [], others: [] });
});
