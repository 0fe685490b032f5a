/** Ed25519 keys of the access tokens. The first signs; all verify, so that a key can be rotated. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { exportJWK, SignJWT, type JWK } from 'jose';

export type Claims = {
  subject: string;
  sessionId: string;
  audience: 'user' | 'admin';
  charId?: string;
  role?: string;
  expiresAt: Date;
};

export type TokenKeys = {
  sign: (claims: Claims) => Promise<string>;
  /** RFC 7517, public parts only. */
  jwks: { keys: JWK[] };
};

/** @param keys PKCS#8 DER in base64, current one first. Throws on anything that is no Ed25519 key. */
export async function createTokenKeys(keys: readonly string[]): Promise<TokenKeys> {
  const loaded = await Promise.all(keys.map(load));
  const [current] = loaded;
  if (!current) throw new Error('TOKEN_SIGNING_KEY holds no key');
  return {
    jwks: { keys: loaded.map((key) => key.jwk) },
    sign: (claims) =>
      new SignJWT({
        sid: claims.sessionId,
        ...(claims.charId ? { char_id: claims.charId } : {}),
        ...(claims.role ? { role: claims.role } : {}),
      })
        .setProtectedHeader({ alg: 'EdDSA', kid: current.kid })
        .setIssuer('karaar')
        .setAudience(`karaar:${claims.audience}`)
        .setSubject(claims.subject)
        .setIssuedAt()
        .setExpirationTime(claims.expiresAt)
        .sign(current.privateKey),
  };
}

async function load(base64: string) {
  const privateKey = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('TOKEN_SIGNING_KEY must hold Ed25519 keys');
  const publicKey = createPublicKey(privateKey);
  const kid = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16);
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' } };
}
