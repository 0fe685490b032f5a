import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import type { RpcRequest } from '@karaar/contracts/kit';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { stopTokenFor } from '../../src/features/invitations/stop-token.ts';
import { startApi, type Api } from '../api.ts';

jest.setTimeout(120_000);

let api: Api;
let owner: WorldUser;
let other: WorldUser;
let serial = 0;
const mails: RpcRequest<typeof notificationsRpc.mailInvitation>[] = [];

beforeAll(async () => {
  api = await startApi('documents-stops');
  await api.world.serve(notificationsRpc.mailInvitation, (mail) => {
    mails.push(mail);
    return { outcome: 'sent' as const };
  });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.world.addUser('Asha Rao');
  other = await api.world.addUser('Meera Nair');
});

const db = () => api.service.foundation.db;
const newPhone = () => `+9186${String((serial += 1)).padStart(8, '0')}`;
const tokenOf = (text: unknown) => /\/invitation#([\w-]{32})$/.exec(String(text))?.[1] ?? 'none';
const post = (path: string, body: object) =>
  api.call(undefined, 'POST', `/documents/invitations${path}`, body);
const lookUp = (token: string) => post('/look-up', { token });
const setStop = (token: string, stop: string) => post('/stop', { token, stop });

/** Creates a document of `by` that invites the contact; also returns functions that read the state of the message. */
async function invite(contact: string, by: WorldUser) {
  const { id } = await api.create(by);
  const { status, body } = await api.call(by, 'POST', `/documents/${id}/invitations`, { contact });
  expect(status).toBe(201);
  const sending = async () => {
    const { body: now } = await api.call(by, 'GET', `/documents/${id}`);
    return (now['open_invitations'] as { sending: string }[])[0]?.sending;
  };
  return { id, body, sending, isOver: () => until('it is over', async () => (await sending()) !== 'queued') };
}

async function stopTokenOf(phone: string): Promise<string> {
  const { body } = await lookUp(tokenOf(api.sms.to(phone).at(-1)?.text));
  return String(body['stop_token']);
}

async function stoppable(by = owner) {
  const phone = newPhone();
  const invitation = await invite(phone, by);
  await until('the text is sent', () => api.sms.to(phone).length === 1);
  await invitation.isOver();
  return { phone, invitation, token: await stopTokenOf(phone) };
}

it('stops the invitations of everyone, which senders see as not delivered, and allows them again', async () => {
  const { phone, token } = await stoppable();
  expect(await post('/stop/look-up', { token })).toEqual({
    status: 200,
    body: { channel: 'phone', inviter_char_id: owner.charId, stop: 'nobody' },
  });
  expect((await setStop(token, 'everyone')).body['stop']).toBe('everyone');
  for (const sender of [owner, other]) {
    const { sending, isOver, body } = await invite(phone, sender);
    await isOver();
    expect(await sending()).toBe('failed');
    expect(Object.keys(body['invitation'] as object)).toContain('sendable_at');
  }
  expect(api.sms.to(phone)).toHaveLength(1);
  expect((await setStop(token, 'nobody')).body['stop']).toBe('nobody');
  const again = await invite(phone, other);
  await again.isOver();
  expect([await again.sending(), api.sms.to(phone).length]).toEqual(['sent', 2]);
});

it('shows the sender of a stopped number the same as for a number that the provider refuses', async () => {
  const { phone, token } = await stoppable();
  await setStop(token, 'everyone');
  const stopped = await invite(phone, owner);
  await stopped.isOver();
  api.sms.mode = 'refuses';
  const refused = await invite(newPhone(), owner);
  await refused.isOver();
  api.sms.mode = 'ok';
  const shown = async ({ id }: { id: string }) => {
    const { body } = await api.call(owner, 'GET', `/documents/${id}`);
    const [one] = body['open_invitations'] as Record<string, unknown>[];
    const text = Object.keys(one?.['text_message'] as object).sort();
    return {
      keys: Object.keys(one ?? {}).sort(),
      text,
      sending: one?.['sending'],
      expired: one?.['expired'],
    };
  };
  expect(await shown(stopped)).toEqual(await shown(refused));
});

