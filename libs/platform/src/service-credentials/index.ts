/**
 * The credentials by which services call each other: a secret per caller and callee, a bearer token (RFC 6750)
 * that both processes are given (docs/adr/0042).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { ConfigError, type ProductionRule } from '../config/index.ts';

/** Secrets that development makes begin with this; production refuses them. */
export const DEVELOPMENT_PREFIX = 'dev-';

/**
 * The value of a `<CALLER>_TO_<CALLEE>_SECRETS`: one secret, or two while it is being changed. The caller sends the
 * first, the callee takes each.
 */
export const ServiceSecrets = Type.Array(
  Type.String({
    pattern: '^[A-Za-z0-9._~+/-]{32,}=*$',
    errorMessage: 'must have at least 32 letters, digits or signs of -._~+/',
  }),
  { minItems: 1, maxItems: 2 },
);
export type ServiceSecrets = Static<typeof ServiceSecrets>;

/** The rule for `refuseInProduction` that keeps secrets of development out. */
export const serviceSecretsRule = <C>(name: keyof C & string): ProductionRule<C> => ({
  name,
  refuse: (secrets) => (secrets as ServiceSecrets).some((secret) => secret.startsWith(DEVELOPMENT_PREFIX)),
  because: 'holds a secret of development; set an own one',
});

/** The header by which a caller shows that it is the caller. */
export const credential = ([current = '']: ServiceSecrets): { authorization: string } => ({
  authorization: `Bearer ${current}`,
});

/** Secrets that a service takes, by the name of the caller. */
export type CallerSecrets = Readonly<Record<string, ServiceSecrets>>;

const BEARER = /^Bearer +(\S+)$/i;
const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The bearer token of a header; undefined when it holds none. */
export const bearerCredential = (authorization: string | undefined): string | undefined =>
  BEARER.exec(authorization ?? '')?.[1];

/**
 * Returns a function that finds the caller whose credential a token is. Every known secret is compared, each in
 * constant time, so that the time of an answer tells nothing about any of them.
 * @throws ConfigError when two callers have the same secret: they could not be told apart
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
    const given = digest(token);
    let found: string | undefined;
    for (const { caller, digest: own } of known) if (timingSafeEqual(own, given)) found = caller;
    return found;
  };
}
