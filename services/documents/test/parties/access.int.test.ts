import { jest } from '@jest/globals';
import { spanOf } from '@karaar/db/partitions';
import { partitionsRead } from '@karaar/testing/partitions';
import { revokeSession } from '@karaar/testing/people/sessions';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { sessionOf } from '@karaar/testing/people/tokens';
import { until } from '@karaar/testing/until';
import { listEvents } from '../../src/features/agreements/agreement-records.repository.ts';
import { draftForm, startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-access');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('विक्रम शाह');
  stranger = await api.world.addUser('Meera Nair');
}, 120_000);
afterAll(() => api.stop());
beforeEach(() => {
  api.vision.verdict = 'ok';
});

const get = (user: WorldUser, id: string) => api.call(user, 'GET', `/documents/${id}`);
const invite = (id: string, user = guest) =>
  api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: id,
    target_user_char_id: user.charId,
  });
const reject = (id: string, user = guest) => {
  const form = new FormData();
  form.append('response', 'reject');
  return api.send(user, `/documents/${id}/respond-agreement`, form);
};

it('reads a history from the partition of the month in which its document was created', async () => {
  const { id } = await api.create(owner);
  const { db } = api.service.foundation;
  expect(await listEvents(db, id)).toMatchObject([{ type: 'document.created' }]);
  const read = await partitionsRead(db, 'document_events', (tx) => listEvents(tx, id));
  expect(read).toEqual([`document_events_${spanOf(new Date(), 1).name}`]);
});