it('stops the invitations of one sender only, also if that sender sends the message again', async () => {
  const { phone, token, invitation } = await stoppable();
  expect((await setStop(token, 'sender')).body['stop']).toBe('sender');
  await sql`UPDATE open_invitations SET asked_at = now() - interval '25 hours' WHERE document_id = ${invitation.id}`.execute(
    db(),
  );
  const { body } = await api.call(owner, 'GET', `/documents/${invitation.id}`);
  const [open] = body['open_invitations'] as { _id: string }[];
  const path = `/documents/${invitation.id}/invitations/${open?._id}/send`;
  expect((await api.call(owner, 'POST', path)).status).toBe(200);
  await until('it has failed', async () => (await invitation.sending()) === 'failed');
  expect(api.sms.to(phone)).toHaveLength(1);
  const free = await invite(phone, other);
  await free.isOver();
  expect(api.sms.to(phone)).toHaveLength(2);
  // The other sender's message leads to the settings for that sender.
  const { body: seen } = await post('/stop/look-up', { token: await stopTokenOf(phone) });
  expect(seen).toMatchObject({ inviter_char_id: other.charId, stop: 'nobody' });
});

it('works after the invitation has ended and the contact is erased', async () => {
  const { phone, token, invitation } = await stoppable();
  const { body } = await api.call(owner, 'GET', `/documents/${invitation.id}`);
  const [open] = body['open_invitations'] as { _id: string }[];
  await api.call(owner, 'DELETE', `/documents/${invitation.id}/invitations/${open?._id}`);
  expect((await setStop(token, 'everyone')).status).toBe(200);
  const next = await invite(phone, other);
  await next.isOver();
  expect(await next.sending()).toBe('failed');
});

it('stops invitations to an address by a single POST from a mail program, with the token of the e-mail', async () => {
  const address = `stranger-${(serial += 1)}@example.org`;
  await (await invite(address, owner)).isOver();
  const mail = mails.find(({ to }) => to === address);
  const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const path = `/documents/invitations/unsubscribe?token=${encodeURIComponent(String(mail?.stop_token))}`;
  for (let i = 0; i < 2; i += 1)
    expect((await fetch(`${api.url}${path}`, { method: 'POST', body: form })).status).toBe(200);
  const next = await invite(address, other);
  await next.isOver();
  expect(await next.sending()).toBe('failed');
  expect(mails.filter(({ to }) => to === address)).toHaveLength(1);
});

it('gives no stop token to the holder of a link that the creator passed on', async () => {
  const { invitation } = await stoppable();
  const { body } = await lookUp(tokenOf(invitation.body['link']));
  expect(body).toMatchObject({ channel: 'phone' });
  expect(body).not.toHaveProperty('stop_token');
});

it('refuses a forged token, and a token for another contact', async () => {
  const { phone } = await stoppable();
  const foreign = stopTokenFor(randomBytes(32), { channel: 'phone', contact: phone }, owner.userId);
  for (const token of [foreign, 'guessed', foreign.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))]) {
    expect((await setStop(token, 'everyone')).body['code']).toBe('stop_link_invalid');
    expect((await post('/stop/look-up', { token })).status).toBe(400);
    const path = `/unsubscribe?token=${encodeURIComponent(token)}`;
    expect((await post(path, {})).status).toBe(400);
  }
  const next = await invite(phone, other);
  await next.isOver();
  expect(await next.sending()).toBe('sent');
});

it('stores neither the number nor an unkeyed hash of it, and deletes the stop of a deleted sender', async () => {
  const { phone, token } = await stoppable();
  await setStop(token, 'sender');
  const rows = async () => {
    const all = await sql<{ contact_hash: string }>`
      SELECT contact_hash FROM contact_stops WHERE user_id = ${owner.userId}`.execute(db());
    return all.rows;
  };
  const [row] = await rows();
  expect(token).toContain(row?.contact_hash);
  expect(row?.contact_hash).not.toContain(phone.slice(-8));
  await api.world.deleteUser(owner);
  await until('it is forgotten', async () => (await rows()).length === 0);
});
