/**
 * Service credentials: a secret per caller and callee, sent as a bearer token (RFC 6750) and configured in
 * both processes (docs/adr/0042).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { ConfigError, type ProductionRule } from '@karaar/base/config';

/** Prefix of development secrets, which production rejects. */
export const DEVELOPMENT_PREFIX = 'dev-';

/**
 * The value of a `<CALLER>_TO_<CALLEE>_SECRETS`: one secret, or two during a rotation. The caller sends the
 * first, the callee accepts both.
 */
export const ServiceSecrets = Type.Array(
  Type.String({
    pattern: '^[A-Za-z0-9._~+/-]{32,}=*$',
    errorMessage: 'must have at least 32 letters, digits or signs of -._~+/',
  }),
  { minItems: 1, maxItems: 2 },
);
export type ServiceSecrets = Static<typeof ServiceSecrets>;

/** Returns the rule for `refuseInProduction` that rejects development secrets. */
export const serviceSecretsRule = <C>(name: keyof C & string): ProductionRule<C> => ({
  name,
  refuse: (secrets) => (secrets as ServiceSecrets).some((secret) => secret.startsWith(DEVELOPMENT_PREFIX)),
  because: 'holds a secret of development; set an own one',
});

/** Returns the header that authenticates a caller. */
export const credential = ([current = '']: ServiceSecrets): { authorization: string } => ({
  authorization: `Bearer ${current}`,
});

export type CallerSecrets = Readonly<Record<string, ServiceSecrets>>;

const BEARER = /^Bearer +(\S+)$/i;
const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Returns the bearer token of a header; undefined if it has none. */
export const bearerCredential = (authorization: string | undefined): string | undefined =>
  BEARER.exec(authorization ?? '')?.[1];

/**
 * Returns a function that finds the caller of a token. It compares every known secret in constant time, so
 * that response times reveal nothing about them.
 * @throws ConfigError if two callers have the same secret, since they would be indistinguishable
 */
export function createCallers(secrets: CallerSecrets): (token: string) => string | undefined {
  const known = Object.entries(secrets).flatMap(([caller, own]) =>
    own.map((secret) => ({ caller, digest: digest(secret) })),
  );
  for (const one of known)
    if (known.some((other) => other.caller !== one.caller && other.digest.equals(one.digest)))
      throw new ConfigError([
        { name: `The secret of ${one.caller}`, problem: 'is also that of another caller' },
      ]);
  return (token) => {
    const tokenDigest = digest(token);
    let found: string | undefined;
    for (const { caller, digest: own } of known) if (timingSafeEqual(own, tokenDigest)) found = caller;
    return found;
  };
}
