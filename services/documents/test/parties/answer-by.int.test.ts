import { jest } from '@jest/globals';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { dayInIndia, lastAnswerBy } from '@karaar/contracts/answer-by';
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import type { RpcRequest } from '@karaar/contracts/kit';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { cancelLate } from '../../src/features/parties/lapsing.worker.ts';
import { remindByDate, remindByRhythm } from '../../src/features/parties/rhythm.worker.ts';
import { startApi, verificationForm, type Api } from '../api.ts';
import { workerContext } from './worker-context.ts';

jest.setTimeout(60_000);

const DAY_MS = 86_400_000;
let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;
let id: string;
let serial = 0;
const mails: RpcRequest<typeof notificationsRpc.mailInvitation>[] = [];

beforeAll(async () => {
  api = await startApi('documents-answer-by');
  await api.world.serve(notificationsRpc.mailInvitation, (mail) => {
    mails.push(mail);
    return { outcome: 'sent' as const };
  });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  // Dates of earlier tests no longer cause reminders.
  await sql`UPDATE parties SET answer_by = NULL`.execute(db());
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  stranger = await api.world.addUser('Meera Nair');
  ({ id } = await api.create(owner));
});

const db = () => api.service.foundation.db;
const today = dayInIndia(new Date());
const inDays = (days: number) => new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);
const add = (more: object = {}) =>
  api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId, ...more });
const ask = (answer_by: unknown, by: WorldUser | undefined = owner, userId = guest.userId) =>
  api.call(by, 'PUT', `/documents/${id}/answer-by/${userId}`, { answer_by });
type Seen = { user_id: string; answer_by?: string };
const seenBy = async (viewer: WorldUser, user = guest) => {
  const { body } = await api.call(viewer, 'GET', `/documents/${id}`);
  return (body['parties'] as Seen[]).find(({ user_id }) => user_id === user.userId)?.answer_by;
};
const history = async () => JSON.stringify((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
const answer = async (response: 'accept' | 'reject') =>
  api.send(guest, `/documents/${id}/respond-agreement`, await verificationForm({ response }, true));

describe('setting an answer-by date', () => {
  it('is possible with an invitation, can be changed and removed, and is recorded in the history', async () => {
    const { status } = await api.call(owner, 'POST', '/documents/initiate-agreement', {
      document_id: id,
      target_user_char_id: guest.charId,
      answer_by: inDays(5),
    });
    expect(status).toBe(200);
    expect(await seenBy(owner)).toBe(inDays(5));
    expect(await history()).toContain('Invited Vikram Shah, to answer by');
    expect((await ask(inDays(9))).status).toBe(200);
    expect(await seenBy(guest)).toBe(inDays(9));
    expect(await history()).toContain('Asked Vikram Shah to answer by');
    expect((await ask(null)).status).toBe(200);
    expect(await seenBy(owner)).toBeUndefined();
    expect(await history()).toContain('Took away the date by which Vikram Shah is asked to answer');
  });

  it('refuses an invalid day at its field, and changes nothing', async () => {
    for (const day of [inDays(-1), '2026-02-31', '2026-13-45', 'soon', '', 7]) {
      const refused = await add({ answer_by: day });
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: 'answer_by' }] } });
    }
    expect((await add({ answer_by: lastAnswerBy(today) })).status).toBe(200);
    const tooFar = new Date(Date.parse(lastAnswerBy(today)) + DAY_MS).toISOString().slice(0, 10);
    expect(await ask(tooFar)).toMatchObject({ status: 422, body: { detail: [{ loc: 'answer_by' }] } });
    expect((await ask(undefined)).status).toBe(422);
    expect(await seenBy(owner)).toBe(lastAnswerBy(today));
  });

  it('is allowed to the creator only', async () => {
    await add();
    expect((await ask(inDays(3), guest)).status).toBe(403);
    expect((await ask(inDays(3), stranger)).status).toBe(403);
    const anonymous = await api.call(undefined, 'PUT', `/documents/${id}/answer-by/${guest.userId}`, {
      answer_by: inDays(3),
    });
    expect(anonymous.status).toBe(401);
    expect((await ask(inDays(3), owner, stranger.userId)).status).toBe(404);
    expect(await seenBy(owner)).toBeUndefined();
    const form = new FormData();
    form.append('name', 'Private');
    form.append('save_as_draft', 'true');
    const draft = await api.send(owner, '/documents/create', form);
    id = String(draft.body['document_id']);
    expect((await ask(inDays(3), stranger)).status).toBe(404);
  });

  it('is refused after the party has answered, and after the document is sealed', async () => {
    await add({ answer_by: inDays(3) });
    expect((await answer('accept')).status).toBe(200);
    expect(await seenBy(owner)).toBeUndefined();
    expect(await ask(inDays(4))).toMatchObject({ status: 409, body: { code: 'no_answer_awaited' } });
    await sql`UPDATE documents SET status = 'finalized', final_path = 'f', finalized_at = now() WHERE id = ${id}`.execute(
      db(),
    );
    expect(await ask(inDays(4))).toMatchObject({ status: 409, body: { code: 'document_finalized' } });
  });

  it('replaces the earlier date when a party who rejected is invited again', async () => {
    await add({ answer_by: inDays(3) });
    expect((await answer('reject')).status).toBe(200);
    expect((await add()).status).toBe(200);
    expect(await seenBy(guest)).toBeUndefined();
    expect((await ask(inDays(6))).status).toBe(200);
    expect(await seenBy(guest)).toBe(inDays(6));
  });

  it('adds a date for an admitted party, without announcing the admission again', async () => {
    const { body } = await api.call(owner, 'GET', `/documents/${id}`);
    const form = await verificationForm({ document_code: String(body['document_code']) });
    await api.send(guest, '/documents/join', form);
    await api.call(owner, 'PUT', `/documents/${id}/approve-user/${guest.userId}`);
    expect((await add({ answer_by: inDays(4) })).status).toBe(200);
    expect(await seenBy(guest)).toBe(inDays(4));
    const { rows } = await sql`SELECT FROM text_messages WHERE document_id = ${id}`.execute(db());
    expect(rows).toHaveLength(1);
  });
});

