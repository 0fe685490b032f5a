/**
 * Ed25519 keys of the access tokens, stored encrypted in Postgres. The newest key signs. A replaced key still
 * verifies until its last token has expired, so that a rotation does not sign users out.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { inTransaction } from '@karaar/db';
import { exportJWK, SignJWT, type JWK } from 'jose';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { SecretBox } from '../../secret-box.ts';
import {
  deleteKey,
  insertKey,
  listLiveKeys,
  retireKeys,
  type SigningKeyRow,
} from './token-keys.repository.ts';
import { SESSION_MS } from './session-times.ts';

export type Claims = {
  subject: string;
  sessionId: string;
  audience: 'user' | 'admin';
  charId?: string;
  role?: string;
  issuedAt: Date;
  expiresAt: Date;
};

export type TokenKeys = {
  sign: (claims: Claims) => Promise<string>;
  jwks: () => Promise<{ keys: JWK[] }>;
  /**
   * Adds a key, which signs after ten seconds. `revokeOld` also invalidates all tokens of the old keys (for a
   * leaked key).
   */
  rotate: (options?: { revokeOld?: boolean }) => Promise<string>;
};

type Key = { kid: string; privateKey: KeyObject; jwk: JWK; createdAt: number; retired: boolean };

/** Milliseconds within which a rotation by another process is seen. */
const RELOAD_MS = 1_000;
/** All verifiers must have fetched a key before they see its first token (they refresh every 5 s at most). */
const PUBLISHED_MS = 10_000;
/**
 * Margin for clock differences, so that a key is deleted only when none of its tokens can be valid on any
 * host.
 */
const GRACE_MS = 5 * 60_000;

/**
 * @param imported base64 PKCS#8 DER, current key first: stored only while the database has no key
 * @throws on anything that is not an Ed25519 key
 */
export async function createTokenKeys(
  db: Db,
  box: SecretBox,
  imported: readonly string[] = [],
): Promise<TokenKeys> {
  let loaded: { at: number; keys: Promise<Key[]> } | undefined;

  const load = async (): Promise<Key[]> => {
    const rows = await listLiveKeys(db, SESSION_MS + GRACE_MS);
    return Promise.all(rows.map((row) => open(row, box.open(row.private_key, row.kid))));
  };
  const live = (): Promise<Key[]> => {
    if (!loaded || performance.now() - loaded.at > RELOAD_MS) {
      const keys = load();
      loaded = { at: performance.now(), keys };
      keys.catch(() => (loaded = undefined));
    }
    return loaded.keys;
  };

  await inTransaction(db, async (tx) => {
    // Of several processes that start together, one makes the first key.
    await sql`SELECT pg_advisory_xact_lock(hashtext('signing_keys'))`.execute(tx);
    if ((await listLiveKeys(tx, 0)).length > 0) return;
    const firsts = imported.length > 0 ? imported.map(fromBase64) : [newKey()];
    for (const [index, key] of firsts.entries()) {
      const kid = kidOf(key);
      await insertKey(tx, { kid, private_key: box.seal(toBase64(key), kid), retired: index > 0 });
    }
  });

  return {
    jwks: async () => ({ keys: (await live()).map((key) => key.jwk) }),
    sign: async (claims) => {
      const current = signerOf(await live());
      if (!current) throw new Error('There is no key to sign tokens with.');
      return new SignJWT({
        sid: claims.sessionId,
        ...(claims.charId ? { char_id: claims.charId } : {}),
        ...(claims.role ? { role: claims.role } : {}),
      })
        .setProtectedHeader({ alg: 'EdDSA', kid: current.kid })
        .setIssuer('karaar')
        .setAudience(`karaar:${claims.audience}`)
        .setSubject(claims.subject)
        .setIssuedAt(claims.issuedAt)
        .setExpirationTime(claims.expiresAt)
        .sign(current.privateKey);
    },
    rotate: async ({ revokeOld = false } = {}) => {
      const key = newKey();
      const kid = kidOf(key);
      await inTransaction(db, async (tx) => {
        await sql`SELECT pg_advisory_xact_lock(hashtext('signing_keys'))`.execute(tx);
        if (revokeOld)
          for (const old of await listLiveKeys(tx, SESSION_MS + GRACE_MS)) await deleteKey(tx, old.kid);
        else await retireKeys(tx);
        await insertKey(tx, { kid, private_key: box.seal(toBase64(key), kid), retired: false });
      });
      loaded = undefined;
      return kid;
    },
  };
}

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const toBase64 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'der' }).toString('base64');

function fromBase64(base64: string): KeyObject {
  const key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('TOKEN_SIGNING_KEY must hold Ed25519 keys');
  return key;
}

/** The name is a hash of the public key, so that a key has the same name everywhere. */
const kidOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(createPublicKey(key).export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16);

/** Returns the newest key that has been published for long enough; until there is one, the oldest key. */
function signerOf(keys: readonly Key[]): Key | undefined {
  const published = (key: Key) => Date.now() - key.createdAt >= PUBLISHED_MS;
  const longest = Math.min(...keys.map(({ createdAt }) => createdAt));
  return keys.find(published) ?? keys.find(({ createdAt }) => createdAt === longest);
}

async function open(row: SigningKeyRow, base64: string): Promise<Key> {
  const privateKey = fromBase64(base64);
  const { kid } = row;
  return {
    kid,
    createdAt: row.created_at.getTime(),
    retired: row.retired_at !== null,
    privateKey,
    jwk: { ...(await exportJWK(createPublicKey(privateKey))), kid, alg: 'EdDSA', use: 'sig' },
  };
}
