import { jest } from '@jest/globals';
import { newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

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

  it('takes the phone of a login with or without +91 and the code in either case', async () => {
    const code = await api.codeFor(member.phone);
    expect((await login(member.phone.slice(3), code.toLowerCase())).status).toBe(200);
  });

  it('[AUTH-021] [AUTH-024] [AUTH-055] refuses malformed requests with a detail', async () => {
    for (const body of [
      {},
      { phone_no: '' },
      { phone_no: '+9112345' },
      { phone_no: '+4479111234567' },
      { phone_no: '9000000001' },
    ]) {
      const { status, body: answer } = await api.json('POST', '/auth/send-otp', body);
      expect(status).toBe(422);
      expect(answer).toHaveProperty('detail');
    }
    for (const body of [
      {},
      { phone_no: member.phone },
      { otp: 'ABCDEF' },
      { phone_no: member.phone, otp: '123' },
    ]) {
      expect((await api.json('POST', '/auth/login', body)).status).toBe(422);
    }
  });

  it('[AUTH-023] [AUTH-049] refuses a wrong code, and the right one a second time', async () => {
    const code = await api.codeFor(member.phone);
    const wrong = await login(member.phone, wrongFor(code));
    expect(wrong.status).toBe(400);
    expect(wrong.body).not.toHaveProperty('access_token');
    expect((await login(member.phone, code)).status).toBe(200);
    expect((await login(member.phone, code)).status).toBe(400);
  });

  it('[AUTH-050] [AUTH-051] lets 100 parallel guesses try five times, then even the right code is refused', async () => {
    const code = await api.codeFor(member.phone);
    await Promise.all(Array.from({ length: 100 }, () => login(member.phone, wrongFor(code))));
    const tries = await api.service.foundation.redis.hget(`otp:code:${member.phone}`, 'tries');
    expect(Number(tries)).toBe(100);
    expect((await login(member.phone, code)).status).toBe(400);
  });

  it('[AUTH-050] the fifth try still counts', async () => {
    const code = await api.codeFor(member.phone);
    for (let i = 0; i < 4; i += 1) await login(member.phone, wrongFor(code));
    expect((await login(member.phone, code)).status).toBe(200);
  });

  it('[AUTH-047] a new code makes the earlier one unusable', async () => {
    const first = await api.codeFor(member.phone);
    await api.service.foundation.redis.del(`otp:wait:${member.phone}`);
    const second = await api.codeFor(member.phone);
    expect((await login(member.phone, first)).status).toBe(400);
    expect((await login(member.phone, second)).status).toBe(200);
  });

  it('[AUTH-046] [AUTH-048] Redis holds no code in clear, for five minutes at most', async () => {
    const code = await api.codeFor(member.phone);
    const { redis } = api.service.foundation;
    const stored = await redis.hgetall(`otp:code:${member.phone}`);
    expect(JSON.stringify(stored)).not.toContain(code);
    expect(stored['digest']).toMatch(/^[0-9a-f]{64}$/);
    const ttl = await redis.pttl(`otp:code:${member.phone}`);
    expect(ttl).toBeGreaterThan(290_000);
    expect(ttl).toBeLessThanOrEqual(300_000);
    await redis.pexpire(`otp:code:${member.phone}`, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await login(member.phone, code)).status).toBe(400);
  });

  it('[AUTH-052] [AUTH-053] makes one wait 30 s, and refuses a fourth send within five minutes', async () => {
    const { redis } = api.service.foundation;
    expect((await sendOtp(member.phone)).body).toMatchObject({ resend_after_s: 30 });
    const early = await sendOtp(member.phone);
    expect(early.status).toBe(429);
    expect(early.body['detail']).toMatch(/wait \d+ seconds/);
    for (const expected of [200, 200, 429]) {
      await redis.del(`otp:wait:${member.phone}`);
      expect((await sendOtp(member.phone)).status).toBe(expected);
    }
  });

  it('[AUTH-056] [AUTH-058] gives an unknown number the same answer, and its phone a text that says how to register', async () => {
    const unknown = newPerson().phone;
    expect(await sendOtp(unknown)).toEqual(await sendOtp(member.phone));
    const text = api.texts.find((message) => message.phone === unknown)?.text ?? '';
    expect(text).toMatch(/register/i);
    expect(text).not.toMatch(/\b[0-9A-Z]{6}\b/);
  });

  it('answers 503 when no text can be sent, and lets one try again at once', async () => {
    api.sms.down = true;
    const failed = await sendOtp(member.phone);
    expect(failed.status).toBe(503);
    expect(JSON.stringify(failed.body)).not.toContain(member.phone.slice(3));
    api.sms.down = false;
    expect((await sendOtp(member.phone)).status).toBe(200);
  });
});

describe('[AUTH-054] caps', () => {
  it('hold per address and over all', async () => {
    for (const [name, env] of [
      ['auth-cap-ip', { OTP_IP_PER_HOUR: '3' }],
      ['auth-cap-all', { OTP_TOTAL_PER_HOUR: '3' }],
    ] as const) {
      const capped = await startApi(name, env);
      try {
        const statuses = [];
        for (let i = 0; i < 4; i += 1) {
          statuses.push(
            (await capped.json('POST', '/auth/send-otp', { phone_no: newPerson().phone })).status,
          );
        }
        expect(statuses).toEqual([200, 200, 200, 429]);
      } finally {
        await capped.stop();
      }
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

  it('a Redis that comes back with a copy from before the logout grants nothing', async () => {
    const { headers, token } = await api.signIn(member.phone);
    const { redis, db } = api.service.foundation;
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      sid: string;
    };
    // What a logout leaves while Redis is away: the record says revoked, the copy still says active.
    await db.updateTable('sessions').set({ revoked_at: new Date() }).where('id', '=', sid).execute();
    expect(await redis.get(`session:${sid}`)).toBe('active');
    redis.disconnect(true);
    for (
      let i = 0;
      i < 100 && (await redis.get(`session:${sid}`).catch(() => 'away')) !== 'revoked';
      i += 1
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await redis.get(`session:${sid}`)).toBe('revoked');
    expect((await api.json('GET', '/users/profile', undefined, headers)).status).toBe(401);
  });

  it('[AUTH-063] [AUTH-044] refuses tokens that are malformed or forged', async () => {
    const { token } = await api.signIn(member.phone);
    const [head, claims] = token.split('.');
    for (const bad of ['', 'x', `${token}x`, `${head}.${claims}.`, await api.world.issuer.user()]) {
      const answer = await api.json('GET', '/users/profile', undefined, { authorization: `Bearer ${bad}` });
      expect(answer.status).toBe(401);
      expect(answer.body).toHaveProperty('detail');
    }
  });
});

describe('admins', () => {
  it('[ADMIN-014] [ADMIN-015] [ADMIN-016] [ADMIN-031] [ADMIN-032] [ADMIN-033] sign in by password on their own audience', async () => {
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
        expect(await adminLogin(wrong)).toMatchObject({
          status: 401,
          body: { detail: 'Invalid admin credentials' },
        });
      }
      expect((await adminLogin({ username: 'admin' })).status).toBe(422);
      for (let i = 0; i < 3; i += 1) await adminLogin({ ...right, password: 'x' });
      expect((await adminLogin(right)).status).toBe(429);
    } finally {
      await seeded.stop();
    }
  });
});
