/** Everybody who might call: real tokens of the product's own key, and every kind of false one. */
import { createHash, createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { databaseUrl } from '../database.ts';

/** A running product, seen from inside as well. */
export type Inside = {
  /** Address of the gateway. */
  url: string;
  /** The cluster's administrator. */
  postgresUrl: string;
  /** Where it keeps its secrets. */
  stateDir: string;
  /** Each process by name, past the gateway. */
  services: Readonly<Record<string, string>>;
};

export type Claims = { userId: string; charId?: string; role?: string; audience: 'user' | 'admin' };

export type Identities = {
  /** A token with an open session of its own: a call that ends it ends no other. */
  token: (claims: Claims) => Promise<string>;
  /** None of them identifies a user: 401 everywhere. */
  nobodies: (claims: Claims) => Promise<Record<string, string | undefined>>;
  stop: () => Promise<void>;
};

export async function openIdentities(product: Inside): Promise<Identities> {
  const secret = await readFile(join(product.stateDir, 'secrets', 'token-signing-key'), 'utf8');
  const key = createPrivateKey({ key: Buffer.from(secret.trim(), 'base64'), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const kid = createHash('sha256').update(spki).digest('hex').slice(0, 16);
  const stranger = await generateKeyPair('EdDSA');
  const db = new pg.Pool({ connectionString: databaseUrl(product.postgresUrl, 'auth'), max: 4 });

  const session = async (claims: Claims, state: { revoked?: boolean } = {}): Promise<string> => {
    const id = randomUUID();
    await db.query(
      `INSERT INTO sessions (id, subject_id, audience, expires_at, revoked_at)
       VALUES ($1, $2, $3, now() + interval '1 hour', $4)`,
      [id, claims.userId, claims.audience, state.revoked ? new Date() : null],
    );
    return id;
  };
  const sign = (
    claims: Claims,
    sid: string,
    options: { by?: CryptoKey; issuer?: string; expires?: string | number } = {},
  ): Promise<string> =>
    new SignJWT({
      sid,
      ...(claims.charId ? { char_id: claims.charId } : {}),
      ...(claims.role ? { role: claims.role } : {}),
    })
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setIssuer(options.issuer ?? 'karaar')
      .setAudience(`karaar:${claims.audience}`)
      .setSubject(claims.userId)
      .setIssuedAt()
      .setExpirationTime(options.expires ?? '1h')
      .sign(options.by ?? key);

  const token = async (claims: Claims) => sign(claims, await session(claims));
  return {
    token,
    nobodies: async (claims) => {
      const live = await session(claims);
      const good = await sign(claims, live);
      const [, payload] = good.split('.');
      const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url');
      return {
        anonymous: undefined,
        forged: await sign(claims, live, { by: stranger.privateKey }),
        expired: await sign(claims, live, { expires: Math.floor(Date.now() / 1_000) - 60 }),
        revoked: await sign(claims, await session(claims, { revoked: true })),
        'foreign issuer': await sign(claims, live, { issuer: 'somebody-else' }),
        'alg: none': `${none}.${payload}.`,
        'without a session': await sign(claims, randomUUID()),
      };
    },
    stop: () => db.end(),
  };
}
