import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsInternalRpc } from '@karaar/contracts/documents/inner';
import type { Envelope, EventData } from '@karaar/contracts/kit';
import { deletionRpc, exportRpc } from '@karaar/contracts/personal-data';
import { inTransaction } from '@karaar/db';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { eraseRows } from '../../src/features/personal-data/personal-data.repository.ts';
import { approvedBy } from '../approved.ts';
import { draftForm, startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

type Changed = Envelope<EventData<typeof documentsEvents.changed>>;

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-withdrawal');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
  api.payments.meanwhile = undefined;
  api.payments.taken.clear();
});

const get = async (user: WorldUser, id: string) => (await api.call(user, 'GET', `/documents/${id}`)).body;
const withdraw = (user: WorldUser, id: string, body?: object, key?: string) =>
  api.call(
    key ? { ...user, headers: { ...user.headers, 'idempotency-key': key } as WorldUser['headers'] } : user,
    'POST',
    `/documents/${id}/withdraw`,
    body,
  );
const events = async (id: string) =>
  listIn<{
    type: string;
    detail: string;
    reason?: string;
    actor_id: string | null;
    subject_id: string | null;
    status_to: string;
  }>((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
const leavings = async (id: string) => (await events(id)).filter(({ type }) => type === 'party.withdrawn');
const db = () => api.service.foundation.db;
const phoneOf = async (user: WorldUser) =>
  (
    await db()
      .selectFrom('directory')
      .select('phone_no')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
  ).phone_no;

it('removes the party, makes the document wait for its creator again, and publishes the change', async () => {
  const id = await approvedBy(api, owner, guest);
  const answer = await withdraw(guest, id, { reason: '  We have found another flat. ' });
  expect(answer).toEqual({ status: 200, body: { message: expect.stringMatching(/\S/) } });
  expect(await get(owner, id)).toMatchObject({
    status: 'pending',
    involved_users: [owner.userId],
    user_approvals: { [owner.userId]: { approved: false, approved_at: null } },
  });
  expect((await events(id)).slice(-2)).toMatchObject([
    {
      type: 'party.withdrawn',
      actor_id: guest.userId,
      detail: 'Withdrew from the document',
      reason: 'We have found another flat.',
      status_to: 'pending',
    },
    { type: 'party.approval_ended', actor_id: null, subject_id: owner.userId, status_to: 'pending' },
  ]);
  // The document left the person's list, and the images are erased.
  expect(await get(guest, id)).not.toHaveProperty('document_code');
  expect(listIn<object>((await api.call(guest, 'GET', '/documents/my-documents')).body)).toEqual([]);
  expect(
    await db().selectFrom('verifications').select('user_id').where('document_id', '=', id).execute(),
  ).toEqual([{ user_id: owner.userId }]);
  await until('the creator is written to', async () => api.sms.to(await phoneOf(owner)).length === 1, 15_000);
  expect(api.sms.to(await phoneOf(owner))[0]?.text).toContain(
    `the user with the ID ${guest.charId} has withdrawn`,
  );
  // Chats and contacts follow the involved users of the event.
  await until('the event is out', async () =>
    (await changes(id)).some(({ change }) => change === 'party.withdrawn'),
  );
  expect((await changes(id)).at(-1)).toMatchObject({
    change: 'party.withdrawn',
    status: 'pending',
    involved_users: [owner.userId],
    affected_users: [owner.userId, guest.userId],
    ended_approvals: [owner.userId],
  });
  // The code still works: the person may ask to join again, and starts from the beginning.
  const code = String((await get(owner, id))['document_code']);
  expect(
    (await api.send(guest, '/documents/join', await verificationForm({ document_code: code }))).status,
  ).toBe(202);
});

const changes = async (id: string) =>
  (await messagesOf<Changed>(api.world.natsUrl, 'EVT_DOCUMENTS'))
    .filter(({ aggregateId }) => aggregateId === id)
    .map(({ data }) => data);

it('ends the approvals of all others, and reopens a document that the person rejected', async () => {
  const meera = await api.world.addUser('Meera Nair');
  const id = await approvedBy(api, owner, guest);
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: meera.charId });
  expect((await api.call(guest, 'PUT', `/documents/${id}/approve/${guest.userId}`, {})).body['status']).toBe(
    'pending_approval',
  );
  expect(
    (await api.call(meera, 'POST', `/documents/${id}/respond-agreement`, { response: 'reject' })).status,
  ).toBe(200);
  expect((await withdraw(meera, id)).status).toBe(200);
  expect(await get(owner, id)).toMatchObject({
    status: 'pending',
    user_approvals: { [guest.userId]: { approved: false }, [owner.userId]: { approved: false } },
  });
});

