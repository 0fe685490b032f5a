/** The creator cancels a document that was sent. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsInternalRpc } from '@karaar/contracts/documents/inner';
import type { Envelope, EventData } from '@karaar/contracts/kit';
import { inTransaction } from '@karaar/db';
import { deletionRpc } from '@karaar/contracts/personal-data';
import { listIn } from '@karaar/testing/list-in';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { eraseRows } from '../../src/features/personal-data/personal-data.repository.ts';
import { approvedBy } from '../approved.ts';
import { draftForm, startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-cancelling');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
  api.payments.meanwhile = undefined;
  api.payments.taken.clear();
});

const db = () => api.service.foundation.db;
const get = async (user: WorldUser, id: string) => (await api.call(user, 'GET', `/documents/${id}`)).body;
const cancel = (user: WorldUser, id: string, body: object = { reason: 'Another flat' }, key?: string) =>
  api.call(
    key ? { ...user, headers: { ...user.headers, 'idempotency-key': key } as WorldUser['headers'] } : user,
    'POST',
    `/documents/${id}/cancel`,
    body,
  );
const invite = (id: string) =>
  api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
const cancellations = async (id: string) =>
  listIn<{ type: string; reason?: string; status_to: string }>(
    (await api.call(owner, 'GET', `/documents/${id}/events`)).body,
  ).filter(({ type }) => type === 'document.cancelled');
const work = async (user: WorldUser) => (await api.call(user, 'GET', '/documents/work')).body;
const answer = async (user: WorldUser, id: string, response: 'accept' | 'reject') =>
  api.send(
    user,
    `/documents/${id}/respond-agreement`,
    await verificationForm({ response }, response === 'accept'),
  );

it('ends the document as rejected, with who, when and why, for every party', async () => {
  const { id } = await api.create(owner);
  await invite(id);
  expect(await cancel(owner, id, { reason: '  We have found another flat. ' })).toEqual({
    status: 200,
    body: { message: 'The document was cancelled.' },
  });
  for (const user of [owner, guest])
    expect(await get(user, id)).toMatchObject({
      status: 'rejected',
      involved_users: [owner.userId, guest.userId],
      cancelled: {
        at: expect.any(String),
        by_name: 'Asha Rao',
        reason: 'We have found another flat.',
      },
    });
  expect(await cancellations(id)).toMatchObject([
    { reason: 'We have found another flat.', status_to: 'rejected' },
  ]);
  for (const user of [owner, guest]) expect(await work(user)).toEqual({ mine: [], others: [] });
  expect(listIn((await api.call(guest, 'GET', '/documents/pending-agreements')).body)).toEqual([]);
  const published = async () =>
    (
      await messagesOf<Envelope<EventData<typeof documentsEvents.changed>>>(
        api.world.natsUrl,
        'EVT_DOCUMENTS',
      )
    ).filter(({ aggregateId, data }) => aggregateId === id && data.change === 'document.cancelled');
  await until('the event is out', async () => (await published()).length === 1);
  expect((await published())[0]?.data).toMatchObject({
    status: 'rejected',
    actor_id: owner.userId,
    affected_users: [owner.userId, guest.userId],
  });
});

it('needs a reason, which is erased with the account of the creator', async () => {
  const { id } = await api.create(owner);
  for (const reason of [undefined, '', '  ', 'x'.repeat(501)])
    refused(await cancel(owner, id, reason === undefined ? {} : { reason }), 422, 'reason');
  expect((await get(owner, id))['status']).toBe('pending');
  const blockers = async () =>
    (await api.world.ask(deletionRpc.documents, { user_id: owner.userId }, 'auth')).blockers;
  expect(await blockers()).toMatchObject([{ code: 'unfinished_agreements' }]);
  await invite(id);
  await cancel(owner, id);
  expect(await blockers()).toEqual([]);
  await inTransaction(db(), (tx) => eraseRows(tx, owner.userId));
  expect((await get(guest, id))['cancelled']).toMatchObject({ reason: null });
});

it('ends open invitations: their links say that the creator cancelled, and are refused', async () => {
  const { id } = await api.create(owner);
  const phone = '+918700000001';
  const sent = await api.call(owner, 'POST', `/documents/${id}/invitations`, { contact: phone, send: false });
  const token = String(sent.body['link']).split('#')[1];
  await cancel(owner, id);
  expect(await get(owner, id)).not.toHaveProperty('open_invitations');
  const gone = { status: 410, body: { code: 'invitation_cancelled', detail: expect.any(String) } };
  expect(await api.call(undefined, 'POST', '/documents/invitations/look-up', { token })).toEqual(gone);
  const invited = await api.world.addUser('Meera Nair', { phone });
  expect(await api.call(invited, 'POST', '/documents/invitations/accept', { token })).toEqual(gone);
  expect(
    await db()
      .selectFrom('open_invitations')
      .select(['state', 'contact'])
      .where('document_id', '=', id)
      .execute(),
  ).toEqual([{ state: 'cancelled', contact: null }]);
});

it('is for the creator alone, after sending and before finalization', async () => {
  const { id } = await api.create(owner);
  await invite(id);
  const stranger = await api.world.addUser('Meera Nair');
  for (const user of [guest, stranger])
    expect(await cancel(user, id)).toMatchObject({ status: 403, body: { code: 'not_primary' } });
  refused(await api.call(undefined, 'POST', `/documents/${id}/cancel`, { reason: 'No' }), 401);
  for (const unknown of [randomUUID(), 'nonsense']) expect((await cancel(owner, unknown)).status).toBe(404);
  const draft = String(
    (await api.send(owner, '/documents/create', await draftForm({ save_as_draft: 'true' }))).body[
      'document_id'
    ],
  );
  expect((await cancel(guest, draft)).status).toBe(404);
  expect(await cancel(owner, draft)).toMatchObject({ status: 409, body: { code: 'still_draft' } });
  const approved = await approvedBy(api, owner, guest);
  await db().updateTable('documents').set({ finalizing: true }).where('id', '=', approved).execute();
  expect(await cancel(owner, approved)).toMatchObject({ status: 409, body: { code: 'being_finalized' } });
  expect(
    api.payments.requests.filter(({ document_id }) => [id, draft, approved].includes(document_id)),
  ).toEqual([]);
});

it('closes also a document that a party rejected, and lets nobody reopen it', async () => {
  const { id, code } = await api.create(owner);
  await invite(id);
  await answer(guest, id, 'reject');
  expect((await cancel(owner, id)).status).toBe(200);
  const closed = { status: 409, body: { code: 'document_cancelled', detail: expect.any(String) } };
  expect(await api.call(owner, 'DELETE', `/documents/${id}/remove-user/${guest.userId}`)).toEqual(closed);
  expect(await invite(id)).toEqual(closed);
  const joiner = await api.world.addUser('Meera Nair');
  expect(await api.call(joiner, 'POST', '/documents/join/look-up', { document_code: code })).toEqual(closed);
  expect(await work(owner)).toEqual({ mine: [], others: [] });
});

it('twice at once is one entry: with one key the same answer, with two a refusal', async () => {
  for (const key of [undefined, randomUUID()]) {
    const id = await approvedBy(api, owner, guest);
    const answers = await Promise.all([1, 2, 3].map(() => cancel(owner, id, undefined, key)));
    const done = answers.filter(({ status }) => status === 200).length;
    expect([done, answers.length - done]).toEqual(key ? [3, 0] : [1, 2]);
    expect(await cancellations(id)).toHaveLength(1);
  }
});

it('while a party answers, has either the answer before it, or refuses the answer', async () => {
  for (const response of ['accept', 'reject'] as const)
    for (let round = 0; round < 4; round += 1) {
      const { id } = await api.create(owner);
      await invite(id);
      const [cancelled, answered] = await Promise.all([cancel(owner, id), answer(guest, id, response)]);
      expect(cancelled.status).toBe(200);
      expect([200, 409]).toContain(answered.status);
      const after = await get(owner, id);
      expect([after['status'], after['cancelled'] !== undefined]).toEqual(['rejected', true]);
      const guests = (after['parties'] as { user_id: string; state: string }[]).find(
        ({ user_id }) => user_id === guest.userId,
      );
      const given = response === 'accept' ? 'approved' : 'rejected';
      expect(guests?.state).toBe(answered.status === 200 ? given : 'invited');
    }
});

it('and finalizing at once: exactly one of them happens', async () => {
  for (let round = 0; round < 3; round += 1) {
    const id = await approvedBy(api, owner, guest);
    const [cancelled, finalized] = await Promise.all([
      cancel(owner, id),
      api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH'),
    ]);
    const sealed = finalized.status < 300;
    expect([cancelled.status, finalized.status < 300]).toEqual(sealed ? [409, true] : [200, false]);
    expect((await get(owner, id))['status']).not.toBe(sealed ? 'rejected' : 'finalized');
  }
});

it('is refused with the names of those who have paid or are paying, and changes nothing', async () => {
  const id = await approvedBy(api, owner, guest);
  api.payments.taken.set(id, [
    { user_id: owner.userId, amount_paise: 420, state: 'paid' },
    { user_id: guest.userId, amount_paise: 280, state: 'running' },
  ]);
  const before = await get(owner, id);
  const answered = await cancel(owner, id);
  expect(answered).toMatchObject({ status: 409, body: { code: 'charge_taken' } });
  expect(answered.body['detail']).toContain(
    "Asha Rao has paid ₹4.20. Vikram Shah's payment of ₹2.80 is under way.",
  );
  const after = await get(owner, id);
  expect([after['status'], after['version']]).toEqual(['approved', before['version']]);
});

it('applies to the version for which payments has stopped the charge, or asks payments again', async () => {
  const id = await approvedBy(api, owner, guest);
  const { version } = (await get(owner, id)) as { version: number };
  let times = 0;
  // A payment starts with a newer version, so the older one cannot be cancelled any more.
  api.payments.meanwhile = async (request) => {
    times += 1;
    if (times > 1) return;
    await api.ask(documentsInternalRpc.chargeable, { document_id: id, at_least: request.version + 1 });
  };
  expect((await cancel(owner, id)).status).toBe(200);
  expect(
    api.payments.requests.filter(({ document_id }) => document_id === id).map((request) => request.version),
  ).toEqual([version, version + 1]);
  const { document } = await api.ask(documentsInternalRpc.chargeable, { document_id: id, at_least: 0 });
  expect(document?.status).toBe('rejected');
});

it('requires payments: if it is down, the document stays as it is', async () => {
  const id = await approvedBy(api, owner, guest);
  await api.payments.stop();
  expect((await cancel(owner, id)).status).toBe(503);
  expect((await get(owner, id))['status']).toBe('approved');
});