describe('reading an answer-by date', () => {
  it('is limited to the creator and the party', async () => {
    const third = await api.world.addUser('Ravi Kumar');
    await add({ answer_by: inDays(3) });
    await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: third.charId });
    expect(await seenBy(third)).toBeUndefined();
    expect(await seenBy(guest)).toBe(inDays(3));
  });

  it('is possible in the party’s work list, which starts with the earliest date', async () => {
    const first = id;
    await add({ answer_by: inDays(9) });
    ({ id } = await api.create(owner));
    const second = id;
    await add({ answer_by: inDays(2) });
    ({ id } = await api.create(owner));
    await add();
    const { body } = await api.call(guest, 'GET', '/documents/work');
    const mine = body['mine'] as { document_id: string; answer_by?: string }[];
    expect(mine.map(({ document_id, answer_by }) => [document_id, answer_by])).toEqual([
      [second, inDays(2)],
      [first, inDays(9)],
      [id, undefined],
    ]);
  });

  it('is possible for notifications while the answer is missing', async () => {
    await add({ answer_by: inDays(3) });
    const documentDetails = async () => {
      const request = {
        document_id: id,
        actor_id: owner.userId,
        change: 'party.invited',
        subject_id: guest.userId,
      };
      return (await api.world.ask(documentsRpc.notificationDetails, request, 'notifications')).document;
    };
    expect(await documentDetails()).toMatchObject({ answer_by: inDays(3) });
    await answer('accept');
    expect(await documentDetails()).toMatchObject({ answer_by: null });
  });
});

describe('an answer-by date of an invitation to a contact', () => {
  const newPhone = () => `+9186${String((serial += 1)).padStart(8, '0')}`;
  const invite = (contact: string, answer_by: string | undefined, send = false) =>
    api.call(owner, 'POST', `/documents/${id}/invitations`, {
      contact,
      send,
      ...(answer_by ? { answer_by } : {}),
    });
  const invitationOf = ({ body }: Awaited<ReturnType<typeof invite>>) =>
    body['invitation'] as { _id: string; answer_by?: string };
  const askInvited = (invitation: string, answer_by: string | null, by = owner) =>
    api.call(by, 'PUT', `/documents/${id}/invitations/${invitation}/answer-by`, { answer_by });

  it('is set with the invitation, can be changed, and applies to the person who joins', async () => {
    const phone = newPhone();
    const person = await api.world.addUser('Arun Pillai', { phone });
    const made = await invite(phone, inDays(4));
    expect(invitationOf(made).answer_by).toBe(inDays(4));
    const changed = await askInvited(invitationOf(made)._id, inDays(6));
    expect(changed).toMatchObject({ status: 200, body: { invitation: { answer_by: inDays(6) } } });
    expect(await history()).toContain('Asked the invited person to answer by');
    const token = String(made.body['link']).slice(-32);
    expect((await api.call(person, 'POST', '/documents/invitations/accept', { token })).status).toBe(200);
    expect(await seenBy(person, person)).toBe(inDays(6));
    expect((await askInvited(invitationOf(made)._id, inDays(7))).status).toBe(404);
  });

  it('only the creator sees and changes it', async () => {
    const made = await invite(newPhone(), inDays(4));
    const { _id } = invitationOf(made);
    await add();
    for (const other of [guest, stranger]) expect((await askInvited(_id, null, other)).status).toBe(403);
    const { body } = await api.call(guest, 'GET', `/documents/${id}`);
    expect(JSON.stringify(body['open_invitations'])).not.toContain('answer_by');
    expect((await invite(newPhone(), inDays(-1))).status).toBe(422);
    expect((await askInvited(_id, inDays(-1))).status).toBe(422);
  });

  it('is part of the e-mail', async () => {
    await invite('asha@example.org', inDays(4), true);
    await until('it is sent', () => Promise.resolve(mails.some(({ answer_by }) => answer_by === inDays(4))));
  });
});