it('is shown as the reason to parties who approve again, until the person comes back', async () => {
  const id = await approvedBy(api, owner, guest);
  const again = async (user: WorldUser) => {
    const { parties } = (await get(user, id)) as { parties: Record<string, unknown>[] };
    return parties.find(({ user_id }) => user_id === user.userId)?.['approve_again'];
  };
  expect([await again(owner), await again(guest)]).toEqual([undefined, undefined]);
  const meera = await api.world.addUser('Meera Nair');
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: meera.charId });
  // The creator made the change, so the creator's approval stays.
  expect([await again(owner), await again(guest)]).toEqual([undefined, 'parties_changed']);
  await api.call(guest, 'PUT', `/documents/${id}/approve/${guest.userId}`, {});
  expect(await again(guest)).toBeUndefined();
  const code = String((await get(owner, id))['document_code']);
  await withdraw(guest, id);
  expect(await again(owner)).toBe('parties_changed');
  await api.send(guest, '/documents/join', await verificationForm({ document_code: code }));
  expect((await api.call(owner, 'PUT', `/documents/${id}/approve-user/${guest.userId}`)).status).toBe(200);
  expect(await again(guest)).toBeUndefined();
});

it('twice at once, with a key or without, is one entry with the same response', async () => {
  for (const key of [undefined, randomUUID()]) {
    const id = await approvedBy(api, owner, guest);
    const answers = await Promise.all([1, 2, 3].map(() => withdraw(guest, id, {}, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await leavings(id)).toHaveLength(1);
    if (key) expect((await withdraw(guest, id, {}, key)).status).toBe(200);
  }
});

it('is refused with the names of users who have paid or are paying, and changes nothing', async () => {
  const id = await approvedBy(api, owner, guest);
  api.payments.taken.set(id, [
    { user_id: owner.userId, amount_paise: 420, state: 'paid' },
    { user_id: guest.userId, amount_paise: 280, state: 'running' },
  ]);
  const before = await get(owner, id);
  expect(await withdraw(guest, id)).toEqual({
    status: 409,
    body: {
      code: 'share_taken',
      detail:
        "You cannot withdraw from this document any more. Asha Rao has paid ₹4.20. Vikram Shah's payment of ₹2.80 is under way.",
    },
  });
  const after = await get(owner, id);
  expect([after['status'], after['version']]).toEqual(['approved', before['version']]);
});

it('is allowed to involved users other than the creator, until finalization', async () => {
  const { id, code } = await api.create(owner);
  expect(await withdraw(owner, id)).toMatchObject({ status: 403, body: { code: 'creator_stays' } });
  await api.send(guest, '/documents/join', await verificationForm({ document_code: code }));
  for (const user of [guest, await api.world.addUser('Meera Nair')])
    expect(await withdraw(user, id)).toMatchObject({ status: 403, body: { code: 'not_involved' } });
  expect((await api.call(undefined, 'POST', `/documents/${id}/withdraw`)).status).toBe(401);
  for (const unknown of [randomUUID(), 'nonsense']) expect((await withdraw(guest, unknown)).status).toBe(404);
  const saved = await api.send(owner, '/documents/create', await draftForm({ save_as_draft: 'true' }));
  expect((await withdraw(guest, String(saved.body['document_id']))).status).toBe(404);
  expect((await withdraw(owner, String(saved.body['document_id']))).status).toBe(403);
  const other = await approvedBy(api, owner, guest);
  expect((await withdraw(guest, other, { reason: 'x'.repeat(501) })).status).toBe(422);
  await db().updateTable('documents').set({ finalizing: true }).where('id', '=', other).execute();
  expect(await withdraw(guest, other)).toMatchObject({ status: 409, body: { code: 'being_finalized' } });
  expect(api.payments.requests.filter(({ document_id }) => [id, other].includes(document_id))).toEqual([]);
});

it('applies to exactly the version for which payments has stopped the charge, or asks payments again', async () => {
  const id = await approvedBy(api, owner, guest);
  const { version } = (await get(owner, id)) as { version: number };
  let times = 0;
  // A payment starts with a newer version, so leaving the older version is no longer possible.
  api.payments.meanwhile = async (request) => {
    times += 1;
    if (times > 1) return;
    const { document } = await api.ask(documentsInternalRpc.chargeable, {
      document_id: id,
      at_least: request.version + 1,
    });
    expect(document).toMatchObject({ version: version + 1, status: 'approved', all_approved: true });
  };
  expect((await withdraw(guest, id)).status).toBe(200);
  expect(
    api.payments.requests.filter(({ document_id }) => document_id === id).map((request) => request.version),
  ).toEqual([version, version + 1]);
  expect(await leavings(id)).toHaveLength(1);

  const busy = await approvedBy(api, owner, guest);
  api.payments.meanwhile = (request) =>
    api.ask(documentsInternalRpc.chargeable, { document_id: busy, at_least: request.version + 1 });
  expect(await withdraw(guest, busy)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
  expect(await leavings(busy)).toEqual([]);
});

it('allows the deletion of the account, which erases its data', async () => {
  const id = await approvedBy(api, owner, guest);
  const blockers = async () =>
    (await api.world.ask(deletionRpc.documents, { user_id: guest.userId }, 'auth')).blockers;
  expect((await blockers())[0]).toMatchObject({
    code: 'unfinished_agreements',
    text: expect.stringContaining('withdraw from them first'),
    names: [expect.any(String)],
    more: 0,
  });
  const { id: rejected } = await api.create(owner);
  await api.call(owner, 'POST', `/documents/${rejected}/add-user`, { target_user_char_id: guest.charId });
  await api.call(guest, 'POST', `/documents/${rejected}/respond-agreement`, {
    response: 'reject',
    reason: 'No',
  });
  await withdraw(guest, id, { reason: 'Another flat' });
  expect(await blockers()).toEqual([]);

  const { items } = await api.world.ask(exportRpc.documents, { user_id: guest.userId, cursor: null }, 'auth');
  expect(items).toEqual([
    expect.objectContaining({
      part: 'left',
      description: null,
      approvals: [
        expect.objectContaining({
          withdrawn_at: expect.any(String),
          statement: expect.any(String),
        }),
      ],
    }),
    expect.objectContaining({ part: 'rejected', reject_reason: 'No', approvals: [] }),
  ]);

  await inTransaction(db(), (tx) => eraseRows(tx, guest.userId));
  expect(JSON.stringify([await events(id), await get(owner, rejected)])).not.toMatch(/Another flat|"No"/);
  expect((await leavings(id))[0]).not.toHaveProperty('reason');
  expect(
    await db().selectFrom('approvals').select('id').where('user_id', '=', guest.userId).execute(),
  ).toEqual([]);
});

it('requires payments: if it is down, no party can leave', async () => {
  const id = await approvedBy(api, owner, guest);
  await api.payments.stop();
  expect((await withdraw(guest, id)).status).toBe(503);
  expect(await get(owner, id)).toMatchObject({
    status: 'approved',
    involved_users: [owner.userId, guest.userId],
  });
});