describe('access to a document', () => {
  it('[DOC-117] [DOC-118] [DOC-119] shows other users name, status and creator, and no file', async () => {
    const { id } = await api.create(owner);
    const body = (await get(stranger, id)).body;
    expect(body).toEqual({
      _id: id,
      document_id: id,
      name: 'Rent agreement',
      status: 'pending',
      primary_user_name: 'Asha Rao',
    });
    const [path] = (await get(owner, id)).body['upload_raw_docs'] as string[];
    const url = `${api.url}${String(path).replace('/api', '')}`;
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url.split('?')[0] ?? '')).status).toBe(403);
  });

  it('[DOC-119] ends for the links of a removed party', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    const [path] = (await get(guest, id)).body['upload_raw_docs'] as string[];
    const url = `${api.url}${String(path).replace('/api', '')}`;
    expect((await fetch(url)).status).toBe(200);
    await api.call(owner, 'DELETE', `/documents/${id}/remove-user/${guest.userId}`);
    expect((await fetch(url)).status).toBe(403);
  });

  it('lasts as long as the session of the link', async () => {
    const { id } = await api.create(owner);
    const leaving = await api.world.addUser('Leaving');
    await invite(id, leaving);
    const [path] = (await get(leaving, id)).body['upload_raw_docs'] as string[];
    const [own] = (await get(owner, id)).body['upload_raw_docs'] as string[];
    const open = async (link?: string) =>
      (await fetch(`${api.url}${String(link).replace('/api', '')}`)).status;
    expect([await open(path), await open(own)]).toEqual([200, 200]);
    await revokeSession(api.world.redisUrl, sessionOf(leaving));
    await until('it is over', async () => (await open(path)) === 401, 1_000);
    expect(await open(own)).toBe(200);
  });

  it('[DOC-088] [DASH-026] [CAPTURE-044] [FINAL-012] [PRICING-011] requires a user token on every route', async () => {
    const { id } = await api.create(owner);
    const admin = await api.world.adminHeaders();
    for (const [method, path] of [
      ['POST', '/documents/create'],
      ['POST', '/documents/join'],
      ['POST', '/documents/join/look-up'],
      ['POST', '/documents/initiate-agreement'],
      ['GET', '/documents/my-documents'],
      ['GET', '/documents/my-documents/page'],
      ['GET', '/documents/my-documents/counts'],
      ['GET', '/documents/pending-agreements'],
      ['GET', '/documents/work'],
      ['GET', '/documents/notice-settings'],
      ['PUT', '/documents/notice-settings'],
      ['PUT', `/documents/${id}`],
      ['DELETE', `/documents/${id}`],
      ['POST', `/documents/${id}/submit`],
      ['POST', `/documents/${id}/remind/${owner.userId}`],
      ['GET', `/documents/${id}`],
      ['GET', `/documents/${id}/events`],
      ['GET', `/documents/${id}/history-pdf`],
      ['POST', `/documents/${id}/respond-agreement`],
      ['POST', `/documents/${id}/self-verify-approve`],
      ['PUT', `/documents/${id}/approve/${owner.userId}`],
      ['POST', `/documents/${id}/add-user`],
      ['PUT', `/documents/${id}/approve-user/${owner.userId}`],
      ['DELETE', `/documents/${id}/remove-user/${owner.userId}`],
      ['POST', `/documents/${id}/cancel`],
      ['PUT', `/documents/${id}/cancel-late`],
      ['PATCH', `/documents/${id}/finalize`],
      ['GET', `/documents/${id}/final-pdf`],
      ['GET', '/documents/pricing'],
      ['POST', '/documents/pricing'],
      ['PUT', '/documents/pricing'],
      ['GET', '/documents/pricing/history'],
    ] as const) {
      refused({ path, ...(await api.call(undefined, method, path)) }, 401);
      const asAdmin = await fetch(`${api.url}${path}`, { method, headers: admin });
      expect({ path, status: asAdmin.status }).toEqual({ path, status: 403 });
    }
  });

  it('[DOC-089] [DASH-027] [CAPTURE-045] [FINAL-009] [FINAL-013] responds 403 to other users and changes nothing', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    // The worker changes the state of the text message once more.
    await until('the invitation is sent', async () =>
      JSON.stringify((await get(owner, id)).body['parties']).includes('"state":"sent"'),
    );
    const { parties, user_approvals } = (await get(owner, id)).body;
    const before = [parties, user_approvals];
    for (const user of [guest, stranger]) {
      for (const [method, path, body] of [
        ['PUT', `/documents/${id}/approve/${owner.userId}`],
        ['PUT', `/documents/${id}/approve/${user === guest ? stranger.userId : guest.userId}`],
        ['POST', '/documents/initiate-agreement', { document_id: id, target_user_char_id: stranger.charId }],
        ['POST', `/documents/${id}/add-user`, { target_user_char_id: stranger.charId }],
        ['PUT', `/documents/${id}/approve-user/${guest.userId}`],
        ['DELETE', `/documents/${id}/remove-user/${guest.userId}`],
        ['POST', `/documents/${id}/remind/${guest.userId}`],
        ['DELETE', `/documents/${id}`],
        ['POST', `/documents/${id}/cancel`, { reason: 'Not mine' }],
        ['PUT', `/documents/${id}/cancel-late`, { cancel_late: true }],
      ] as const) {
        refused({ path, ...(await api.call(user, method, path, body)) }, 403);
      }
      // An involved user can approve only after verifying.
      const own = await api.call(user, 'PUT', `/documents/${id}/approve/${user.userId}`);
      expect(own).toMatchObject({
        status: user === guest ? 409 : 403,
        body: { detail: expect.any(String), code: user === guest ? 'verify_first' : 'not_involved' },
      });
      refused(await api.send(user, `/documents/${id}/finalize`, new FormData(), 'PATCH'), 403);
      refused(await api.send(user, `/documents/${id}`, await draftForm(), 'PUT'), 403);
      refused(await api.send(user, `/documents/${id}/submit`, await verificationForm()), 403);
    }
    refused(await reject(id, stranger), 403);
    refused(await reject(id, owner), 403);
    // Permissions are checked before the request and before the document's state.
    const blank = await draftForm();
    blank.set('name', ' ');
    blank.set('keep_files', 'no list');
    refused(await api.send(stranger, `/documents/${id}`, blank, 'PUT'), 403);
    const without = new FormData();
    without.set('response', 'accept');
    refused(await api.send(stranger, `/documents/${id}/respond-agreement`, without), 403);
    const contact = { contact: 'neither a number nor an address' };
    refused(await api.call(stranger, 'POST', `/documents/${id}/invitations`, contact), 403);
    refused(await api.send(stranger, `/documents/${id}/self-verify-approve`, await verificationForm()), 403);
    refused(await api.call(stranger, 'GET', `/documents/${id}/final-pdf`), 403);
    const after = (await get(owner, id)).body;
    expect(after).toMatchObject({ status: 'pending', involved_users: [owner.userId, guest.userId] });
    expect([after['parties'], after['user_approvals']]).toEqual(before);
  });

  it('[DOC-090] [DOC-091] [DOC-092] [DASH-028] [CAPTURE-046] [FINAL-010] responds 404 for unknown ids', async () => {
    const { id } = await api.create(owner);
    for (const unknown of ['0199aaaa-0000-7000-8000-000000000000', 'nonsense']) {
      for (const [method, path, body] of [
        ['GET', `/documents/${unknown}`],
        ['PUT', `/documents/${unknown}/approve/${owner.userId}`],
        [
          'POST',
          '/documents/initiate-agreement',
          { document_id: unknown, target_user_char_id: guest.charId },
        ],
        ['POST', `/documents/${unknown}/add-user`, { target_user_char_id: guest.charId }],
        ['PUT', `/documents/${unknown}/approve-user/${guest.userId}`],
        ['DELETE', `/documents/${unknown}/remove-user/${guest.userId}`],
        ['POST', `/documents/${unknown}/remind/${guest.userId}`],
        ['POST', `/documents/${id}/remind/${unknown}`],
        ['DELETE', `/documents/${unknown}`],
        ['POST', `/documents/${unknown}/cancel`, { reason: 'Unknown' }],
        ['PUT', `/documents/${unknown}/cancel-late`, { cancel_late: true }],
        ['GET', `/documents/${unknown}/final-pdf`],
        ['PUT', `/documents/${id}/approve/${unknown}`],
        ['PUT', `/documents/${id}/approve-user/${unknown}`],
        ['DELETE', `/documents/${id}/remove-user/${unknown}`],
      ] as const) {
        refused({ path, ...(await api.call(owner, method, path, body)) }, 404);
      }
      refused(await api.send(owner, `/documents/${unknown}/finalize`, new FormData(), 'PATCH'), 404);
      refused(await reject(unknown), 404);
      refused(
        await api.send(owner, `/documents/${unknown}/self-verify-approve`, await verificationForm()),
        404,
      );
    }
    const body = { document_id: id, target_user_char_id: 'ZZZZZZZZ' };
    refused(await api.call(owner, 'POST', '/documents/initiate-agreement', body), 404);
    refused(await api.call(owner, 'POST', `/documents/${id}/add-user`, body), 404);
  });

  it('[DOC-033] [DOC-076] responds 422 and names a missing field', async () => {
    const { id } = await api.create(owner);
    const initiate = (body: object) => api.call(owner, 'POST', '/documents/initiate-agreement', body);
    refused(await initiate({ document_id: id }), 422, 'target_user_char_id');
    refused(await initiate({ target_user_char_id: guest.charId }), 422, 'document_id');
    refused(await initiate({}), 422, 'document_id', 'target_user_char_id');
    refused(await api.call(owner, 'POST', `/documents/${id}/add-user`, {}), 422, 'target_user_char_id');
  });
});
