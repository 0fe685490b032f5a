import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import type { RpcRequest } from '@karaar/contracts/kit';
import { sql } from 'kysely';
import { newPerson, startApi, type Answer, type Api } from './api.ts';

jest.setTimeout(60_000);

type Invitation = { id: string; channel: 'phone' | 'email'; contact: string };
const invitations = new Map<string, Invitation>();
const mails: RpcRequest<typeof notificationsRpc.mailCode>[] = [];
let mailOutcome: 'sent' | 'away' = 'sent';
let api: Api;
const member = newPerson();

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

beforeAll(async () => {
  api = await startApi('auth-invitations');
  await api.world.serve(documentsRpc.invitationContact, ({ token_hash }) => ({
    invitation: invitations.get(token_hash) ?? null,
  }));
  await api.world.serve(notificationsRpc.mailCode, (mail) => {
    mails.push(mail);
    return { outcome: mailOutcome };
  });
  expect((await api.register(member)).status).toBe(201);
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  await api.forgetLimits();
  api.sms.down = false;
  mailOutcome = 'sent';
});

/** Creates an open invitation to a contact and returns the token of its link. */
function invited(contact: string): string {
  const token = randomBytes(24).toString('base64url');
  const channel = contact.startsWith('+') ? 'phone' : 'email';
  invitations.set(hash(token), { id: randomUUID(), channel, contact });
  return token;
}
const idOf = (token: string) => String(invitations.get(hash(token))?.id);
const sendCode = (token: string, language?: string) =>
  api.json('POST', '/auth/invitations/send-code', { token, ...(language ? { language } : {}) });
const prove = (token: string, otp: string, challenge_id?: unknown) =>
  api.json('POST', '/auth/invitations/prove', { token, otp, ...(challenge_id ? { challenge_id } : {}) });