describe('reminders of the answer-by date', () => {
  /** 10:00 and 21:30 in India. */
  const morning = (days: number) => new Date(`${inDays(days)}T04:30:00Z`);
  const evening = (days: number) => new Date(`${inDays(days)}T16:00:00Z`);
  const run = (now: Date) => remindByDate(workerContext(api), now);
  const later = (days: number) =>
    sql`UPDATE text_messages SET created_at = created_at - ${days}::int * interval '1 day' WHERE document_id = ${id}`.execute(
      db(),
    );
  const reminders = async () =>
    (await sql`SELECT FROM text_messages WHERE document_id = ${id} AND kind = 'reminder'`.execute(db())).rows
      .length;
  const reminderEvents = async () =>
    (
      await sql`
        SELECT FROM outbox WHERE aggregate_id = ${id} AND data->>'change' = 'party.reminded'`.execute(db())
    ).rows.length;

  it('are sent two days before and on the day, in daytime, once each, also by two concurrent replicas', async () => {
    await add({ answer_by: inDays(10) });
    await later(8);
    await run(morning(7));
    expect(await reminders()).toBe(0);
    await run(evening(8));
    expect(await reminders()).toBe(0);
    await Promise.all([run(morning(8)), run(morning(8)), run(morning(8))]);
    await run(morning(8));
    expect([await reminders(), await reminderEvents()]).toEqual([1, 1]);
    expect(await history()).toContain('Karaar reminded Vikram Shah');
    await later(1);
    await run(morning(9));
    expect(await reminders()).toBe(1);
    await later(1);
    await Promise.all([run(morning(10)), run(morning(10))]);
    await run(morning(10));
    expect([await reminders(), await reminderEvents()]).toEqual([2, 2]);
    await later(1);
    await run(morning(11));
    expect(await reminders()).toBe(2);
  });

  it('are complete or absent after a crash in the middle, and are sent by the next run', async () => {
    await add({ answer_by: inDays(2) });
    await later(2);
    const { outbox } = api.service.foundation;
    const cut = workerContext(api, {
      wake: () => undefined,
      add: async (tx, event, fields) => {
        const added = await outbox.add(tx, event, fields);
        await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tx);
        return added;
      },
    });
    await expect(remindByDate(cut, morning(0))).rejects.toThrow();
    expect([await reminders(), await reminderEvents()]).toEqual([0, 0]);
    await Promise.all([run(morning(0)), run(morning(0))]);
    expect([await reminders(), await reminderEvents()]).toEqual([1, 1]);
  });

  it('count together with reminders by hand: one a day', async () => {
    await add({ answer_by: inDays(2) });
    await later(2);
    expect((await api.call(owner, 'POST', `/documents/${id}/remind/${guest.userId}`)).status).toBe(200);
    await run(morning(0));
    expect(await reminders()).toBe(1);
    // The automatic reminder follows a day later; then a reminder by hand is refused.
    await later(1);
    await run(morning(1));
    expect(await reminders()).toBe(2);
    expect((await api.call(owner, 'POST', `/documents/${id}/remind/${guest.userId}`)).status).toBe(429);
  });

  it('are not sent within a day of the invitation', async () => {
    await add({ answer_by: today });
    await run(morning(0));
    expect(await reminders()).toBe(0);
  });

  it('are sent again for a new date, and not again for the same one', async () => {
    await add({ answer_by: inDays(2) });
    await later(2);
    await run(morning(0));
    await later(1);
    await ask(inDays(3));
    await run(morning(1));
    expect(await reminders()).toBe(2);
    await later(1);
    await ask(inDays(2));
    await run(morning(1));
    expect(await reminders()).toBe(2);
  });

  it('are not sent to parties who have answered, or whose date was removed', async () => {
    await add({ answer_by: inDays(2) });
    await later(2);
    await ask(null);
    await run(morning(0));
    await ask(inDays(2));
    await answer('accept');
    await run(morning(0));
    expect(await reminders()).toBe(0);
  });

  it('replace the reminders by rhythm', async () => {
    await add({ answer_by: inDays(30) });
    await later(3);
    const noon = morning(0);
    await remindByRhythm(workerContext(api), noon);
    expect(await reminders()).toBe(0);
    await ask(null);
    await remindByRhythm(workerContext(api), noon);
    expect(await reminders()).toBe(1);
  });
});

