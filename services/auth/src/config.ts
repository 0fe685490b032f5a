import { blobEnv, janitorEnv } from '@karaar/storage/blobs';
import { loadConfig, refuseExposed, refuseInProduction } from '@karaar/base/config';
import { serviceEnv } from '@karaar/service';
import { smsEnv, smsExposedRule, smsProductionRules } from '@karaar/sms';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  ...blobEnv,
  ...janitorEnv,
  ...smsEnv,
  /**
   * Base64 PKCS#8 DER of Ed25519 keys, the current key first; imported at the first start. Without them the
   * service makes a key.
   */
  TOKEN_SIGNING_KEY: Type.Array(Type.String({ minLength: 1 }), { default: [] }),
  /**
   * Base64 of at least 32 bytes. The keys for ID numbers, one-time codes and signing keys are derived from
   * it.
   */
  AUTH_SECRET: Type.String({ minLength: 43 }),
  /** Codes that one address may request per hour; the next variable limits all addresses together. */
  OTP_IP_PER_HOUR: Type.Integer({ minimum: 1, default: 60 }),
  OTP_TOTAL_PER_HOUR: Type.Integer({ minimum: 1, default: 10_000 }),
  REGISTER_IP_PER_HOUR: Type.Integer({ minimum: 1, default: 60 }),
  CONTACT_SEARCHES_PER_HOUR: Type.Integer({ minimum: 1, default: 120 }),
  /**
   * Waiting time before an account gets a new number without its present one. It is longer than a session, so
   * that a stolen session is not enough.
   */
  PHONE_MOVE_WAIT_HOURS: Type.Integer({ minimum: 24, maximum: 720, default: 72 }),
  /** The first admin, created at the first start if no admin exists. Change the password afterwards. */
  FIRST_ADMIN_USERNAME: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  FIRST_ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 12, maxLength: 200 })),
  FILE_LINK_TTL_S: Type.Integer({ minimum: 10, default: 900 }),
  /** Host of the web app, for the last line of the SMS from which the phone's browser fills in the code. */
  WEB_HOST: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9.-]+$' })),
  /** Public address of the web app. Passkeys belong to its host and are accepted only from its pages. */
  PUBLIC_URL: Type.String({ pattern: '^https?://' }),
  /**
   * required: an admin without a passkey adds one before signing in. optional: only admins who have a passkey
   * sign in with it. The default is required in production and optional in development.
   */
  ADMIN_PASSKEYS: Type.Optional(Type.Enum(['optional', 'required'])),
  SEED_DEMO: Type.Boolean({ default: false }),
});
export type Config = Readonly<Static<typeof Config>>;

export const passkeysRequired = ({
  NODE_ENV,
  ADMIN_PASSKEYS,
}: Pick<Config, 'NODE_ENV' | 'ADMIN_PASSKEYS'>): boolean =>
  (ADMIN_PASSKEYS ?? (NODE_ENV === 'production' ? 'required' : 'optional')) === 'required';

/**
 * Reads the environment once.
 * @throws an error that lists every wrong variable; in production, or on an address other than loopback, it
 * refuses the SMS sandbox and demo accounts
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = loadConfig(Config, env);
  refuseInProduction(config, [
    ...smsProductionRules<Config>(),
    { name: 'SEED_DEMO', refuse: (seed) => seed === true, because: 'makes accounts with known passwords' },
    { name: 'PUBLIC_URL', refuse: (url) => !String(url).startsWith('https://'), because: 'must be https' },
  ]);
  refuseExposed(config, [
    smsExposedRule<Config>(),
    { name: 'SEED_DEMO', when: (seed) => seed === true, because: 'makes accounts with known passwords' },
  ]);
  return config;
}
