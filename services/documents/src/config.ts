import { MiB } from '@karaar/contracts/kit';
import { RAW_FILE_MAX_BYTES, RAW_FILES_TOTAL_BYTES } from '@karaar/contracts/limits';
import { blobEnv, janitorEnv } from '@karaar/storage/blobs';
import { loadConfig, refuseExposed, refuseInProduction } from '@karaar/base/config';
import { serviceSecretsRule, ServiceSecrets } from '@karaar/http/service-credentials';
import { serviceEnv } from '@karaar/service';
import { smsEnv, smsExposedRule, smsProductionRules } from '@karaar/sms';
import { Type, type Static } from 'typebox';

const DEVELOPMENT_ORIGIN = 'karaar.localhost/log';

/** The source of the sealing key. */
export const SealConfig = Type.Object({
  /**
   * The sealing key as PKCS#12 in base64, and its password. Without a key, the service creates a development
   * key in STATE_DIR.
   */
  SEAL_P12: Type.Optional(Type.String({ minLength: 1 })),
  /** The same key as a file, such as a mounted secret. */
  SEAL_P12_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SEAL_P12_PASSWORD: Type.String({ default: '' }),
  /** The sealing key on a device: the vendor's PKCS#11 library, the token's label, the key's id (hex) and the PIN. */
  SEAL_PKCS11_MODULE: Type.Optional(Type.String({ minLength: 1 })),
  SEAL_PKCS11_TOKEN: Type.String({ default: '' }),
  SEAL_PKCS11_KEY_ID: Type.String({ pattern: '^([0-9a-fA-F]{2})*$', default: '' }),
  SEAL_PKCS11_PIN: Type.String({ default: '' }),
  /** OpenSC's pkcs11-tool, and the environment variables that the tool and the library need: `NAME=value` each. */
  SEAL_PKCS11_TOOL: Type.String({ minLength: 1, default: 'pkcs11-tool' }),
  SEAL_PKCS11_ENV: Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*=' }), { default: [] }),
  /** PEM of the key's certificate chain, its own certificate first. */
  SEAL_CERTIFICATES_FILE: Type.Optional(Type.String({ minLength: 1 })),
});
export type SealConfig = Readonly<Static<typeof SealConfig>>;

