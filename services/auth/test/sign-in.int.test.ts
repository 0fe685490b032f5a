import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { refused } from '@karaar/testing/refused';
import { ownRedis } from '@karaar/testing/servers/own-redis';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { newPerson, registrationForm, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

/** Everything that Jest can fake except the clock. */
const TIMERS = [
  ...([
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
  ] as const),
  ...(['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
];

let api: Api;
const member = newPerson();

beforeAll(async () => {
  api = await startApi('auth-sign-in');
  expect((await api.register(member)).status).toBe(201);
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  await api.forgetLimits();
  api.sms.down = false;
});

const sendOtp = (phone: string) => api.json('POST', '/auth/send-otp', { phone_no: phone });
const login = (phone: string, otp: string) => api.json('POST', '/auth/login', { phone_no: phone, otp });
const db = () => api.service.foundation.db;
const countSessions = async () => (await db().selectFrom('sessions').select('id').execute()).length;
/** Makes the sends so far older, as waiting would. */
const age = (seconds: number) =>
  sql`UPDATE otp_sends SET at = at - ${`${seconds} seconds`}::interval`.execute(db());
const wrongFor = (code: string) => (code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`);

describe('one-time codes', () => {
  it('[AUTH-020] [AUTH-022] [AUTH-026] [AUTH-045] [AUTH-062] signs a registered phone in by the code of its text', async () => {
    const form = new FormData();
    form.append('phone_no', member.phone);
    expect((await api.send('/auth/send-otp', form)).status).toBe(200);
    const code = /\b[2-9A-HJ-NP-Z]{6}\b/.exec(api.texts.at(-1)?.text ?? '')?.[0];
    expect(api.texts.at(-1)?.phone).toBe(member.phone);
    const { status, body } = await login(member.phone, String(code));
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      user_id: expect.any(String),
      char_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
    });
    const [head = '', claims = ''] = String(body['access_token'])
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(head)).toMatchObject({ alg: 'EdDSA' });
    const { sid, exp, iat, aud } = JSON.parse(claims) as Record<string, unknown>;
    expect({ sid: typeof sid, aud }).toEqual({ sid: 'string', aud: 'karaar:user' });
    expect(Number(exp) - Number(iat)).toBe(12 * 3_600);
  });

  it('accepts the phone of a login with or without +91 and the code in either case', async () => {
    const code = await api.codeFor(member.phone);
    expect((await login(member.phone.slice(3), code.toLowerCase())).status).toBe(200);
    await age(31);
    const second = await api.codeFor(member.phone);
    const tamil = (text: string) =>
      text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xbe6 + Number(digit)));
    expect((await login(`0091 ${tamil(member.phone.slice(3))}`, tamil(second))).status).toBe(200);
  });

  it('[AUTH-021] [AUTH-024] [AUTH-055] refuses malformed requests with a detail', async () => {
    const texts = api.texts.length;
    for (const body of [
      {},
      { phone_no: '' },
      { phone_no: '+9112345' },
      { phone_no: '+4479111234567' },
      { phone_no: '9000000001' },
    ])
      refused({ asked: body, ...(await api.json('POST', '/auth/send-otp', body)) }, 422, 'phone_no');
    expect(api.texts).toHaveLength(texts);
    const enter = (body: object) => api.json('POST', '/auth/login', body);
    refused(await enter({}), 422, 'phone_no', 'otp');
    refused(await enter({ phone_no: member.phone }), 422, 'otp');
    refused(await enter({ otp: 'ABCDEF' }), 422, 'phone_no');
    refused(await enter({ phone_no: member.phone, otp: '123' }), 422, 'otp');
  });

  it('[AUTH-023] [AUTH-049] refuses a wrong code, and a right code the second time', async () => {
    const code = await api.codeFor(member.phone);
    const sessions = await countSessions();
    const wrong = await login(member.phone, wrongFor(code));
    refused(wrong, 400);
    expect(wrong.body).not.toHaveProperty('access_token');
    expect(await countSessions()).toBe(sessions);
    expect((await login(member.phone, code)).status).toBe(200);
    refused(await login(member.phone, code), 400);
    expect(await countSessions()).toBe(sessions + 1);
  });

  it('[AUTH-050] [AUTH-051] gives 100 parallel guesses exactly five tries, then refuses even the right code', async () => {
    const code = await api.codeFor(member.phone);
    const answers = await Promise.all(Array.from({ length: 100 }, () => login(member.phone, wrongFor(code))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    const { tries } = await db().selectFrom('otp_challenges').select('tries').executeTakeFirstOrThrow();
    expect(tries).toBe(5);
    expect((await login(member.phone, code)).status).toBe(400);
  });

  it('opens one session for simultaneous right submissions', async () => {
    const code = await api.codeFor(member.phone);
    const before = await countSessions();
    const answers = await Promise.all(Array.from({ length: 10 }, () => login(member.phone, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await countSessions()) - before).toBe(1);
  });

  it('[AUTH-050] counts a right code on the fifth try', async () => {
    const code = await api.codeFor(member.phone);
    for (let i = 0; i < 4; i += 1) await login(member.phone, wrongFor(code));
    expect((await login(member.phone, code)).status).toBe(200);
  });

  it('[AUTH-047] makes the earlier code unusable with a new one', async () => {
    const first = await api.codeFor(member.phone);
    await age(31);
    const second = await api.codeFor(member.phone);
    expect((await login(member.phone, first)).status).toBe(400);
    expect((await login(member.phone, second)).status).toBe(200);
  });

  it('[AUTH-046] [AUTH-048] stores codes as HMACs, for five minutes, without phone or address', async () => {
    const code = await api.codeFor(member.phone);
    const challenge = await db().selectFrom('otp_challenges').selectAll().executeTakeFirstOrThrow();
    const all = JSON.stringify([
      challenge,
      await db().selectFrom('otp_sends').selectAll().execute(),
      await db().selectFrom('limit_counts').selectAll().execute(),
    ]);
    expect(all).not.toContain(code);
    expect(all).not.toContain(member.phone.slice(3));
    expect(all).not.toContain('127.0.0.1');
    expect(challenge.digest).toMatch(/^[0-9a-f]{64}$/);
    const left = challenge.expires_at.getTime() - Date.now();
    expect(left).toBeGreaterThan(290_000);
    expect(left).toBeLessThanOrEqual(300_000);
    await db()
      .updateTable('otp_challenges')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    refused(await login(member.phone, code), 400);
  });

  it('[AUTH-052] [AUTH-053] requires a wait of 30 s, and refuses a fourth send within five minutes', async () => {
    expect((await sendOtp(member.phone)).body).toMatchObject({ resend_after_s: 30 });
    const early = await sendOtp(member.phone);
    expect(early.status).toBe(429);
    expect(early.body['detail']).toMatch(/wait (29|30) seconds/);
    for (const expected of [200, 200, 429]) {
      await age(31);
      expect((await sendOtp(member.phone)).status).toBe(expected);
    }
    await age(300 - 3 * 31);
    expect((await sendOtp(member.phone)).status).toBe(200);
  });

  it('lets one of ten simultaneous sends through', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendOtp(member.phone)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('[AUTH-056] [AUTH-058] gives an unknown number the same answer, and sends it a text that says how to register', async () => {
    const unknown = newPerson().phone;
    const uniform = async (phone: string) => {
      const { status, body } = await sendOtp(phone);
      return { status, body: { ...body, challenge_id: String(body['challenge_id']).length } };
    };
    expect(await uniform(unknown)).toEqual(await uniform(member.phone));
    const text = api.texts.find((message) => message.phone === unknown)?.text ?? '';
    expect(text).toMatch(/register/i);
    expect(text).not.toMatch(/\b[0-9A-Z]{6}\b/);
  });

  it('sends the text in the language of the account, or of the screen to a number without an account', async () => {
    const reader = newPerson();
    await api.register(reader, (form) => form.set('language', 'hi'));
    const ask = async (phone: string, language?: string) => {
      await api.json('POST', '/auth/send-otp', { phone_no: phone, language });
      return api.texts.findLast((message) => message.phone === phone)?.text ?? '';
    };
    expect(await ask(reader.phone, 'ta')).toMatch(/^[2-9A-HJ-NP-Z]{6} आपका Karaar साइन-इन कोड है/);
    expect(await ask(newPerson().phone, 'ta')).toContain('முதலில் செயலியில் பதிவுசெய்யவும்');
    expect(await ask(newPerson().phone)).toContain('Register in the app first');
    const refused = await api.json('POST', '/auth/send-otp', { phone_no: newPerson().phone, language: 'xx' });
    expect(refused.status).toBe(422);
  });

  it('answers 503 when no text can be sent; the next try is allowed at once if nothing was sent, otherwise after 30 s', async () => {
    api.sms.down = 'refused';
    const failed = await sendOtp(member.phone);
    expect(failed.status).toBe(503);
    expect(JSON.stringify(failed.body)).not.toContain(member.phone.slice(3));
    api.sms.down = false;
    expect((await sendOtp(member.phone)).status).toBe(200);
    await age(31);
    api.sms.down = 'doubtful';
    expect((await sendOtp(member.phone)).status).toBe(503);
    api.sms.down = false;
    expect((await sendOtp(member.phone)).status).toBe(429);
  });
});

describe('a user whose number an attacker requests codes for', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const browser = () => randomBytes(16).toString('base64url');
  const ask = (fields: object, address: string) =>
    api.json('POST', '/auth/send-otp', { phone_no: member.phone, ...fields }, from(address));
  const enter = (fields: object) => api.json('POST', '/auth/login', { phone_no: member.phone, ...fields });
  const codes = () =>
    api.texts
      .filter(({ phone }) => phone === member.phone)
      .map(({ text }) => /\b[2-9A-HJ-NP-Z]{6}\b/.exec(text)?.[0] ?? '');
  const stranger = { browser: browser() };
  /** Three sends and fifteen wrong codes, the most that five minutes allow. */
  const attack = async (address = '203.0.113.9') => {
    for (let i = 0; i < 3; i += 1) {
      const { body } = await ask(stranger, address);
      const guess = { otp: wrongFor(codes().at(-1) ?? ''), challenge_id: body['challenge_id'] };
      for (let guesses = 0; guesses < 5; guesses += 1) {
        expect((await enter(guess)).status).toBe(400);
        expect((await enter({ otp: guess.otp })).status).toBe(400);
      }
      await age(31);
    }
  };

  it('signs in with the code requested before the attack, with the challenge of that send', async () => {
    const { body } = await ask({ browser: browser() }, '198.51.100.7');
    const code = codes().at(-1);
    await age(31);
    await attack();
    expect((await enter({ otp: code, challenge_id: body['challenge_id'] })).status).toBe(200);
  });

  it('signs in during the attack, in a new browser and at the attacker’s address: the last text counts', async () => {
    await attack('198.51.100.7');
    const texts = codes().length;
    for (const fields of [{ browser: browser() }, {}]) {
      const answer = await ask(fields, 'browser' in fields ? '198.51.100.7' : '198.51.100.8');
      expect(answer).toMatchObject({ status: 200, body: { already_sent: true, resend_after_s: 30 } });
      const challenge_id = answer.body['challenge_id'];
      const otp = codes().at('browser' in fields ? -1 : -2);
      expect((await enter({ otp, challenge_id })).status).toBe(200);
      // Each code works once, with either challenge.
      expect((await enter({ otp, challenge_id })).status).toBe(400);
    }
    // The attacker cannot flood the phone.
    expect(codes()).toHaveLength(texts);
  });

  it('gets a text of their own in a browser that has signed in before, however many others were requested', async () => {
    const own = { browser: browser() };
    const first = await ask(own, '198.51.100.7');
    const signedIn = await enter({
      otp: codes().at(-1),
      challenge_id: first.body['challenge_id'],
      ...own,
    });
    expect(signedIn.status).toBe(200);
    await age(31);
    await attack();
    await age(7 * 60);
    const texts = codes().length;
    expect(await ask(own, '203.0.113.9')).toMatchObject({ status: 200, body: { already_sent: false } });
    expect(codes()).toHaveLength(texts + 1);
    expect((await enter({ otp: codes().at(-1) })).status).toBe(200);
    // For another number the same browser is unknown.
    const { rows } = await sql<{ key: string }>`SELECT key FROM known_browsers`.execute(db());
    expect(rows.map(({ key }) => key)).not.toContain(own.browser);
    // Signing out everywhere forgets the browser.
    const { headers } = await api.signIn(member.phone).catch(async () => {
      await api.forgetLimits();
      return api.signIn(member.phone);
    });
    await api.json('DELETE', '/auth/sessions', undefined, headers);
    expect((await sql`SELECT FROM known_browsers`.execute(db())).rows).toEqual([]);
  });

  it('is sent fewer texts the longer an attacker asks: six in an hour, then one in ten minutes', async () => {
    const before = codes().length;
    for (let minute = 0; minute < 60; minute += 1) {
      await ask({ browser: browser() }, `203.0.113.${minute}`);
      await age(60);
    }
    const sent = codes().length - before;
    expect(sent).toBeGreaterThanOrEqual(6);
    expect(sent).toBeLessThanOrEqual(11);
    const wait = await ask({ browser: browser() }, '198.51.100.7');
    if (wait.status === 429) expect(wait.body['detail']).toMatch(/minutes?/);
  });

  it('gets a text however many number changes to this number were requested', async () => {
    const mover = newPerson();
    await api.register(mover);
    const { headers } = await api.signIn(mover.phone);
    for (let i = 0; i < 3; i += 1) {
      await api.json('POST', '/users/profile/phone', { phone_no: member.phone }, headers);
      await age(31);
    }
    const fields = { browser: browser() };
    const answer = await ask(fields, '198.51.100.7');
    expect(answer).toMatchObject({ status: 200, body: { already_sent: false } });
    const { challenge_id } = answer.body;
    expect((await enter({ otp: codes().at(-1), challenge_id, ...fields })).status).toBe(200);
  });

  it('gets a challenge while one customer asks from every network of a /48', async () => {
    const statuses = [];
    for (let at = 0; at < 100; at += 1)
      statuses.push((await ask({ browser: browser() }, `2001:db8:7:${(at * 256).toString(16)}::1`)).status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(50);
    expect((await ask({ browser: browser() }, '198.51.100.7')).status).toBe(200);
  });

  it('gets challenges that work for no other number and have five tries each', async () => {
    const other = newPerson();
    await api.register(other);
    const theirs = await ask({ phone_no: other.phone }, '198.51.100.7');
    const mine = await ask({}, '198.51.100.7');
    const otp = codes().at(-1) ?? '';
    expect((await enter({ otp, challenge_id: theirs.body['challenge_id'] })).status).toBe(400);
    const challenge_id = mine.body['challenge_id'];
    await Promise.all(Array.from({ length: 40 }, () => enter({ otp: wrongFor(otp), challenge_id })));
    expect((await enter({ otp, challenge_id })).status).toBe(400);
    // The route of the specification sends no challenge.
    expect((await enter({ otp })).status).toBe(200);
  });
});

describe('caps', () => {
  it('stop unknown browsers at one address, not browsers that signed in before; the answer names the cause', async () => {
    const office = await startApi('auth-cap-office', { OTP_IP_PER_HOUR: '3' });
    const send = (phone: string, fields: object = {}) =>
      office.json('POST', '/auth/send-otp', { phone_no: phone, ...fields });
    try {
      const colleague = newPerson();
      await office.register(colleague);
      const known = { browser: randomBytes(16).toString('base64url') };
      const otp = await office.codeFor(colleague.phone);
      const signedIn = { phone_no: colleague.phone, otp, ...known };
      expect((await office.json('POST', '/auth/login', signedIn)).status).toBe(200);
      for (let i = 0; i < 2; i += 1) await send(newPerson().phone);
      const refused = await send(newPerson().phone);
      expect(refused).toMatchObject({ status: 429, body: { code: 'otp_network_full' } });
      expect(refused.body['detail']).toMatch(/from your network.* in 60 minutes/);
      const unknown = { browser: randomBytes(16).toString('base64url') };
      expect((await send(colleague.phone, unknown)).status).toBe(429);
      expect((await send(colleague.phone, known)).status).toBe(200);
    } finally {
      await office.stop();
    }
  });

  it('count an IPv6 subscriber as one address', async () => {
    const capped = await startApi('auth-cap-v6', { OTP_IP_PER_HOUR: '2', REGISTER_IP_PER_HOUR: '1' });
    const from = (last: number) => ({ 'x-forwarded-for': `2001:db8:1:2:${last}::1` });
    try {
      const statuses = [];
      for (let i = 1; i < 4; i += 1)
        statuses.push(
          (await capped.json('POST', '/auth/send-otp', { phone_no: newPerson().phone }, from(i))).status,
        );
      expect(statuses).toEqual([200, 200, 429]);
      const register = async (i: number) =>
        (await capped.send('/auth/register', await registrationForm(newPerson()), from(i))).status;
      expect([await register(1), await register(2)]).toEqual([201, 429]);
    } finally {
      await capped.stop();
    }
  });

  it('[AUTH-054] apply per address and in total', async () => {
    for (const [name, env, code, addresses] of [
      ['auth-cap-ip', { OTP_IP_PER_HOUR: '3' }, 'otp_network_full', [1, 1, 1, 1]],
      ['auth-cap-all', { OTP_TOTAL_PER_HOUR: '3', OTP_IP_PER_HOUR: '3' }, 'otp_all_full', [1, 2, 3, 4]],
    ] as const) {
      const capped = await startApi(name, env);
      const send = (address: number) =>
        capped.json(
          'POST',
          '/auth/send-otp',
          { phone_no: newPerson().phone },
          { 'x-forwarded-for': `198.51.${address}.1` },
        );
      try {
        const answers = [];
        for (const address of addresses) answers.push(await send(address));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
        expect(answers.at(-1)?.body['code']).toBe(code);
        expect((await send(9)).status).toBe(code === 'otp_network_full' ? 200 : 429);
      } finally {
        await capped.stop();
      }
    }
  });

  it('count the addresses of one IPv6 line as one, for codes and for registrations', async () => {
    const capped = await startApi('auth-cap-line', { OTP_IP_PER_HOUR: '2', REGISTER_IP_PER_HOUR: '1' });
    const send = (from: string) =>
      capped.json('POST', '/auth/send-otp', { phone_no: newPerson().phone }, { 'x-forwarded-for': from });
    try {
      expect((await send('2401:4900:1:2::1')).status).toBe(200);
      expect((await send('2401:4900:1:2:ffff::1')).status).toBe(200);
      for (const from of ['2401:4900:1:2::3', '2401:4900:0001:00FF::1', '2401:4900:1:3:4:5:6:7'])
        expect((await send(from)).status).toBe(429);
      for (const from of ['103.21.4.5', '::ffff:103.21.4.5']) expect((await send(from)).status).toBe(200);
      expect((await send('::FFFF:6715:0405')).status).toBe(429);
      const register = (from: string) =>
        capped.register(newPerson(), () => undefined, { 'x-forwarded-for': from });
      expect((await register('2401:4900:1:2::1')).status).toBe(201);
      expect((await register('2401:4900:1:7::1')).status).toBe(429);
    } finally {
      await capped.stop();
    }
  });

  it('bound the registrations, which report taken contacts, of one customer with a /48', async () => {
    const capped = await startApi('auth-cap-registrations', { REGISTER_IP_PER_HOUR: '1' });
    try {
      const statuses = [];
      for (let at = 0; at < 8; at += 1) {
        const from = { 'x-forwarded-for': `2401:4900:1:${at}00::1` };
        statuses.push((await capped.register(newPerson(), () => undefined, from)).status);
      }
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    } finally {
      await capped.stop();
    }
  });

  it('leave codes to all others when one customer uses every address of a /48', async () => {
    const capped = await startApi('auth-cap-network', { OTP_IP_PER_HOUR: '2', OTP_TOTAL_PER_HOUR: '60' });
    const send = (from: string) =>
      capped.json('POST', '/auth/send-otp', { phone_no: newPerson().phone }, { 'x-forwarded-for': from });
    try {
      const statuses = [];
      for (let at = 0; at < 6; at += 1) statuses.push((await send(`2401:4900:1:${at}00::1`)).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
      expect((await send('2401:4900:2::1')).status).toBe(200);
    } finally {
      await capped.stop();
    }
  });
});

describe('sessions', () => {
  it('[AUTH-064] a logout ends the token within a second', async () => {
    const { headers } = await api.signIn(member.phone);
    expect((await api.json('GET', '/users/profile', undefined, headers)).status).toBe(200);
    expect((await api.json('POST', '/auth/logout', undefined, headers)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await api.json('GET', '/users/profile', undefined, headers)).status).toBe(401);
  });

  it('a Redis that comes back with a copy from before the logout grants no access', async () => {
    const { headers, token } = await api.signIn(member.phone);
    const { redis, db } = api.service.foundation;
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      sid: string;
    };
    // The state after a logout while Redis is away: the database says revoked, the copy still says active.
    await db.updateTable('sessions').set({ revoked_at: new Date() }).where('id', '=', sid).execute();
    expect(await redis.get(`session:${sid}`)).toBe('active');
    redis.disconnect(true);
    await until('the copy says revoked', async () => (await redis.get(`session:${sid}`)) === 'revoked');
    expect((await api.json('GET', '/users/profile', undefined, headers)).status).toBe(401);
  });

  it('[AUTH-063] a token is valid for twelve hours and no longer', async () => {
    // A new token each time: a verified one is cached by the real clock.
    const statusAfter = async (seconds: number): Promise<number> => {
      await api.forgetLimits();
      const { headers } = await api.signIn(member.phone);
      // Only the clock: connections and their timers go on.
      jest.useFakeTimers({ now: Date.now() + seconds * 1_000, doNotFake: [...TIMERS] });
      try {
        return (await api.json('GET', '/users/profile', undefined, headers)).status;
      } finally {
        jest.useRealTimers();
      }
    };
    const hours = 3_600;
    expect([await statusAfter(12 * hours - 60), await statusAfter(12 * hours + 60)]).toEqual([200, 401]);
  });

  it('[AUTH-044] refuses tokens that are malformed or forged', async () => {
    const { token } = await api.signIn(member.phone);
    const [head, claims] = token.split('.');
    for (const bad of ['', 'x', `${token}x`, `${head}.${claims}.`, await api.world.issuer.user()]) {
      const headers = { authorization: `Bearer ${bad}` };
      refused({ bad, ...(await api.json('GET', '/users/profile', undefined, headers)) }, 401);
    }
  });
});

describe('admins', () => {
  it('[ADMIN-014] [ADMIN-015] [ADMIN-016] [ADMIN-031] [ADMIN-032] [ADMIN-033] sign in by password with their own audience', async () => {
    const seeded = await startApi('auth-admin', { SEED_DEMO: 'true' });
    const adminLogin = (body: unknown) => seeded.json('POST', '/admin/login', body);
    try {
      const right = { username: 'admin', password: 'karaar-admin' };
      const { status, body } = await adminLogin(right);
      expect(status).toBe(200);
      const asUser = await seeded.json('GET', '/users/profile', undefined, {
        authorization: `Bearer ${String(body['token'])}`,
      });
      expect(asUser.status).toBe(403);
      const stored = await seeded.service.foundation.db
        .selectFrom('admins')
        .select('password_hash')
        .executeTakeFirstOrThrow();
      expect(stored.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      for (const wrong of [
        { ...right, password: 'x' },
        { username: 'nobody', password: 'x' },
      ]) {
        const answer = await adminLogin(wrong);
        expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid admin credentials' } });
        expect(answer.body).not.toHaveProperty('token');
      }
      refused(await adminLogin({ username: 'admin' }), 422, 'password');
      refused(await adminLogin({ password: right.password }), 422, 'username');
      refused(await adminLogin({}), 422, 'username', 'password');
      await seeded.forgetLimits();
      // Simultaneous attempts are counted like successive ones, and an unknown name is limited like a known
      // one.
      for (const username of ['admin', 'nobody']) {
        await Promise.all(Array.from({ length: 8 }, () => adminLogin({ username, password: 'x' })));
        const locked = await adminLogin({ username, password: right.password });
        expect(locked).toMatchObject({ status: 429, body: { detail: expect.stringContaining('wait') } });
      }
    } finally {
      await seeded.stop();
    }
  });
});

describe('a Redis that dies and comes back empty', () => {
  it('resets nothing to the caller’s advantage: tries, cooldown, caps, ended sessions', async () => {
    const redis = await ownRedis();
    await redis.start();
    const own = await startApi('auth-redis', {
      REDIS_URL: redis.url,
      REGISTER_IP_PER_HOUR: '2',
      OTP_IP_PER_HOUR: '3',
    });
    const send = (phone: string) => own.json('POST', '/auth/send-otp', { phone_no: phone });
    const enter = (phone: string, otp: string) => own.json('POST', '/auth/login', { phone_no: phone, otp });
    try {
      const [first, second] = [newPerson(), newPerson()];
      for (const person of [first, second]) expect((await own.register(person)).status).toBe(201);
      const ended = await own.signIn(first.phone);
      expect((await own.json('POST', '/auth/logout', undefined, ended.headers)).status).toBe(200);
      const code = await own.codeFor(second.phone);
      for (let i = 0; i < 5; i += 1) await enter(second.phone, wrongFor(code));

      await until(
        'the logout is known',
        async () => (await own.json('GET', '/users/profile', undefined, ended.headers)).status === 401,
        1_000,
      );
      await redis.kill();
      // While Redis is away, requests are refused or fail, but none succeeds that should not.
      expect((await own.json('GET', '/users/profile', undefined, ended.headers)).status).not.toBe(200);
      expect((await enter(second.phone, code)).status).toBe(400);
      await redis.start();
      await until('Redis is back', async () => (await own.service.foundation.redis.dbsize()) >= 0);

      expect((await enter(second.phone, code)).status).toBe(400);
      expect((await send(second.phone)).status).toBe(429);
      expect((await own.json('GET', '/users/profile', undefined, ended.headers)).status).toBe(401);
      expect((await own.register(newPerson())).status).toBe(429);
      // The third send from this address; the fourth exceeds the cap.
      expect((await send(newPerson().phone)).status).toBe(200);
      await own.service.foundation.redis.flushall();
      expect((await send(newPerson().phone)).status).toBe(429);
    } finally {
      await own.stop();
      await redis.kill();
    }
  });
});
