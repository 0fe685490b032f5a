/**
 * A session alone cannot move or end an account: this needs a code to the present number, or a waiting time
 * with a message to that number.
 */
import { jest } from '@jest/globals';
import type { Envelope } from '@karaar/contracts/kit';
import { deletionRpc } from '@karaar/contracts/personal-data';
import type { AccountAct } from '@karaar/contracts/step-up';
import type { SmsSender, TextMessage } from '@karaar/sms';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { performMoves } from '../src/features/accounts/phone-move.service.ts';
import { newPerson, startApi, type Answer, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
type Headers = Record<string, string>;
type Owner = { phone: string; headers: Headers; userId: string; charId: string };

beforeAll(async () => {
  api = await startApi('auth-own-number', { SEED_DEMO: 'true' });
  for (const rpc of Object.values(deletionRpc)) await api.world.serve(rpc, () => ({ blockers: [] }));
}, 120_000);
afterAll(() => api.stop());
beforeEach(() => api.forgetLimits());

const db = () => api.service.foundation.db;
const outcomeOf = ({ status, body }: Answer) => (status < 300 ? status : String(body['code']));
const DELETION: AccountAct = { action: 'delete_account' };
const changeTo = (phone_no: string): AccountAct => ({ action: 'change_phone', phone_no });

async function owner(): Promise<Owner> {
  const { phone, email } = newPerson();
  await api.register({ phone, email });
  const { headers, body } = await api.signIn(phone);
  await api.forgetLimits();
  return { phone, headers, userId: String(body['user_id']), charId: String(body['char_id']) };
}
const profileOf = async ({ headers }: Owner) =>
  (await api.json('GET', '/users/profile', undefined, headers)).body;
const statusOf = async (headers: Headers) =>
  (await api.json('GET', '/users/profile', undefined, headers)).status;
const phoneOf = async (user: Owner) => (await profileOf(user))['phone_no'];

async function codeOfNew(headers: Headers, phone_no: string): Promise<string> {
  const { status } = await api.json('POST', '/users/profile/phone', { phone_no }, headers);
  expect(status).toBe(200);
  return api.lastCode(phone_no);
}
const change = (headers: Headers, phone_no: string, otp: string) =>
  api.json('PUT', '/users/profile/phone', { phone_no, otp }, headers);
const remove = ({ headers, charId }: Pick<Owner, 'headers' | 'charId'>) =>
  api.json('POST', '/users/profile/deletion', { confirm_char_id: charId }, headers);
const begin = (headers: Headers, act: AccountAct) => api.json('POST', '/auth/step-up', { act }, headers);
const finish = (headers: Headers, act: AccountAct, otp: string) =>
  api.json('POST', '/auth/step-up/finish', { act, otp }, headers);

describe('a stolen session', () => {
  it('cannot change the number with a code to the new one, which stays valid', async () => {
    const user = await owner();
    const to = newPerson().phone;
    const otp = await codeOfNew(user.headers, to);
    expect(outcomeOf(await change(user.headers, to, otp))).toBe('own_number_required');
    expect(await phoneOf(user)).toBe(user.phone);
    await api.confirmAct(user, changeTo(to));
    expect(outcomeOf(await change(user.headers, to, otp))).toBe(200);
    expect(await phoneOf(user)).toBe(to);
  });

  it('cannot delete the account with its public ID', async () => {
    const user = await owner();
    expect(outcomeOf(await remove(user))).toBe('own_number_required');
    await api.confirmAct(user, DELETION);
    expect(outcomeOf(await remove(user))).toBe(200);
  });

  it('cannot change the number with a passkey that it has added', async () => {
    const user = await owner();
    const to = newPerson().phone;
    const otp = await codeOfNew(user.headers, to);
    api.stepUps.standings.set(user.userId, 'keys');
    const grant = await api.stepUps.grant(user.userId, { action: 'change_phone', phone_no: to });
    expect(outcomeOf(await change({ ...user.headers, ...grant }, to, otp))).toBe('own_number_required');
  });
});

describe('the code to the present number', () => {
  it('names the act and goes to the present number only', async () => {
    const user = await owner();
    const to = newPerson().phone;
    const before = api.texts.length;
    expect(outcomeOf(await begin(user.headers, changeTo(to)))).toBe(200);
    await api.forgetLimits();
    expect(outcomeOf(await begin(user.headers, DELETION))).toBe(200);
    expect(api.texts.slice(before)).toEqual([
      { phone: user.phone, text: expect.stringContaining(`ending in ${to.slice(-4)}`) },
      { phone: user.phone, text: expect.stringContaining('permanently delete') },
    ]);
  });

  it('is valid only for its act, session and user, for five tries and five minutes', async () => {
    const user = await owner();
    const [to, other] = [newPerson().phone, newPerson().phone];
    const thief = await owner();
    const second = (await api.signIn(user.phone)).headers;
    await api.forgetLimits();
    await begin(user.headers, changeTo(to));
    const otp = api.lastCode(user.phone);
    for (const [headers, act] of [
      [user.headers, changeTo(other)],
      [user.headers, DELETION],
      [second, changeTo(to)],
      [thief.headers, changeTo(to)],
    ] as const)
      expect(outcomeOf(await finish(headers, act, otp))).toBe('otp_wrong');
    // It does not sign in either.
    expect(outcomeOf(await api.json('POST', '/auth/login', { phone_no: user.phone, otp }))).toBe('otp_wrong');
    expect(outcomeOf(await finish(user.headers, changeTo(to), otp))).toBe(200);
    expect(outcomeOf(await finish(user.headers, changeTo(to), otp))).toBe('otp_wrong');

    await api.forgetLimits();
    await begin(user.headers, DELETION);
    for (let tries = 0; tries < 5; tries += 1)
      expect(outcomeOf(await finish(user.headers, DELETION, 'ZZZZZZ'))).toBe('otp_wrong');
    expect(outcomeOf(await finish(user.headers, DELETION, api.lastCode(user.phone)))).toBe('otp_wrong');

    await api.forgetLimits();
    await begin(user.headers, DELETION);
    await db()
      .updateTable('otp_challenges')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute();
    expect(outcomeOf(await finish(user.headers, DELETION, api.lastCode(user.phone)))).toBe('otp_wrong');
  });

  it('confirms this act once, for the session that requested it, for five minutes', async () => {
    const user = await owner();
    const [to, other] = [newPerson().phone, newPerson().phone];
    const second = (await api.signIn(user.phone)).headers;
    await api.forgetLimits();
    await api.confirmAct(user, changeTo(to));
    expect(outcomeOf(await remove(user))).toBe('own_number_required');
    const otp = await codeOfNew(user.headers, to);
    expect(outcomeOf(await change(user.headers, other, await codeOfNew(user.headers, other)))).toBe(
      'own_number_required',
    );
    expect(outcomeOf(await change(second, to, otp))).toBe('own_number_required');
    expect(outcomeOf(await change(user.headers, to, 'ZZZZZZ'))).toBe('otp_wrong');
    expect(outcomeOf(await change(user.headers, to, otp))).toBe(200);
    expect(outcomeOf(await change(user.headers, to, otp))).toBe('own_number_required');

    await api.forgetLimits();
    await api.confirmAct({ phone: to, headers: user.headers }, DELETION);
    await db()
      .updateTable('sessions')
      .set({ confirmed_until: new Date(Date.now() - 1_000) })
      .where('confirmed_act', 'is not', null)
      .execute();
    expect(outcomeOf(await remove(user))).toBe('own_number_required');
  });

  it('performs the act once when it is requested twice at the same moment', async () => {
    const user = await owner();
    await api.confirmAct(user, DELETION);
    const answers = await Promise.all([remove(user), remove(user), remove(user)]);
    expect(answers.map(outcomeOf).filter((answer) => answer === 200)).toHaveLength(1);

    const mover = await owner();
    const to = newPerson().phone;
    const otp = await codeOfNew(mover.headers, to);
    await api.confirmAct(mover, changeTo(to));
    const changes = await Promise.all([1, 2, 3].map(() => change(mover.headers, to, otp)));
    expect(changes.map(outcomeOf).filter((answer) => answer === 200)).toHaveLength(1);
    expect(await phoneOf(mover)).toBe(to);
  });
});

describe('the routes of step-up and phone move', () => {
  const otp = 'AAAAAA';
  const phone_no = '+919812345678';
  it.each([
    ['POST', '/auth/step-up', { act: DELETION }],
    ['POST', '/auth/step-up/finish', { act: DELETION, otp }],
    ['POST', '/users/profile/phone-move', { phone_no, otp }],
    ['DELETE', '/users/profile/phone-move', undefined],
  ])('%s %s is for users only', async (method, path, body) => {
    expect((await api.json(method, path, body)).status).toBe(401);
    const admin = { username: 'admin', password: 'karaar-admin' };
    const { body: session } = await api.json('POST', '/admin/login', admin);
    const headers = { authorization: `Bearer ${String(session['token'])}` };
    expect((await api.json(method, path, body, headers)).status).toBe(403);
  });

  it('accept only the acts that move or end an account', async () => {
    const { headers } = await owner();
    for (const act of [{ action: 'export' }, { action: 'change_phone' }, { action: 'pay' }])
      expect((await api.json('POST', '/auth/step-up', { act }, headers)).status).toBe(422);
  });
});

describe('a change of the number', () => {
  it('ends every other session at once, but not the session that made the change', async () => {
    const user = await owner();
    const other = (await api.signIn(user.phone)).headers;
    await api.forgetLimits();
    const to = newPerson().phone;
    await api.confirmAct(user, changeTo(to));
    expect(outcomeOf(await change(user.headers, to, await codeOfNew(user.headers, to)))).toBe(200);
    expect(await statusOf(other)).toBe(401);
    expect(await statusOf(user.headers)).toBe(200);
  });
});

describe('a lost number', () => {
  const move = (headers: Headers, phone_no: string, otp: string) =>
    api.json('POST', '/users/profile/phone-move', { phone_no, otp }, headers);
  const requestMove = async (user: Owner, to = newPerson().phone) => {
    const answer = await move(user.headers, to, await codeOfNew(user.headers, to));
    return { to, answer };
  };
  const waiting = async (user: Owner) => (await profileOf(user))['phone_move'];
  /**
   * Ends the waiting time of a user.
   * @returns the SMS that are sent then
   */
  async function daysLater({ userId }: Owner): Promise<TextMessage[]> {
    await db()
      .updateTable('users')
      .set({ moves_at: new Date(Date.now() - 1_000) })
      .where('moves_at', 'is not', null)
      .where('id', '=', userId)
      .execute();
    return perform();
  }
  async function perform(): Promise<TextMessage[]> {
    const sent: TextMessage[] = [];
    const sms: SmsSender = {
      send: (message) => Promise.resolve(void sent.push(message)),
      find: () => Promise.resolve('unknown'),
      close: () => Promise.resolve(),
    };
    await performMoves({ ...api.service.foundation, sms });
    return sent;
  }
  const eventsOf = async (user: Owner) =>
    (await messagesOf<Envelope<{ user_id: string; action: string }>>(api.world.natsUrl, 'EVT_AUTH'))
      .filter(({ type, data }) => type === 'auth.phone.changed' && data.user_id === user.userId)
      .map(({ data }) => data.action);

  it('is replaced after a waiting time longer than a session, with messages to the number and the owner', async () => {
    const user = await owner();
    const { to, answer } = await requestMove(user);
    expect(answer).toMatchObject({
      status: 200,
      body: { phone_no: user.phone, phone_move: { phone_no: to } },
    });
    const { effective_at } = answer.body['phone_move'] as { effective_at: string };
    expect(Date.parse(effective_at) - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
    expect(api.texts.at(-1)).toMatchObject({
      phone: user.phone,
      text: expect.stringContaining('sign in with this number now'),
    });
    await until('the owner is told', async () => (await eventsOf(user)).length === 1);

    expect(await perform()).toEqual([]);
    expect(await phoneOf(user)).toBe(user.phone);
    expect(await daysLater(user)).toMatchObject([{ to: user.phone, template: 'phone-changed' }]);
    await until('its sessions are over', async () => (await statusOf(user.headers)) === 401, 1_000);
    expect(await perform()).toEqual([]);
    await until('both are told', async () => (await eventsOf(user)).join() === 'move_asked,changed');
    await api.forgetLimits();
    const { body, headers } = await api.signIn(to);
    expect(body).toMatchObject({ user_id: user.userId });
    expect(await profileOf({ ...user, headers })).toMatchObject({ phone_no: to, phone_move: null });
    const gone = await api.json('POST', '/auth/send-otp', { phone_no: user.phone });
    expect(gone.status).toBe(200);
    expect(api.texts.at(-1)?.text).toContain('has no account');
  });

  it.each<[string, (user: Owner) => Promise<unknown>]>([
    [
      'any other session',
      async (user) => {
        const other = (await api.signIn(user.phone)).headers;
        await requestMove(user);
        return api.json('DELETE', '/users/profile/phone-move', undefined, other);
      },
    ],
    [
      'a sign-in with the present number',
      async (user) => {
        await requestMove(user);
        return api.signIn(user.phone);
      },
    ],
    [
      'a code to the present number',
      async (user) => {
        await requestMove(user);
        return api.confirmAct(user, DELETION);
      },
    ],
  ])('is kept by %s', async (_by, keep) => {
    const user = await owner();
    await keep(user);
    expect(await waiting(user)).toBeNull();
    expect(await daysLater(user)).toEqual([]);
    expect(await phoneOf(user)).toBe(user.phone);
  });

  it('waits again from the start for the newest number requested', async () => {
    const user = await owner();
    await requestMove(user);
    const { to } = await requestMove(user);
    await daysLater(user);
    await api.forgetLimits();
    expect((await api.signIn(to)).body).toMatchObject({ user_id: user.userId });
  });

  it('needs the new number’s code, and does not wait unless the present number got a message', async () => {
    const [user, thief] = [await owner(), await owner()];
    const to = newPerson().phone;
    const otp = await codeOfNew(user.headers, to);
    expect(outcomeOf(await move(user.headers, to, 'ZZZZZZ'))).toBe('otp_wrong');
    expect(outcomeOf(await move(thief.headers, to, otp))).toBe('otp_wrong');
    api.sms.down = 'refused';
    expect(outcomeOf(await move(user.headers, to, otp))).toBe('sms_unavailable');
    api.sms.down = false;
    expect(await waiting(user)).toBeNull();
  });

  it('needs the passkey if the user has a passkey', async () => {
    const user = await owner();
    api.stepUps.standings.set(user.userId, 'keys');
    const to = newPerson().phone;
    const otp = await codeOfNew(user.headers, to);
    expect(outcomeOf(await move(user.headers, to, otp))).toBe('step_up_required');
    const grant = await api.stepUps.grant(user.userId, { action: 'change_phone', phone_no: to });
    expect(outcomeOf(await move({ ...user.headers, ...grant }, to, otp))).toBe(200);
  });

  it('is not replaced by a number that another account has, now or when the waiting time ends', async () => {
    const [user, other] = [await owner(), await owner()];
    expect(outcomeOf((await requestMove(user, other.phone)).answer)).toBe('phone_taken');
    const newcomer = newPerson();
    await requestMove(user, newcomer.phone);
    expect((await api.register(newcomer)).status).toBe(201);
    expect(await daysLater(user)).toEqual([]);
    expect(await profileOf(user)).toMatchObject({ phone_no: user.phone, phone_move: null });
  });

  it('is not replaced for a closed account', async () => {
    const user = await owner();
    await requestMove(user);
    await db().updateTable('users').set({ status: 'inactive' }).where('id', '=', user.userId).execute();
    expect(await daysLater(user)).toEqual([]);
    await db().updateTable('users').set({ status: 'active' }).where('id', '=', user.userId).execute();
    expect(await profileOf(user)).toMatchObject({ phone_no: user.phone, phone_move: null });
  });

  it('can be requested three times a day', async () => {
    const user = await owner();
    for (let nth = 0; nth < 3; nth += 1) expect(outcomeOf((await requestMove(user)).answer)).toBe(200);
    expect(outcomeOf((await requestMove(user)).answer)).toBe('too_many_requests');
  });
});
