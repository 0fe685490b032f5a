import { blobEnv, janitorEnv } from '@karaar/platform/blobs';
import { loadConfig, refuseExposed, refuseInProduction } from '@karaar/platform/config';
import { serviceEnv } from '@karaar/platform/service';
import { smsEnv, smsExposedRule, smsProductionRules } from '@karaar/platform/sms';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  ...blobEnv,
  ...janitorEnv,
  ...smsEnv,
  /**
   * PKCS#8 Ed25519 keys, base64 DER, the current key first: imported at the first start. Without them a key is made.
   */
  TOKEN_SIGNING_KEY: Type.Array(Type.String({ minLength: 1 }), { default: [] }),
  /** At least 32 bytes, base64: keys for ID numbers and one-time codes are derived from it. */
  AUTH_SECRET: Type.String({ minLength: 43 }),
  /** Sends per hour from one address, and from all addresses together. */
  OTP_IP_PER_HOUR: Type.Integer({ minimum: 1, default: 60 }),
  OTP_TOTAL_PER_HOUR: Type.Integer({ minimum: 1, default: 10_000 }),
  REGISTER_IP_PER_HOUR: Type.Integer({ minimum: 1, default: 60 }),
  /** Searches of the directory by phone or e-mail, per user. */
  CONTACT_SEARCHES_PER_HOUR: Type.Integer({ minimum: 1, default: 120 }),
  /** Before an account gets another number without its present one. Longer than a session, so that a stolen one is not enough. */
  PHONE_MOVE_WAIT_HOURS: Type.Integer({ minimum: 24, maximum: 720, default: 72 }),
  /** The first admin, created at the first start when there is none; change the password afterwards. */
  FIRST_ADMIN_USERNAME: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  FIRST_ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 12, maxLength: 200 })),
  /** How often a link to an image works, in seconds. */
  FILE_LINK_TTL_S: Type.Integer({ minimum: 10, default: 900 }),
  /** Host of the web app, for the line by which a phone's browser fills the code in. */
  WEB_HOST: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9.-]+$' })),
  /** The public address of the web app. Passkeys belong to its host and are accepted from its pages only. */
  PUBLIC_URL: Type.String({ pattern: '^https?://' }),
  /**
   * required: an admin without a passkey adds one before signing in. optional: only admins who have a passkey sign in
   * with it. The default is required in production, and optional in development.
   */
  ADMIN_PASSKEYS: Type.Optional(Type.Enum(['optional', 'required'])),
  SEED_DEMO: Type.Boolean({ default: false }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Whether an admin without a passkey adds one before the first session. */
export const passkeysRequired = ({
  NODE_ENV,
  ADMIN_PASSKEYS,
}: Pick<Config, 'NODE_ENV' | 'ADMIN_PASSKEYS'>): boolean =>
  (ADMIN_PASSKEYS ?? (NODE_ENV === 'production' ? 'required' : 'optional')) === 'required';

/** Reads the environment once; lists every fault. Production refuses the sandbox and demo accounts, and so does any address but loopback. */
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
