import { jest } from '@jest/globals';
import { authRpc } from '@karaar/contracts/auth/rpc';
import type { RpcRequest } from '@karaar/contracts/kit';
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import { listIn } from '@karaar/testing/list-in';
import { newPerson, startApi, type Api, type Person } from './api.ts';

jest.setTimeout(60_000);

const mails: RpcRequest<typeof notificationsRpc.mailCode>[] = [];
/** `lost`: the request was received, and its answer cannot be used. */
let mailOutcome: 'sent' | 'away' | 'lost' = 'sent';
let api: Api;
beforeAll(async () => {
  api = await startApi('auth-email-proof');
  await api.world.serve(notificationsRpc.mailCode, (mail) => {
    mails.push(mail);
    // A reply that breaks the contract counts as lost.
    return mailOutcome === 'lost' ? (null as never) : { outcome: mailOutcome };
  });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  await api.forgetLimits();
  mailOutcome = 'sent';
  mails.length = 0;
});

type Member = { person: Person; id: string; headers: { authorization: string } };
async function member(person = newPerson()): Promise<Member> {
  expect((await api.register(person)).status).toBe(201);
  const { headers, body } = await api.signIn(person.phone);
  return { person, id: String(body['user_id']), headers };
}
const ask = ({ headers }: Member) => api.json('POST', '/users/profile/email', undefined, headers);
const prove = ({ headers }: Member, otp: string) => api.json('PUT', '/users/profile/email', { otp }, headers);
const isProved = async ({ headers }: Member) =>
  (await api.json('GET', '/users/profile', undefined, headers)).body['email_proved'];
const foundBy = async ({ headers }: Member, search: string) => {
  const { body } = await api.json(
    'GET',
    `/users/all?search=${encodeURIComponent(search)}`,
    undefined,
    headers,
  );
  return listIn<{ user_id: string }>(body).map(({ user_id }) => user_id);
};
const emailKnownTo = async (service: string, { id }: Member) =>
  (await api.world.ask(authRpc.findUser, { user_id: id }, service)).user?.email;

async function changeEmail({ headers }: Member, email: string): Promise<void> {
  const form = new FormData();
  form.append('email', email);
  expect((await api.send('/users/profile', form, headers, 'PUT')).status).toBe(200);
}

it('an address finds the account and receives e-mails once its owner has proved it', async () => {
  const [owner, other] = [await member(), await member()];
  const { email } = owner.person;
  expect(await isProved(owner)).toBe(false);
  expect(await foundBy(other, email)).toEqual([]);
  expect([await emailKnownTo('notifications', owner), await emailKnownTo('messaging', owner)]).toEqual([
    '',
    email,
  ]);

  expect(await ask(owner)).toMatchObject({ status: 200, body: { resend_after_s: 30 } });
  expect(mails).toMatchObject([{ to: email, language: 'en', account: true }]);
  const code = String(mails[0]?.code);
  expect(await prove(owner, 'AAAAAA')).toMatchObject({ status: 400, body: { code: 'otp_wrong' } });
  // Only for the account that requested the code, and only once.
  expect((await prove(other, code)).status).toBe(400);
  expect((await prove(owner, code)).status).toBe(200);
  expect((await prove(owner, code)).status).toBe(400);

  expect(await isProved(owner)).toBe(true);
  expect(await foundBy(other, email.toUpperCase())).toEqual([owner.id]);
  expect(await emailKnownTo('notifications', owner)).toBe(email);
});

it('a changed address has to be proved again, with its own code', async () => {
  const owner = await member();
  await ask(owner);
  expect((await prove(owner, String(mails[0]?.code))).status).toBe(200);
  // A change of case is not a change of address.
  await changeEmail(owner, owner.person.email.toUpperCase());
  expect(await isProved(owner)).toBe(true);

  await api.forgetLimits();
  await ask(owner);
  const earlier = String(mails[1]?.code);
  const next = newPerson().email;
  await changeEmail(owner, next);
  expect(await isProved(owner)).toBe(false);
  expect(await emailKnownTo('notifications', owner)).toBe('');
  expect((await prove(owner, earlier)).status).toBe(400);
  await ask(owner);
  expect(mails[2]).toMatchObject({ to: next });
  expect((await prove(owner, String(mails[2]?.code))).status).toBe(200);
});

it('a code whose e-mail may have been sent stays valid, and its send is counted', async () => {
  const owner = await member();
  mailOutcome = 'lost';
  expect(await ask(owner)).toMatchObject({ status: 503, body: { code: 'mail_unavailable' } });
  mailOutcome = 'sent';
  expect((await ask(owner)).status).toBe(429);
  expect(mails).toHaveLength(1);
  expect((await prove(owner, String(mails[0]?.code))).status).toBe(200);
});

it('answers 503 when no e-mail can be sent, and does not count the send', async () => {
  const owner = await member();
  mailOutcome = 'away';
  expect(await ask(owner)).toMatchObject({ status: 503, body: { code: 'mail_unavailable' } });
  mailOutcome = 'sent';
  expect((await ask(owner)).status).toBe(200);
  expect((await ask(owner)).status).toBe(429);
  for (const [method, body] of [
    ['POST', undefined],
    ['PUT', { otp: 'AAAAAA' }],
  ] as const)
    expect((await api.json(method, '/users/profile/email', body)).status).toBe(401);
});