const codeIn = (text: string | undefined) => /\b[2-9A-HJ-NP-Z]{6}\b/.exec(text ?? '')?.[0] ?? '';
const wrongFor = (code: string) => (code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`);
const textTo = (phone: string) => api.texts.findLast((text) => text.phone === phone)?.text;
async function codeFor(token: string, phone: string): Promise<string> {
  expect((await sendCode(token)).status).toBe(200);
  return codeIn(textTo(phone));
}
const isProved = async (token: string, proof: unknown, invitation = idOf(token)) =>
  (
    await api.world.ask(
      authRpc.invitationProof,
      { invitation_id: invitation, proof_hash: hash(String(proof)) },
      'documents',
    )
  ).proved;
const outcomeOf = ({ status, body }: Answer) => [status, body['code']];

it('gives a number with an account and one without the same answer and the same text', async () => {
  const stranger = newPerson();
  const answers: Answer[] = [];
  const texts: (string | undefined)[] = [];
  for (const { phone } of [member, stranger]) {
    answers.push(await sendCode(invited(phone), 'hi'));
    texts.push(textTo(phone)?.replace(/\b[2-9A-HJ-NP-Z]{6}\b/, 'CODE'));
  }
  expect(answers[0]).toEqual({
    status: 200,
    body: { message: 'A code is on its way.', resend_after_s: 30, challenge_id: expect.any(String) },
  });
  expect({ ...answers[1]?.body, challenge_id: '' }).toEqual({ ...answers[0]?.body, challenge_id: '' });
  expect(texts[0]).toContain('आमंत्रण');
  expect(texts[1]).toBe(texts[0]);
});

it('signs in the account with the invited number, with a code that went to that number only', async () => {
  const token = invited(member.phone);
  const code = await codeFor(token, member.phone);
  const { status, body } = await prove(token, code.toLowerCase());
  expect(status).toBe(200);
  expect(body).toEqual({
    channel: 'phone',
    contact: member.phone,
    proof: expect.stringMatching(/^[\w-]{32}$/),
    session: {
      access_token: expect.any(String),
      token_type: 'bearer',
      user_id: expect.any(String),
      char_id: expect.any(String),
    },
  });
  const session = body['session'] as { access_token: string };
  const profile = await api.json('GET', '/users/profile', undefined, {
    authorization: `Bearer ${session.access_token}`,
  });
  expect(profile.body).toMatchObject({ phone_no: member.phone });
  expect(outcomeOf(await prove(token, code))).toEqual([400, 'otp_wrong']);
});

it('registers a person with the proved number and signs them in at once, but only once', async () => {
  const guest = newPerson();
  const token = invited(guest.phone);
  const { body } = await prove(token, await codeFor(token, guest.phone));
  expect(body['session']).toBeNull();
  const proof = String(body['proof']);
  const other = newPerson();
  expect(outcomeOf(await api.register(other, (form) => form.append('contact_proof', proof)))).toEqual([
    400,
    'contact_proof_ended',
  ]);
  const made = await api.register(guest, (form) => form.append('contact_proof', proof));
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ redirect_to_login: false, session: { token_type: 'bearer' } });
  const again = { ...other, phone: newPerson().phone };
  expect(outcomeOf(await api.register(again, (form) => form.append('contact_proof', proof)))).toEqual([
    400,
    'contact_proof_ended',
  ]);
  const { rows } = await sql`SELECT 1 FROM users WHERE phone_no = ${again.phone}`.execute(
    api.service.foundation.db,
  );
  expect(rows).toEqual([]);
});

it('sends a code for an address by e-mail; the code proves the address and does not sign in', async () => {
  const token = invited(member.email);
  expect((await sendCode(token, 'ta')).status).toBe(200);
  const mail = mails.at(-1);
  expect(mail).toMatchObject({ to: member.email, language: 'ta' });
  const { body } = await prove(token, String(mail?.code));
  expect(body).toMatchObject({ channel: 'email', contact: member.email, session: null });
  expect(await isProved(token, body['proof'])).toBe(true);
  expect(await isProved(token, body['proof'], idOf(invited(member.email)))).toBe(false);
  expect(await isProved(token, 'a'.repeat(32))).toBe(false);
  await sql`UPDATE contact_proofs SET expires_at = now()`.execute(api.service.foundation.db);
  expect(await isProved(token, body['proof'])).toBe(false);
});

it('keeps no code for an e-mail that was not accepted, so that the next one need not wait', async () => {
  const token = invited('away@example.org');
  mailOutcome = 'away';
  expect(outcomeOf(await sendCode(token))).toEqual([503, 'mail_unavailable']);
  mailOutcome = 'sent';
  expect((await sendCode(token)).status).toBe(200);
});

it('refuses another contact’s code, a sign-in code, and every guess after the fifth', async () => {
  const guest = newPerson();
  const token = invited(guest.phone);
  const code = await codeFor(token, guest.phone);
  expect(outcomeOf(await prove(invited(newPerson().phone), code))).toEqual([400, 'otp_wrong']);
  const signIn = await api.codeFor(member.phone);
  expect(outcomeOf(await prove(invited(member.phone), signIn))).toEqual([400, 'otp_wrong']);
  const answers = await Promise.all(Array.from({ length: 20 }, () => prove(token, wrongFor(code))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect(outcomeOf(await prove(token, code))).toEqual([400, 'otp_wrong']);
});

it('refuses links without an open invitation, also between code and proof, and sends nothing', async () => {
  const before = api.texts.length;
  expect(outcomeOf(await sendCode(randomBytes(24).toString('base64url')))).toEqual([404, 'invitation_ended']);
  expect((await sendCode('short')).status).toBe(422);
  expect(api.texts).toHaveLength(before);
  const guest = newPerson();
  const token = invited(guest.phone);
  const code = await codeFor(token, guest.phone);
  invitations.delete(hash(token));
  expect(outcomeOf(await prove(token, code))).toEqual([404, 'invitation_ended']);
});

it('sends a number no more codes than a sign-in does, whichever link requests them; the last code is valid for each link', async () => {
  const { phone } = newPerson();
  const stranger = invited(phone);
  for (let at = 0; at < 3; at += 1) {
    const { body } = await sendCode(stranger);
    const code = codeIn(textTo(phone));
    for (let guess = 0; guess < 6; guess += 1) {
      await prove(stranger, wrongFor(code));
      await prove(stranger, wrongFor(code), body['challenge_id']);
    }
    await sql`UPDATE otp_sends SET at = at - interval '31 seconds'`.execute(api.service.foundation.db);
  }
  const texts = api.texts.length;
  const token = invited(phone);
  const { status, body } = await sendCode(token);
  expect([status, body['message']]).toEqual([200, 'A code was sent a moment ago. Enter that one.']);
  expect(api.texts).toHaveLength(texts);
  const proved = await prove(token, codeIn(textTo(phone)), body['challenge_id']);
  expect(proved.status).toBe(200);
  expect(await isProved(token, proved.body['proof'])).toBe(true);
  expect(await isProved(stranger, proved.body['proof'])).toBe(false);
});

it('sends the code of a link while other people request sign-in codes for the same number', async () => {
  const { phone } = newPerson();
  expect((await api.json('POST', '/auth/send-otp', { phone_no: phone })).status).toBe(200);
  const token = invited(phone);
  expect((await prove(token, await codeFor(token, phone))).status).toBe(200);
});

it('stores neither contact, code nor proof in clear', async () => {
  const guest = newPerson();
  const token = invited(guest.phone);
  const code = await codeFor(token, guest.phone);
  const { body } = await prove(token, code);
  const { rows } = await sql<{ all: string }>`
    SELECT concat((SELECT json_agg(p) FROM contact_proofs p), (SELECT json_agg(c) FROM otp_challenges c)) AS all`.execute(
    api.service.foundation.db,
  );
  for (const secret of [guest.phone, code, String(body['proof'])]) expect(rows[0]?.all).not.toContain(secret);
});
