import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTokenIssuer, type TokenIssuer } from '@karaar/testing/people/tokens';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { createJwksCache } from './index.ts';

describe('createJwksCache', () => {
  let tokens: TokenIssuer;
  let clock: number;
  const cache = () =>
    createJwksCache({
      url: tokens.jwksUrl,
      freshMs: 60_000,
      staleMs: 600_000,
      cooldownMs: 5_000,
      now: () => clock,
    });

  beforeEach(async () => {
    clock = 1_000_000;
    tokens = await startTokenIssuer();
  });
  afterEach(() => tokens.stop());

  it('fetches the keys once for many concurrent tokens', async () => {
    const { getKey } = cache();
    const token = await tokens.user();
    await Promise.all(Array.from({ length: 20 }, () => jwtVerify(token, getKey)));
    expect(tokens.fetches()).toBe(1);
  });

  it('loads the keys before the first token, which then does not depend on the endpoint', async () => {
    const { getKey } = cache();
    while (tokens.fetches() < 1) await sleep(5);
    tokens.setDown(true);
    await jwtVerify(await tokens.user(), getKey);
  });

  it('tries a second time before it answers 503', async () => {
    let asked = 0;
    const server = createServer((_req, res) => {
      asked += 1;
      if (asked === 1) res.destroy();
      else void fetch(tokens.jwksUrl).then(async (answer) => res.end(await answer.text()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { getKey } = createJwksCache({ url: `http://127.0.0.1:${port}/` });
    await jwtVerify(await tokens.user(), getKey);
    server.closeAllConnections();
    server.close();
  });

  it('renews old keys in the background and keeps using them while the endpoint is down', async () => {
    const { getKey } = cache();
    const token = await tokens.user();
    await jwtVerify(token, getKey);
    tokens.setDown(true);
    clock += 61_000;
    await jwtVerify(token, getKey);
    while (tokens.fetches() < 2) await sleep(5);
    await jwtVerify(token, getKey);
    clock += 540_000;
    await expect(jwtVerify(token, getKey)).rejects.toMatchObject({ status: 503 });
  });

  it('finds a rotated key at once', async () => {
    const { getKey } = cache();
    await jwtVerify(await tokens.user(), getKey);
    await tokens.rotate();
    clock += 5_001;
    await jwtVerify(await tokens.user(), getKey);
    expect(tokens.fetches()).toBe(2);
  });

  it('does not fetch the keys for every unknown key id', async () => {
    const { getKey } = cache();
    await jwtVerify(await tokens.user(), getKey);
    clock += 5_001;
    const unknown = await startTokenIssuer();
    const foreign = await unknown.user();
    expect(decodeProtectedHeader(foreign).kid).toBeDefined();
    for (let i = 0; i < 10; i++)
      await expect(jwtVerify(foreign, getKey)).rejects.toThrow('no applicable key');
    await unknown.stop();
    expect(tokens.fetches()).toBe(2);
  });

  it('answers 503 while it has never had keys, and works once the endpoint has them', async () => {
    tokens.setDown(true);
    const { getKey } = cache();
    const token = await tokens.user();
    await expect(jwtVerify(token, getKey)).rejects.toMatchObject({ status: 503, code: 'auth_unavailable' });
    tokens.setDown(false);
    await jwtVerify(token, getKey);
  });

  it.each([
    ['no keys', '{"keys":[]}'],
    ['no JSON', '<html>'],
    ['a private key', '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}]}'],
    ['far too much', `{"keys":[{"kty":"${'x'.repeat(100_000)}"}]}`],
  ])('rejects %s as a key set', async (_what, body) => {
    const server = createServer((_req, res) => res.end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { getKey } = createJwksCache({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    });
    await expect(jwtVerify(await tokens.user(), getKey)).rejects.toMatchObject({ status: 503 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
