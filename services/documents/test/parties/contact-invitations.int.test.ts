import { createHash, randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import type { Envelope, EventData, RpcRequest } from '@karaar/contracts/kit';
import { reportSms } from '@karaar/testing/providers/sms';
import type { WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { forgetContacts } from '../../src/features/invitations/invitations.repository.ts';
import { startApi, verificationForm, type Api, type Answer } from '../api.ts';

jest.setTimeout(60_000);

const LIMIT = 6;
let api: Api;
let owner: WorldUser;
let serial = 0;
const mails: RpcRequest<typeof notificationsRpc.mailInvitation>[] = [];
/** Whether the answer about an e-mail is lost. */
let isMailLost = false;
/** The proofs that the auth stand-in accepts, as `invitation:hash`. */
const proofs = new Set<string>();

beforeAll(async () => {
  api = await startApi('documents-contacts', { INVITATIONS_PER_USER_AND_DAY: String(LIMIT) });
  await api.world.serve(notificationsRpc.mailInvitation, (mail) => {
    mails.push(mail);
    // A reply that breaks the contract counts as lost.
    return isMailLost ? (null as never) : { outcome: 'sent' as const };
  });
  await api.world.serve(authRpc.invitationProof, ({ invitation_id, proof_hash }) => ({
    proved: proofs.has(`${invitation_id}:${proof_hash}`),
  }));
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  api.sms.mode = 'ok';
  isMailLost = false;
  owner = await api.world.addUser('Asha Rao');
});

const db = () => api.service.foundation.db;
const newPhone = () => `+9187${String((serial += 1)).padStart(8, '0')}`;
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const tokenOf = (link: unknown) => /\/invitation#([\w-]{32})$/.exec(String(link))?.[1] ?? 'none';
type Open = {
  _id: string;
  hint: string;
  sending: string;
  expired: boolean;
  text_message?: { state: string; cause?: string; at: string };
};
const invite = (id: string, contact: string, more: object = {}, by = owner) =>
  api.call(by, 'POST', `/documents/${id}/invitations`, { contact, ...more });
const openOf = async (id: string, viewer = owner): Promise<Open[]> =>
  ((await api.call(viewer, 'GET', `/documents/${id}`)).body['open_invitations'] as Open[] | undefined) ?? [];
const accept = (user: WorldUser | undefined, token: string, proof?: string) =>
  api.call(user, 'POST', '/documents/invitations/accept', { token, ...(proof ? { proof } : {}) });
const lookUp = (token: string) => api.call(undefined, 'POST', '/documents/invitations/look-up', { token });
const detailsOf = async (id: string, viewer = owner) =>
  (await api.call(viewer, 'GET', `/documents/${id}`)).body;
/** Creates a document with an invitation to a new number; also returns the token of its link. */
async function invited(more: object = { send: false }) {
  const { id } = await api.create(owner);
  const phone = newPhone();
  const { status, body } = await invite(id, phone, more);
  expect(status).toBe(201);
  return { id, phone, token: tokenOf(body['link']), invitation: body['invitation'] as Open };
}
const holder = (phone: string) => api.world.addUser('Vikram Shah', { phone });
// The worker may have sent the message before the response.
const onItsWay = expect.stringMatching(/^(queued|sent)$/) as unknown;
const codeOf = ({ status, body }: Answer) => [status, body['code']];

describe('inviting', () => {
  it('sends the number a text of fixed words with a link, and shows the creator a masked contact', async () => {
    const { id } = await api.create(owner);
    const phone = newPhone();
    const { status, body } = await invite(id, `${phone.slice(3, 8)} ${phone.slice(8)}`, { language: 'hi' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      invitation: {
        channel: 'phone',
        hint: `+91 ••••••${phone.slice(-4)}`,
        expired: false,
        sending: onItsWay,
      },
    });
    await until('the text is sent', () => api.sms.to(phone).length === 1);
    const [sent] = api.sms.to(phone);
    expect(sent?.text).toContain(`ID ${owner.charId}`);
    expect(sent?.text).not.toMatch(/Rent|Asha/);
    // The text and the response contain different links, and both work.
    const token = tokenOf(sent?.text);
    expect(token).not.toBe(tokenOf(body['link']));
    const shown = {
      channel: 'phone',
      hint: `+91 ••••••${phone.slice(-4)}`,
      inviter_name: 'Asha Rao',
      inviter_char_id: owner.charId,
    };
    expect(await lookUp(tokenOf(body['link']))).toEqual({ status: 200, body: shown });
    // The link in the text also leads to the page that stops further invitations.
    const stop_token = expect.stringContaining(`phone.${owner.userId}.`) as unknown;
    expect(await lookUp(token)).toEqual({ status: 200, body: { ...shown, stop_token } });
    await until('it shows as sent', async () => (await openOf(id))[0]?.sending === 'sent');
    // The database contains neither token.
    const { rows } = await sql<{ all: string }>`
      SELECT concat((SELECT json_agg(l) FROM invitation_links l), (SELECT json_agg(i) FROM open_invitations i),
        (SELECT json_agg(o.data) FROM outbox o), (SELECT json_agg(e) FROM document_events e)) AS all`.execute(
      db(),
    );
    expect(rows[0]?.all).not.toContain(token);
    expect(rows[0]?.all).not.toContain(tokenOf(body['link']));
  });

  it('has notifications send the invitation to an e-mail address', async () => {
    const { id } = await api.create(owner);
    const { body } = await invite(id, 'Stranger@Example.org');
    expect(body['invitation']).toMatchObject({ channel: 'email', hint: 's•••@example.org' });
    await until('the e-mail is sent', () => mails.some(({ to }) => to === 'stranger@example.org'));
    const mail = mails.find(({ to }) => to === 'stranger@example.org');
    expect(mail).toMatchObject({ sender: owner.charId, language: 'en' });
    expect((await lookUp(String(mail?.token))).status).toBe(200);
  });

  it('returns and shows the same for a number with and without an account', async () => {
    const { id } = await api.create(owner);
    const known = newPhone();
    await holder(known);
    const answers = [await invite(id, known), await invite(id, newPhone())];
    const shapes = answers.map(({ status, body }) => ({
      status,
      keys: Object.keys(body['invitation'] as object).sort(),
    }));
    expect(shapes[0]).toEqual(shapes[1]);
    await until('both are sent', async () => (await openOf(id)).every(({ sending }) => sending === 'sent'));
    const shown = await openOf(id);
    expect(Object.keys(shown[0] ?? {})).toEqual(Object.keys(shown[1] ?? {}));
  });

  it('blocks the approval of the document and does not name the contact among its users', async () => {
    const { id, token, phone } = await invited();
    const { body } = await api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`, {});
    expect(body).toMatchObject({ status: 'pending_approval', involved_users: [owner.userId] });
    expect((await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH')).body).toMatchObject({
      code: 'not_approved',
    });
    const guest = await holder(phone);
    expect(await accept(guest, token)).toEqual({ status: 200, body: { document_id: id } });
    expect(await detailsOf(id)).toMatchObject({
      status: 'pending_approval',
      involved_users: [owner.userId, guest.userId],
    });
    const form = await verificationForm({ response: 'accept' }, true);
    expect((await api.send(guest, `/documents/${id}/respond-agreement`, form)).status).toBe(200);
    expect(await detailsOf(id)).toMatchObject({ status: 'approved' });
  });

  it('refuses an invalid contact, a repeated one, also concurrently, and users other than the creator', async () => {
    const { id, phone } = await invited();
    expect((await invite(id, 'nobody')).body).toMatchObject({
      detail: [{ loc: 'contact', msg: expect.stringMatching(/10-digit/) }],
    });
    expect(codeOf(await invite(id, phone))).toEqual([409, 'already_invited']);
    const twice = newPhone();
    const both = await Promise.all([invite(id, twice, { send: false }), invite(id, twice, { send: false })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const stranger = await api.world.addUser('Mallory');
    expect(codeOf(await invite(id, newPhone(), {}, stranger))).toEqual([403, 'not_primary']);
    const guest = await api.world.addUser('Guest');
    await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
    expect(codeOf(await invite(id, newPhone(), {}, guest))).toEqual([403, 'not_primary']);
    const [open] = await openOf(id, guest);
    expect(open).not.toHaveProperty('hint');
    for (const [method, path] of [
      ['POST', 'send'],
      ['POST', 'link'],
      ['DELETE', ''],
    ] as const)
      for (const other of [guest, stranger])
        expect(
          codeOf(
            await api.call(
              other,
              method,
              `/documents/${id}/invitations/${open?._id}/${path}`.replace(/\/$/, ''),
            ),
          ),
        ).toEqual([403, 'not_primary']);
  });

  it('limits the invitations of a user per day, and reports more to the admins', async () => {
    const { id } = await api.create(owner);
    const answers = await Promise.all(
      Array.from({ length: LIMIT + 2 }, () => invite(id, newPhone(), { send: false })),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(answers.find(({ status }) => status === 429)?.body['code']).toBe('too_many_invitations');
    const { rows } = await sql<{ data: unknown }>`
      SELECT data FROM outbox WHERE type = ${documentsEvents.invitationsFlooded.type}
        AND data->>'user_id' = ${owner.userId}`.execute(db());
    expect(rows).toHaveLength(1);
  });

  it('limits the texts to one number per day, from all senders together', async () => {
    const phone = newPhone();
    const sending: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      const another = await api.world.addUser(`Sender ${i}`);
      const { id } = await api.create(another);
      const { body } = await invite(id, phone, {}, another);
      sending.push((body['invitation'] as Open).sending);
    }
    expect(sending).toEqual([...Array<unknown>(5).fill(onItsWay), 'skipped', 'skipped']);
    await until('five are sent', () => api.sms.to(phone).length === 5);
  });
});

describe('an invitation link', () => {
  it('is refused for an account with another number or without a number', async () => {
    const { id, token } = await invited();
    const thief = await api.world.addUser('Mallory');
    expect(codeOf(await accept(thief, token))).toEqual([403, 'invitation_for_another']);
    expect((await accept(undefined, token)).status).toBe(401);
    expect(await detailsOf(id)).toMatchObject({ involved_users: [owner.userId] });
    expect(await detailsOf(id, thief)).not.toHaveProperty('document_code');
  });

  it('checks the account’s current number', async () => {
    const { token, phone } = await invited();
    const guest = await holder(phone);
    // Now documents has cached the user with the invited number.
    expect((await api.call(guest, 'GET', '/documents/my-documents')).status).toBe(200);
    api.world.changePhone(guest, newPhone());
    expect(codeOf(await accept(guest, token))).toEqual([403, 'invitation_for_another']);
    api.world.changePhone(guest, phone);
    expect((await accept(guest, token)).status).toBe(200);
  });

  it('to an e-mail address requires the proof for the same invitation', async () => {
    const { id } = await api.create(owner);
    const { body } = await invite(id, 'one@example.org', { send: false });
    const { body: second } = await invite(id, 'two@example.org', { send: false });
    const [token, other] = [tokenOf(body['link']), tokenOf(second['link'])];
    const guest = await api.world.addUser('Vikram Shah');
    const proof = randomBytes(24).toString('base64url');
    proofs.add(`${(second['invitation'] as Open)._id}:${hash(proof)}`);
    expect(codeOf(await accept(guest, token))).toEqual([403, 'invitation_for_another']);
    expect(codeOf(await accept(guest, token, proof))).toEqual([403, 'invitation_for_another']);
    expect((await accept(guest, other, proof)).status).toBe(200);
  });

  it('cannot be guessed: unknown tokens are 404, and many attempts 429', async () => {
    const guesser = await api.world.addUser('Mallory');
    const guess = () => randomBytes(24).toString('base64url');
    expect(codeOf(await lookUp(guess()))).toEqual([404, 'invitation_ended']);
    expect((await lookUp('short')).status).toBe(422);
    for (let i = 0; i < 10; i += 1)
      expect(codeOf(await accept(guesser, guess()))).toEqual([404, 'invitation_ended']);
    expect((await accept(guesser, guess())).status).toBe(429);
  });

  it('joins one person once, also if it is used twice at the same time, and no second person', async () => {
    const { id, token, phone } = await invited();
    const guest = await holder(phone);
    const answers = await Promise.all([accept(guest, token), accept(guest, token), accept(guest, token)]);
    expect(answers.map(({ status, body }) => [status, body['document_id']])).toEqual(
      Array.from({ length: 3 }, () => [200, id]),
    );
    expect((await detailsOf(id))['involved_users']).toEqual([owner.userId, guest.userId]);
    expect(await openOf(id)).toEqual([]);
    // The phone number moves to a new owner, who has the earlier text message.
    const later = await api.world.addUser('Later owner', { phone });
    expect(codeOf(await accept(later, token))).toEqual([404, 'invitation_ended']);
    const { rows } = await sql`SELECT 1 FROM open_invitations WHERE contact = ${phone}`.execute(db());
    expect(rows).toEqual([]);
  });

  it('expires, and works again after the creator has sent the invitation again', async () => {
    const { id, token, phone, invitation } = await invited();
    await sql`UPDATE open_invitations SET expires_at = now() WHERE id = ${invitation._id}`.execute(db());
    const guest = await holder(phone);
    expect(codeOf(await lookUp(token))).toEqual([410, 'invitation_expired']);
    expect(codeOf(await accept(guest, token))).toEqual([410, 'invitation_expired']);
    expect(await contactAsAuth(token)).toBeNull();
    // An expired invitation does not count as an approval.
    const { body } = await api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`, {});
    expect(body).toMatchObject({ status: 'pending_approval', open_invitations: [{ expired: true }] });
    const again = await api.call(owner, 'POST', `/documents/${id}/invitations/${invitation._id}/send`);
    expect(again.body).toMatchObject({ invitation: { expired: false, sending: onItsWay } });
    expect((await accept(guest, token)).status).toBe(200);
  });

  it('ends when the creator withdraws the invitation, and the document continues', async () => {
    const { id, token, phone, invitation } = await invited();
    const guest = await api.world.addUser('Guest');
    await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
    await api.send(
      guest,
      `/documents/${id}/respond-agreement`,
      await verificationForm({ response: 'accept' }, true),
    );
    await api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`, {});
    const path = `/documents/${id}/invitations/${invitation._id}`;
    expect((await api.call(owner, 'DELETE', path)).status).toBe(200);
    // The guest's approval ended, because it was given while another person was invited.
    expect(await detailsOf(id)).toMatchObject({ status: 'pending_approval' });
    const again = await api.call(guest, 'PUT', `/documents/${id}/approve/${guest.userId}`, {});
    expect(again.body).toMatchObject({ status: 'approved' });
    expect(codeOf(await api.call(owner, 'DELETE', path))).toEqual([404, 'invitation_not_found']);
    expect(codeOf(await lookUp(token))).toEqual([404, 'invitation_ended']);
    expect(codeOf(await accept(await holder(phone), token))).toEqual([404, 'invitation_ended']);
  });

  it('is refused after sealing has started', async () => {
    const { id, token, phone } = await invited();
    await sql`UPDATE documents SET finalizing = true WHERE id = ${id}`.execute(db());
    expect(codeOf(await accept(await holder(phone), token))).toEqual([409, 'being_finalized']);
    await sql`UPDATE documents SET finalizing = false WHERE id = ${id}`.execute(db());
    expect(codeOf(await accept(owner, token))).toEqual([403, 'invitation_for_another']);
  });

  it('cannot be used with the invitation of another document', async () => {
    const one = await invited();
    const two = await invited();
    for (const path of ['send', 'link'])
      expect(
        codeOf(
          await api.call(owner, 'POST', `/documents/${one.id}/invitations/${two.invitation._id}/${path}`),
        ),
      ).toEqual([404, 'invitation_not_found']);
    expect(
      codeOf(await api.call(owner, 'DELETE', `/documents/${one.id}/invitations/${two.invitation._id}`)),
    ).toEqual([404, 'invitation_not_found']);
    expect((await openOf(one.id)).length).toBe(1);
  });
});

describe('sending an invitation again', () => {
  const send = (id: string, invitation: string) =>
    api.call(owner, 'POST', `/documents/${id}/invitations/${invitation}/send`);

  it('is possible once a day, and at once if the first message was not sent', async () => {
    const { id, invitation, phone } = await invited();
    expect((await send(id, invitation._id)).status).toBe(200);
    await until('it is sent', async () => (await openOf(id))[0]?.sending === 'sent');
    expect(codeOf(await send(id, invitation._id))).toEqual([429, 'too_many_requests']);
    await sql`UPDATE open_invitations SET asked_at = now() - interval '25 hours' WHERE id = ${invitation._id}`.execute(
      db(),
    );
    expect((await send(id, invitation._id)).status).toBe(200);
    await until('it is sent again', () => api.sms.to(phone).length === 2);
  });

  it('reports a refusal by the provider, and does not repeat a message that may have arrived', async () => {
    api.sms.mode = 'refuses';
    const refused = await invited({});
    await until('it shows as failed', async () => (await openOf(refused.id))[0]?.sending === 'failed');
    api.sms.mode = 'mute';
    const mute = await invited({});
    await until('it is unconfirmed', async () => (await openOf(mute.id))[0]?.sending === 'unconfirmed');
    expect(api.sms.to(mute.phone)).toHaveLength(1);
    const cause = async (id: string) => (await openOf(id))[0]?.text_message?.cause;
    expect([await cause(refused.id), await cause(mute.id)]).toEqual(['unknown_number', undefined]);
  });

  it("shows the creator alone the provider's first signed report about the SMS, until it is sent again", async () => {
    const guest = await api.world.addUser('Tara Iyer');
    const { id, phone, invitation } = await invited({});
    await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
    const shown = async () => {
      const [open] = await openOf(id);
      return [open?.sending, open?.text_message?.state, open?.text_message?.cause];
    };
    await until('it shows as sent', async () => (await openOf(id))[0]?.sending === 'sent');
    const report = (status: string, token = 'secret') => {
      const { statusUrl } = api.sms.to(phone).at(-1) ?? { statusUrl: '' };
      const more = status === 'undelivered' ? { ErrorCode: '30003' } : undefined;
      return reportSms(api.url, statusUrl, { MessageStatus: status, ...more }, { token });
    };
    expect(await report('undelivered', 'guess')).toBe(401);
    expect(await shown()).toEqual(['sent', 'sent', undefined]);
    for (const status of ['undelivered', 'delivered']) expect(await report(status)).toBe(200);
    expect(await shown()).toEqual(['failed', 'failed', 'unreachable']);
    expect((await send(id, invitation._id)).status).toBe(200);
    await until('it is sent again', async () => (await shown())[0] === 'sent');
    expect(await report('delivered')).toBe(200);
    expect(await shown()).toEqual(['sent', 'delivered', undefined]);
    const [seenByGuest] = await openOf(id, guest);
    expect([seenByGuest?.sending, seenByGuest?.text_message]).toEqual(['sent', undefined]);
  });

  it('does not repeat an e-mail that may have been sent, nor call it failed', async () => {
    isMailLost = true;
    const { id } = await api.create(owner);
    await invite(id, 'doubt@example.org');
    const sent = () => mails.filter(({ to }) => to === 'doubt@example.org');
    await until('it is unconfirmed', async () => (await openOf(id))[0]?.sending === 'unconfirmed');
    expect(sent()).toHaveLength(1);
  });

  it('is impossible a month after the expiry, when the contact is erased; the document still waits', async () => {
    const { id, invitation, phone } = await invited();
    await sql`UPDATE open_invitations SET expires_at = now() - interval '29 days' WHERE id = ${invitation._id}`.execute(
      db(),
    );
    await forgetContacts(db());
    expect((await openOf(id))[0]?.hint).toBe(`+91 ••••••${phone.slice(-4)}`);
    await sql`UPDATE open_invitations SET expires_at = now() - interval '31 days' WHERE id = ${invitation._id}`.execute(
      db(),
    );
    await forgetContacts(db());
    expect((await openOf(id))[0]?.hint).toBe('');
    expect(codeOf(await send(id, invitation._id))).toEqual([409, 'contact_erased']);
  });
});

const contactAsAuth = async (token: string) =>
  (await api.world.ask(documentsRpc.invitationContact, { token_hash: hash(token) }, 'auth')).invitation;

it('returns the contact of a link to auth only, and not for the token itself', async () => {
  const { token, phone, invitation } = await invited();
  expect(await contactAsAuth(token)).toEqual({ id: invitation._id, channel: 'phone', contact: phone });
  expect(
    (await api.world.ask(documentsRpc.invitationContact, { token_hash: token }, 'auth')).invitation,
  ).toBeNull();
});

describe('an invited person who does not sign', () => {
  const handOn = (token: string, proof: string, more: object = {}) =>
    api.call(undefined, 'POST', '/documents/invitations/hand-on', { token, proof, ...more });
  const handedOnOf = async (id: string, viewer = owner) =>
    (
      (await openOf(id, viewer))[0] as
        { handed_on?: { name: string | null; contact: string | null } } | undefined
    )?.handed_on;
  /** An invitation whose contact is proved. */
  async function proved() {
    const made = await invited();
    const proof = randomBytes(24).toString('base64url');
    proofs.add(`${made.invitation._id}:${hash(proof)}`);
    return { ...made, proof };
  }
  const noticed = async (id: string) =>
    (
      await messagesOf<Envelope<EventData<typeof documentsEvents.changed>>>(
        api.world.natsUrl,
        'EVT_DOCUMENTS',
      )
    ).filter(({ aggregateId, data }) => aggregateId === id && data.change === 'party.contact_handed_on')
      .length;

  it('asks the creator, who alone sees the words, and whose decision the document waits for', async () => {
    const { id, token, proof } = await proved();
    const right = newPhone();
    expect((await handOn(token, proof, { name: ' Meera  Nair ', contact: right.slice(3) })).status).toBe(200);
    expect(await handedOnOf(id)).toMatchObject({ name: 'Meera Nair', contact: right });
    const other = await api.world.addUser('Vikram Shah');
    await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: other.charId });
    expect(await handedOnOf(id, other)).toBeUndefined();
    const history = JSON.stringify((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
    expect(history).toContain('The invited person said that someone else signs');
    expect(history).not.toMatch(new RegExp(`Meera|${right.slice(3)}`));
    await until('the event is out', async () => (await noticed(id)) === 1);
    expect((await lookUp(token)).status).toBe(200);
    expect(api.sms.to(right)).toEqual([]);
  });

  it('is replaced by the right person in one step, which takes over the date and the language', async () => {
    const { id, token, proof, invitation } = await proved();
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const path = `/documents/${id}/invitations/${invitation._id}`;
    expect((await api.call(owner, 'PUT', `${path}/answer-by`, { answer_by: day })).status).toBe(200);
    const right = newPhone();
    await handOn(token, proof, { contact: right });
    const replaced = await invite(id, right, { in_place_of: invitation._id });
    expect(replaced.status).toBe(201);
    expect(await openOf(id)).toMatchObject([{ hint: `+91 ••••••${right.slice(-4)}`, answer_by: day }]);
    expect((await lookUp(token)).status).toBe(404);
    expect((await lookUp(tokenOf(replaced.body['link']))).status).toBe(200);
    expect((await invite(id, newPhone(), { in_place_of: invitation._id })).status).toBe(404);
    expect(await openOf(id)).toHaveLength(1);
    const { rows } = await sql<{ left: unknown }>`
      SELECT handed_on AS left FROM open_invitations WHERE document_id = ${id}`.execute(db());
    expect(rows.map(({ left }) => left)).toEqual([null, null]);
  });

  it('is kept, and can ask once more but not a third time', async () => {
    const { id, token, proof, invitation } = await proved();
    const keep = (by = owner) =>
      api.call(by, 'DELETE', `/documents/${id}/invitations/${invitation._id}/handed-on`);
    expect((await handOn(token, proof)).status).toBe(200);
    expect((await keep(await api.world.addUser('Ravi Iyer'))).status).toBe(403);
    expect((await keep()).status).toBe(200);
    expect(await handedOnOf(id)).toBeUndefined();
    expect((await handOn(token, proof)).status).toBe(200);
    expect(codeOf(await handOn(token, proof))).toEqual([409, 'handed_on_before']);
    expect((await lookUp(token)).status).toBe(200);
  });

  it('is refused without a proof of the contact, with a wrong contact, and with an ended link', async () => {
    const { id, token, proof, phone, invitation } = await proved();
    const other = await proved();
    for (const wrong of ['x', randomBytes(24).toString('base64url'), other.proof])
      expect(codeOf(await handOn(token, wrong))).toEqual([403, 'invitation_for_another']);
    expect(codeOf(await handOn(randomBytes(24).toString('base64url'), proof))).toEqual([
      404,
      'invitation_ended',
    ]);
    for (const contact of ['somebody', phone, 'a@b@c.in'])
      expect((await handOn(token, proof, { contact })).status).toBe(422);
    expect((await handOn(token, proof, { name: 'x'.repeat(81) })).status).toBe(422);
    expect(await handedOnOf(id)).toBeUndefined();
    await api.call(owner, 'DELETE', `/documents/${id}/invitations/${invitation._id}`);
    expect((await handOn(token, proof)).status).toBe(404);
    await api.call(owner, 'POST', `/documents/${other.id}/cancel`, { reason: 'Another flat' });
    expect(codeOf(await handOn(other.token, other.proof))).toEqual([410, 'invitation_cancelled']);
  });

  it('five times at once asks twice; while the invitation is accepted, the invitation ends clean', async () => {
    const { token, proof } = await proved();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => handOn(token, proof)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409]);
    const second = await proved();
    const person = await holder(second.phone);
    const [joined, handed] = await Promise.all([
      accept(person, second.token),
      handOn(second.token, second.proof, { name: 'Meera' }),
    ]);
    expect(joined.status).toBe(200);
    expect([200, 404]).toContain(handed.status);
    expect(await openOf(second.id)).toEqual([]);
  });
});
