import { randomUUID } from 'node:crypto';
import { startTokenIssuer, type TokenIssuer } from '@karaar/testing/people/tokens';
import { UnsecuredJWT } from 'jose';
import { ownRedis, type OwnRedis } from '@karaar/testing/servers/own-redis';
import { unavailable } from '@karaar/base/errors';
import { createLogger } from '@karaar/observability/logging';
import { createRedis, redisReady, type Redis } from '@karaar/storage/redis';
import { createTokenVerifier, sessionKey, type TokenVerifier } from './index.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('createTokenVerifier', () => {
  let server: OwnRedis;
  let redis: Redis;
  let tokens: TokenIssuer;
  let verifier: TokenVerifier;
  /** The answer of the auth service, which is asked only when Redis does not know the session. */
  let authService: (sessionId: string) => Promise<boolean>;
  let asked: string[];

  beforeAll(async () => {
    [server, tokens] = await Promise.all([ownRedis(), startTokenIssuer()]);
    await server.start();
    redis = createRedis({ url: server.url, name: 'test', logger });
    await redisReady(redis);
  });
  afterAll(async () => {
    redis.disconnect();
    await Promise.all([server.kill(), tokens.stop()]);
  });
  beforeEach(() => {
    asked = [];
    authService = async () => false;
    verifier = createTokenVerifier({
      jwksUrl: tokens.jwksUrl,
      redis,
      logger,
      sessionStatus: async ({ session_id }) => {
        asked.push(session_id);
        return { active: await authService(session_id) };
      },
    });
  });

  async function activeSession() {
    const sessionId = randomUUID();
    await redis.set(sessionKey(sessionId), 'active', 'EX', 60);
    return sessionId;
  }

  it('returns the principal of a user', async () => {
    const sessionId = await activeSession();
    const token = await tokens.user({ userId: 'u1', sessionId, charId: 'WXYZ2345' });
    expect(await verifier.verify(token)).toEqual({
      userId: 'u1',
      sessionId,
      charId: 'WXYZ2345',
      audience: 'user',
    });
    expect(asked).toEqual([]);
  });

  it('returns the principal of an admin with the role', async () => {
    const sessionId = await activeSession();
    const token = await tokens.admin({ userId: 'a1', sessionId, role: 'support' });
    expect(await verifier.verify(token)).toEqual({
      userId: 'a1',
      sessionId,
      charId: '',
      audience: 'admin',
      role: 'support',
    });
  });

  it('gives a user no role, whatever the token claims', async () => {
    const sessionId = await activeSession();
    const token = await tokens.sign({ sub: 'u1', sid: sessionId, char_id: 'WXYZ2345', role: 'admin' });
    expect(await verifier.verify(token)).not.toHaveProperty('role');
  });

  it('rejects an expired token with its own error code', async () => {
    const token = await tokens.expired({ sessionId: await activeSession() });
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 401, code: 'session_expired' });
  });

  it('rejects forged, foreign, incomplete and malformed tokens', async () => {
    const sid = await activeSession();
    const complete = { sub: 'u1', sid, char_id: 'WXYZ2345' };
    const good = await tokens.user({ sessionId: sid });
    const [head = '', body = '', signature = ''] = good.split('.');
    const other = Buffer.from(
      JSON.stringify({ ...complete, iss: 'karaar', aud: 'karaar:admin', exp: 9e9, iat: 1 }),
    );
    const unsigned = new UnsecuredJWT(complete)
      .setIssuer('karaar')
      .setAudience('karaar:user')
      .setExpirationTime('1h');
    const bad = {
      forged: await tokens.forged({ sessionId: sid }),
      foreign: await tokens.foreign({ sessionId: sid }),
      'of another audience': await tokens.sign(complete, { audience: 'karaar:other' }),
      'without a session': await tokens.sign({ sub: 'u1', char_id: 'WXYZ2345' }),
      'without a subject': await tokens.sign({ sid, char_id: 'WXYZ2345' }),
      'of a user without char_id': await tokens.sign({ sub: 'u1', sid }),
      'with two audiences': await tokens.sign(complete, { audience: ['karaar:user', 'karaar:admin'] }),
      'with another body': `${head}.${other.toString('base64url')}.${signature}`,
      'without a signature': `${head}.${body}.`,
      unsigned: unsigned.encode(),
      empty: '',
      malformed: 'a.b.c',
      huge: `${'a'.repeat(5_000)}.b.c`,
    };
    for (const [what, token] of Object.entries(bad)) {
      const outcome = await verifier.verify(token).then(
        () => 'taken',
        (err: unknown) => err,
      );
      expect({ what, outcome }).toEqual({
        what,
        outcome: expect.objectContaining({ status: 401, code: 'invalid_token' }),
      });
    }
  });

  it('rejects a revoked session within a second of the revocation', async () => {
    const sessionId = await activeSession();
    const token = await tokens.user({ sessionId });
    await verifier.verify(token);
    await redis.set(sessionKey(sessionId), 'revoked');
    await sleep(900);
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 401, code: 'session_revoked' });
    expect(asked).toEqual([]);
  });

  it('recalls a token that it has just verified, only for as long as its session check is valid', async () => {
    const sessionId = await activeSession();
    const token = await tokens.user({ sessionId });
    expect(verifier.recall?.(token)).toBeUndefined();
    const principal = await verifier.verify(token);
    expect(verifier.recall?.(token)).toEqual(principal);
    expect(verifier.recall?.(await tokens.forged({ sessionId }))).toBeUndefined();
    await sleep(900);
    expect(verifier.recall?.(token)).toBeUndefined();
  });

  it('asks the auth service about a session that Redis does not know', async () => {
    const sessionId = randomUUID();
    const token = await tokens.user({ sessionId });
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 401 });
    authService = async () => true;
    await verifier.verify(token);
    expect(asked).toEqual([sessionId, sessionId]);
  });

  it('sends one request for many concurrent calls', async () => {
    authService = () => sleep(20).then(() => true);
    const token = await tokens.user();
    await Promise.all(Array.from({ length: 50 }, () => verifier.verify(token)));
    expect(asked).toHaveLength(1);
  });

  it('trusts a session state that another reader of Redis reports for 800 ms, then asks again', async () => {
    const sessionId = randomUUID();
    const token = await tokens.user({ sessionId });
    verifier.noteActive?.(sessionId, performance.now());
    await verifier.verify(token);
    expect(asked).toEqual([]);
    // An older answer does not extend the known period, and an expired one has no effect.
    verifier.noteActive?.(sessionId, performance.now() - 700);
    await sleep(850);
    verifier.noteActive?.(sessionId, performance.now() - 850);
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 401, code: 'session_revoked' });
    expect(asked).toEqual([sessionId]);
  });

  it('grants no access when Redis is lost: the auth service decides, and without it the answer is 503', async () => {
    const [live, dead] = [await activeSession(), randomUUID()];
    const [liveToken, deadToken] = [
      await tokens.user({ sessionId: live }),
      await tokens.user({ sessionId: dead }),
    ];
    await server.kill();
    authService = async (sessionId) => sessionId === live;
    await verifier.verify(liveToken);
    await expect(verifier.verify(deadToken)).rejects.toMatchObject({ status: 401 });

    authService = () => Promise.reject(unavailable('no_responders', 'auth is down'));
    await sleep(900);
    await expect(verifier.verify(liveToken)).rejects.toMatchObject({ status: 503, code: 'auth_unavailable' });
    await expect(verifier.verify(deadToken)).rejects.toMatchObject({ status: 503 });

    await server.start();
    await redisReady(redis, 10_000);
  });

  it('does not keep a verified token beyond its expiry', async () => {
    const sessionId = await activeSession();
    const token = await tokens.sign(
      { sub: 'u1', sid: sessionId, char_id: 'WXYZ2345' },
      { expires: Math.floor(Date.now() / 1000) - 3 },
    );
    // Accepted within the clock tolerance, rejected two seconds later.
    await verifier.verify(token);
    await sleep(2_500);
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 401, code: 'session_expired' });
  });
});