export const Config = Type.Object({
  ...serviceEnv,
  ...blobEnv,
  ...janitorEnv,
  ...smsEnv,
  /** The internal port of vision, which checks photos, and our credentials there: requests carry the first one. */
  VISION_INTERNAL_URL: Type.String({ pattern: '^https?://' }),
  DOCUMENTS_TO_VISION_SECRETS: ServiceSecrets,
  /** Credentials of the services that print statements and receipts; each has two during a rotation. */
  PAYMENTS_TO_DOCUMENTS_SECRETS: ServiceSecrets,
  WALLET_TO_DOCUMENTS_SECRETS: ServiceSecrets,
  /** The public address of Karaar, in the QR code of the certificate. */
  PUBLIC_URL: Type.String({ pattern: '^https?://' }),
  /** The converter reads uploads and prints pages. It needs no credential, since it stores no data. */
  CONVERTER_URL: Type.String({ pattern: '^https?://' }),
  /** Temporary files of a document while its final PDF is made; every job removes its own. */
  WORK_DIR: Type.String({ minLength: 1 }),
  ...SealConfig.properties,
  STATE_DIR: Type.String({ minLength: 1 }),
  /** RFC 3161 timestamp authorities, tried in order. Without one the seal is PAdES B-B and says so. */
  TSA_URLS: Type.Array(Type.String({ pattern: '^https?://' }), { default: [] }),
  /** Certificates (PEM) of the trusted timestamp authorities; required with TSA_URLS. */
  TSA_ROOTS: Type.String({ default: '' }),
  /** The permanent name of the transparency log: host and path without a scheme, as C2SP specifies. */
  LOG_ORIGIN: Type.String({ pattern: '^[^\\s+]+$', default: DEVELOPMENT_ORIGIN }),
  /** Ed25519 key that signs checkpoints, PKCS#8 in base64. Without it, the service creates one in STATE_DIR. */
  LOG_KEY: Type.Optional(Type.String({ minLength: 1 })),
  /** The witnesses: `name+id+key https://…` each, with the ML-DSA-44 key of a witness that has one in between. */
  LOG_WITNESSES: Type.Array(Type.String({ pattern: '^\\S+ (\\S+ )?https?://\\S+$' }), { default: [] }),
  /** How many witnesses must cosign a checkpoint; must be a majority. Default: the smallest majority. */
  LOG_QUORUM: Type.Optional(Type.Integer({ minimum: 1 })),
  FILE_LINK_TTL_S: Type.Integer({ minimum: 10, default: 900 }),
  /** The largest size of one raw file, and of all files of a document. The limits of the contract are the maximum. */
  UPLOAD_FILE_MAX_MB: Type.Integer({
    minimum: 1,
    maximum: RAW_FILE_MAX_BYTES / MiB,
    default: RAW_FILE_MAX_BYTES / MiB,
  }),
  UPLOAD_TOTAL_MAX_MB: Type.Integer({
    minimum: 1,
    maximum: RAW_FILES_TOTAL_BYTES / MiB,
    default: RAW_FILES_TOTAL_BYTES / MiB,
  }),
  /** Milliseconds after which a file gives its place to the next one if another slow file is being checked. */
  UPLOAD_SLOT_MS: Type.Integer({ minimum: 100, default: 60_000 }),
  /** The days before a document's start on which parties who have not approved are reminded. */
  REMINDER_DAYS_BEFORE_START: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), { default: [3, 1] }),
  /** The days after an invitation or admission on which parties who have not answered are reminded. */
  REMINDER_DAYS_AFTER_INVITATION: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), { default: [3, 7] }),
  /** The role that may set the daily rate. Default: admins in production, all users in development (spec §6). */
  PRICE_SET_BY: Type.Optional(Type.Union([Type.Literal('admins'), Type.Literal('users')])),
  /** How many people one user may invite in 24 hours; a user who tries more is reported to the admins. */
  INVITATIONS_PER_USER_AND_DAY: Type.Integer({ minimum: 1, default: 100 }),
  /**
   * Hours until a further passkey can confirm acts, and until a person whose last passkey was removed needs
   * no confirmation (docs/adr/0085).
   */
  STEP_UP_WAIT_HOURS: Type.Integer({ minimum: 1, maximum: 720, default: 72 }),
  /** Text messages that one user may cause in 24 hours. */
  TEXT_MESSAGES_PER_SENDER_AND_DAY: Type.Integer({ minimum: 0, default: 100 }),
  /** Text messages about documents that one user gets in 24 hours, from all senders together. */
  TEXTS_PER_RECEIVER_AND_DAY: Type.Integer({ minimum: 0, default: 10 }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Returns true if the configuration lets users set the price; admins can still switch it off. */
export const usersMaySetPrice = ({
  NODE_ENV,
  PRICE_SET_BY,
}: Pick<Config, 'NODE_ENV' | 'PRICE_SET_BY'>): boolean =>
  (PRICE_SET_BY ?? (NODE_ENV === 'production' ? 'admins' : 'users')) === 'users';

/**
 * Reads the configuration from the environment.
 *
 * @throws ConfigError with all invalid variables; in production also for the seal and the credentials of
 * development
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = loadConfig(Config, env);
  refuseInProduction(config, [
    {
      name: 'SEAL_P12',
      refuse: (p12, { SEAL_P12_FILE, SEAL_PKCS11_MODULE }) =>
        p12 === undefined && SEAL_P12_FILE === undefined && SEAL_PKCS11_MODULE === undefined,
      because: 'must hold the sealing key',
    },
    {
      name: 'SEAL_PKCS11_MODULE',
      refuse: (module, { SEAL_PKCS11_TOKEN, SEAL_PKCS11_KEY_ID, SEAL_CERTIFICATES_FILE }) =>
        module !== undefined && (!SEAL_PKCS11_TOKEN || !SEAL_PKCS11_KEY_ID || !SEAL_CERTIFICATES_FILE),
      because: 'needs SEAL_PKCS11_TOKEN, SEAL_PKCS11_KEY_ID and SEAL_CERTIFICATES_FILE',
    },
    { name: 'LOG_KEY', refuse: (key) => key === undefined, because: "must hold the log's key" },
    {
      name: 'LOG_ORIGIN',
      refuse: (name) => name === DEVELOPMENT_ORIGIN,
      because: "must be the log's own name",
    },
    ...smsProductionRules<Config>(),
    {
      name: 'TSA_ROOTS',
      refuse: (pem, { TSA_URLS }) => TSA_URLS.length > 0 && pem === '',
      because: 'must hold the certificates of the timestamp authorities',
    },
    serviceSecretsRule<Config>('DOCUMENTS_TO_VISION_SECRETS'),
    serviceSecretsRule<Config>('PAYMENTS_TO_DOCUMENTS_SECRETS'),
    serviceSecretsRule<Config>('WALLET_TO_DOCUMENTS_SECRETS'),
    { name: 'PUBLIC_URL', refuse: (url) => !String(url).startsWith('https://'), because: 'must be https' },
  ]);
  refuseExposed(config, [smsExposedRule<Config>()]);
  return config;
}
