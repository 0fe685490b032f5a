/** Tokens signed with the product's own key, and invalid ones of every kind. */
import { createHash, createPrivateKey, createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { databaseUrl } from '../database.ts';

export type Inside = {
  url: string;
  /** For the administrator of the database cluster. */
  postgresUrl: string;
  /** The folder of its data, secrets and logs. */
  stateDir: string;
  /** The address of each process by name, past the gateway. */
  services: Readonly<Record<string, string>>;
};

export type Claims = { userId: string; charId?: string; role?: string; audience: 'user' | 'admin' };

export type Identities = Awaited<ReturnType<typeof openIdentities>>;

export async function openIdentities(product: Inside) {
  const secret = await readFile(join(product.stateDir, 'secrets', 'token-signing-key'), 'utf8');
  const key = createPrivateKey({ key: Buffer.from(secret.trim(), 'base64'), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const kid = createHash('sha256').update(spki).digest('hex').slice(0, 16);
  const foreign = await generateKeyPair('EdDSA');
  const db = new pg.Pool({ connectionString: databaseUrl(product.postgresUrl, 'auth'), max: 4 });

  const session = async ({ userId, audience }: Claims, revokedAt: Date | null = null): Promise<string> => {
    const id = randomUUID();
    await db.query(
      `INSERT INTO sessions (id, subject_id, audience, expires_at, revoked_at)
       VALUES ($1, $2, $3, now() + interval '1 hour', $4)`,
      [id, userId, audience, revokedAt],
    );
    return id;
  };
  const sign = (
    { userId, charId, role, audience }: Claims,
    sid: string,
    options: { by?: CryptoKey | KeyObject; issuer?: string; expires?: string | number } = {},
  ): Promise<string> =>
    new SignJWT({ sid, ...(charId ? { char_id: charId } : {}), ...(role ? { role } : {}) })
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setIssuer(options.issuer ?? 'karaar')
      .setAudience(`karaar:${audience}`)
      .setSubject(userId)
      .setIssuedAt()
      .setExpirationTime(options.expires ?? '1h')
      .sign(options.by ?? key);

  return {
    /** Returns a token with a new session, so that a call that ends it ends no other. */
    token: async (claims: Claims): Promise<string> => sign(claims, await session(claims)),
    /** Returns tokens by name that must get 401 everywhere. */
    nobodies: async (claims: Claims): Promise<Record<string, string | undefined>> => {
      const live = await session(claims);
      const [, payload] = (await sign(claims, live)).split('.');
      const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url');
      return {
        anonymous: undefined,
        forged: await sign(claims, live, { by: foreign.privateKey }),
        expired: await sign(claims, live, { expires: Math.floor(Date.now() / 1_000) - 60 }),
        revoked: await sign(claims, await session(claims, new Date())),
        'foreign issuer': await sign(claims, live, { issuer: 'another-issuer' }),
        'alg: none': `${none}.${payload}.`,
        'without a session': await sign(claims, randomUUID()),
      };
    },
    stop: () => db.end(),
  };
}
