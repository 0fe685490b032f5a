/** Access tokens for tests of services: a key pair, its JWKS over real HTTP, and valid and invalid tokens. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';

export type Subject = {
  userId?: string;
  sessionId?: string;
  /** 8 characters; users only. */
  charId?: string;
  /** Admins only. */
  role?: string;
};

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
type Key = { kid: string; pair: KeyPair; jwk: JWK };

export type TokenIssuer = {
  /** The address of the public keys, as the auth service serves them. */
  jwksUrl: string;
  issuer: string;
  fetches(): number;
  user(subject?: Subject): Promise<string>;
  /** A valid token of an admin, a super-admin unless the subject has another role. */
  admin(subject?: Subject): Promise<string>;
  /** A valid signature, but expired since a minute. */
  expired(subject?: Subject): Promise<string>;
  /** Valid claims and key id, but signed with another key. */
  forged(subject?: Subject): Promise<string>;
  /** A valid signature, but another issuer's name. */
  foreign(subject?: Subject): Promise<string>;
  /** Any claims, with a valid signature. */
  sign(
    claims: JWTPayload,
    options?: { audience?: string | string[]; issuer?: string; expires?: string | number },
  ): Promise<string>;
  /** Rotates the key; `keepOld` still serves the old one. */
  rotate(options?: { keepOld?: boolean }): Promise<void>;
  /** Makes the JWKS endpoint answer 503, or work again. */
  setDown(down: boolean): void;
  stop(): Promise<void>;
};

async function newKey(): Promise<Key> {
  const pair = await generateKeyPair('EdDSA', { extractable: true });
  const kid = randomUUID();
  return { kid, pair, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: 'EdDSA', use: 'sig' } };
}

/** Returns the `Authorization` header of a token. */
export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

/** Starts a token issuer on a free loopback port. Stop it after the tests. */
export async function startTokenIssuer(options: { issuer?: string } = {}): Promise<TokenIssuer> {
  const issuer = options.issuer ?? 'karaar';
  let key = await newKey();
  const stranger = await newKey();
  let served = [key.jwk];
  let fetches = 0;
  let down = false;

  const server = createServer((_req, res) => {
    fetches += 1;
    res.writeHead(down ? 503 : 200, { 'content-type': 'application/json', connection: 'close' });
    res.end(JSON.stringify(down ? { detail: 'down', code: 'unavailable' } : { keys: served }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const signWith = (
    signer: Key,
    claims: JWTPayload,
    audience: string | string[],
    iss: string,
    expires: string | number,
  ) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
      .setIssuer(iss)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(signer.pair.privateKey);

  const userClaims = (subject: Subject = {}): JWTPayload => ({
    sub: subject.userId ?? randomUUID(),
    sid: subject.sessionId ?? randomUUID(),
    char_id: subject.charId ?? 'ABCD2345',
  });
  const adminClaims = (subject: Subject = {}): JWTPayload => ({
    sub: subject.userId ?? randomUUID(),
    sid: subject.sessionId ?? randomUUID(),
    role: subject.role ?? 'super-admin',
  });
  const aMinuteAgo = () => Math.floor(Date.now() / 1000) - 60;

  return {
    jwksUrl: `http://127.0.0.1:${port}/.well-known/jwks.json`,
    issuer,
    fetches: () => fetches,
    user: (subject) => signWith(key, userClaims(subject), 'karaar:user', issuer, '12h'),
    admin: (subject) => signWith(key, adminClaims(subject), 'karaar:admin', issuer, '12h'),
    expired: (subject) => signWith(key, userClaims(subject), 'karaar:user', issuer, aMinuteAgo()),
    forged: (subject) => signWith(stranger, userClaims(subject), 'karaar:user', issuer, '12h'),
    foreign: (subject) => signWith(key, userClaims(subject), 'karaar:user', `not-${issuer}`, '12h'),
    sign: (claims, { audience = 'karaar:user', issuer: iss = issuer, expires = '12h' } = {}) =>
      signWith(key, claims, audience, iss, expires),
    async rotate({ keepOld = false } = {}) {
      const old = key.jwk;
      key = await newKey();
      served = keepOld ? [old, key.jwk] : [key.jwk];
    },
    setDown(value) {
      down = value;
    },
    async stop() {
      await new Promise<void>((resolve, reject) => server.close((err) => (err ? reject(err) : resolve())));
    },
  };
}

/** Returns the session of an access token. */
export const sessionOf = ({ token }: { token: string }): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;