describe('a document whose creator chose that a missing answer cancels it', () => {
  const chooseLate = (cancel_late: unknown = true, by: WorldUser | undefined = owner) =>
    api.call(by, 'PUT', `/documents/${id}/cancel-late`, { cancel_late });
  const passDates = async () => {
    await sql`UPDATE parties SET answer_by = ${inDays(-1)} WHERE answer_by IS NOT NULL`.execute(db());
    await sql`UPDATE open_invitations SET answer_by = ${inDays(-1)} WHERE answer_by IS NOT NULL`.execute(
      db(),
    );
  };
  const noon = () => new Date(`${today}T12:00:00+05:30`);
  const look = async (viewer = owner) => (await api.call(viewer, 'GET', `/documents/${id}`)).body;

  it('is cancelled by Karaar on the day after the date, in the daytime, for everybody', async () => {
    await add({ answer_by: today });
    expect((await chooseLate()).body).toEqual({ cancel_late: true });
    expect(await cancelLate(workerContext(api), noon())).toBe(0);
    await passDates();
    expect(await cancelLate(workerContext(api), new Date(`${today}T06:00:00+05:30`))).toBe(0);
    expect((await look())['status']).toBe('pending');
    expect(await cancelLate(workerContext(api), noon())).toBe(1);
    for (const viewer of [owner, guest])
      expect(await look(viewer)).toMatchObject({
        status: 'rejected',
        cancelled: { by_name: 'Karaar', reason: null, late_name: 'Vikram Shah' },
      });
    expect(await history()).toMatch(
      /Cancelled the document: “Vikram Shah” had not answered, asked to answer by/,
    );
    expect(await cancelLate(workerContext(api), noon())).toBe(0);
  });

  it('also if the person of an open invitation has not answered', async () => {
    await api.call(owner, 'POST', `/documents/${id}/invitations`, {
      contact: '+918711111111',
      send: false,
      answer_by: today,
    });
    await chooseLate();
    await passDates();
    expect(await cancelLate(workerContext(api), noon())).toBe(1);
    expect((await look())['cancelled']).toMatchObject({ late_name: '' });
  });

  it('stays after a later date, after the answer, after another choice, and while a share is paid', async () => {
    await add({ answer_by: today });
    await chooseLate();
    await passDates();
    await ask(inDays(3));
    expect(await cancelLate(workerContext(api), noon())).toBe(0);
    await passDates();
    await chooseLate(false);
    expect(await cancelLate(workerContext(api), noon())).toBe(0);
    await chooseLate();
    api.payments.taken.set(id, [{ user_id: guest.userId, amount_paise: 100, state: 'paid' }]);
    expect(await cancelLate(workerContext(api), noon())).toBe(0);
    api.payments.taken.clear();
    expect((await answer('accept')).status).toBe(200);
    expect(await cancelLate(workerContext(api), noon())).toBe(0);
    expect((await look())['status']).toBe('pending');
  });

  it('has the answer that came at the same moment, or is cancelled, but not both', async () => {
    for (let round = 0; round < 4; round += 1) {
      ({ id } = await api.create(owner));
      await add({ answer_by: today });
      await chooseLate();
      await passDates();
      const [cancelled, answered] = await Promise.all([
        cancelLate(workerContext(api), noon()),
        answer('accept'),
      ]);
      expect([cancelled, answered.status]).toEqual(cancelled === 1 ? [1, 409] : [0, 200]);
      expect((await look())['status']).toBe(cancelled === 1 ? 'rejected' : 'pending');
    }
  });

  it('is recorded in its history, and seen by its parties', async () => {
    await add();
    await chooseLate();
    await chooseLate();
    expect((await look(guest))['cancel_late']).toBe(true);
    expect((await history()).match(/Chose that Karaar cancels this document/g)).toHaveLength(1);
    for (const user of [guest, stranger]) expect((await chooseLate(true, user)).status).toBe(403);
    expect((await chooseLate('yes')).status).toBe(422);
  });
});
