import { jest } from '@jest/globals';
import type { WorldUser } from '@karaar/testing/service-world';
import { startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let joiner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;
let documentId: string;

beforeAll(async () => {
  api = await startApi('documents-party-photos');
  owner = await api.world.addUser('Asha Rao');
  joiner = await api.world.addUser('Vikram Shah');
  guest = await api.world.addUser('Meera Nair');
  stranger = await api.world.addUser('Ravi Iyer');
  const { id, code } = await api.create(owner);
  documentId = id;
  const form = await verificationForm({ document_code: code });
  expect((await api.send(joiner, '/documents/join', form)).status).toBeLessThan(300);
  await api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: documentId,
    target_user_char_id: guest.charId,
  });
}, 120_000);
afterAll(() => api.stop());

type Seen = { user_id: string; photo?: string };
async function photoSeenBy(viewer: WorldUser, about: WorldUser): Promise<string | undefined> {
  const { body } = await api.call(viewer, 'GET', `/documents/${documentId}`);
  return (body['parties'] as Seen[]).find(({ user_id }) => user_id === about.userId)?.photo;
}
const open = (link: string, headers = {}) => fetch(`${api.url}${link.replace('/api', '')}`, { headers });

it('is a link for the creator, also for a person who only asks to join', async () => {
  const link = await photoSeenBy(owner, joiner);
  const photo = await open(String(link));
  expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect((await photo.arrayBuffer()).byteLength).toBeGreaterThan(100);
  // A user who has not verified has no photo.
  expect(await photoSeenBy(owner, guest)).toBeUndefined();
});

it('is not shown to another party, nor in a list', async () => {
  expect(await photoSeenBy(guest, owner)).toBeUndefined();
  const { body } = await api.call(owner, 'GET', '/documents/my-documents');
  expect(JSON.stringify(body)).not.toContain('"photo"');
});

it('does not open for other users: the link is bound to its viewer, whose right is checked each time', async () => {
  const link = String(await photoSeenBy(owner, joiner));
  const path = link.split('?')[0];
  // The signature of another user's link does not fit this path.
  for (const other of [guest, stranger]) {
    const { body } = await api.call(other, 'GET', `/documents/${documentId}`);
    const own = (body['raw_files'] as { path: string }[] | undefined)?.[0]?.path.split('?')[1];
    expect((await open(`${path}?${own ?? ''}`, other.headers)).status).toBeGreaterThanOrEqual(400);
  }
  // After a removal the photo is hidden, and the earlier link is refused.
  await api.call(owner, 'DELETE', `/documents/${documentId}/remove-user/${joiner.userId}`);
  expect((await open(link)).status).toBe(403);
});
