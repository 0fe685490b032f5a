/**
 * Grants: JWTs (EdDSA) in which the service that owns the passkeys certifies that a user has confirmed one
 * action (docs/adr/0085).
 */
import type { KeyObject } from 'node:crypto';
import type { StepUpAct, StepUpStanding } from '@karaar/contracts/step-up';
import { actText, performerOf } from '@karaar/contracts/step-up-statement';
import { importJWK, jwtVerify, SignJWT, errors } from 'jose';

const ISSUER = 'karaar:documents';
const TYP = 'step-up+jwt';
const MAX_LENGTH = 2_048;

/** Lifetime of a grant in seconds; the client uses it at once. */
export const GRANT_TTL_S = 120;

export type GrantedAct = { userId: string; act: StepUpAct };

/**
 * Signs a grant for one action of one user.
 *
 * @param id id of the grant, which can be used once
 * @returns the compact JWT, and its expiry
 */
export async function signGrant(
  key: { kid: string; privateKey: KeyObject },
  { userId, act }: GrantedAct,
  id: string,
): Promise<{ grant: string; expiresAt: Date }> {
  const now = Math.floor(Date.now() / 1_000);
  const exp = now + GRANT_TTL_S;
  const grant = await new SignJWT({ act: actText(act) })
    .setProtectedHeader({ alg: 'EdDSA', typ: TYP, kid: key.kid })
    .setIssuer(ISSUER)
    .setAudience(performerOf(act))
    .setSubject(userId)
    .setJti(id)
    .setIssuedAt(now)
    .setExpirationTime(exp)
    .sign(key.privateKey);
  return { grant, expiresAt: new Date(exp * 1_000) };
}

/**
 * Returns the id and expiry of a grant that is valid now for exactly this action of this user; undefined for
 * any other text.
 */
export async function readGrant(
  keys: StepUpStanding['grant_keys'],
  grant: string,
  { userId, act }: GrantedAct,
): Promise<{ id: string; expiresAt: Date } | undefined> {
  if (grant.length > MAX_LENGTH) return undefined;
  try {
    const { payload } = await jwtVerify(
      grant,
      ({ kid }) => {
        const key = keys.find((known) => known.kid === kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return importJWK({ kty: 'OKP', crv: 'Ed25519', x: key.x }, 'EdDSA');
      },
      {
        algorithms: ['EdDSA'],
        typ: TYP,
        issuer: ISSUER,
        audience: performerOf(act),
        subject: userId,
        requiredClaims: ['jti', 'exp', 'act'],
      },
    );
    if (payload['act'] !== actText(act)) return undefined;
    return { id: String(payload.jti), expiresAt: new Date(Number(payload.exp) * 1_000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
