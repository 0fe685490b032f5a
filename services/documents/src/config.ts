import { MiB } from '@karaar/contracts/kit';
import { RAW_FILE_MAX_BYTES, RAW_FILES_TOTAL_BYTES } from '@karaar/contracts/limits';
import { blobEnv, janitorEnv } from '@karaar/platform/blobs';
import { loadConfig, refuseExposed, refuseInProduction } from '@karaar/platform/config';
import { serviceSecretsRule, ServiceSecrets } from '@karaar/platform/service-credentials';
import { serviceEnv } from '@karaar/platform/service';
import { smsEnv, smsExposedRule, smsProductionRules } from '@karaar/platform/sms';
import { Type, type Static } from 'typebox';

const DEVELOPMENT_ORIGIN = 'karaar.localhost/log';

export const Config = Type.Object({
  ...serviceEnv,
  ...blobEnv,
  ...janitorEnv,
  ...smsEnv,
  /** The internal port of vision, which checks photos, and our credentials there: the first one is sent. */
  VISION_INTERNAL_URL: Type.String({ pattern: '^https?://' }),
  DOCUMENTS_TO_VISION_SECRETS: ServiceSecrets,
  /** The credentials of the services that have statements and receipts printed; two each while one is being changed. */
  PAYMENTS_TO_DOCUMENTS_SECRETS: ServiceSecrets,
  WALLET_TO_DOCUMENTS_SECRETS: ServiceSecrets,
  /** The public address of Karaar, which the QR code of the certificate has. */
  PUBLIC_URL: Type.String({ pattern: '^https?://' }),
  /** The converter, which reads uploads and prints pages. It needs no credential, since it holds no data. */
  CONVERTER_URL: Type.String({ pattern: '^https?://' }),
  /** Files of a document while its final PDF is made; every job removes its own. */
  WORK_DIR: Type.String({ minLength: 1 }),
  /** PKCS#12 of the sealing key, base64, and its password. Without it a development key is made in STATE_DIR. */
  SEAL_P12: Type.Optional(Type.String({ minLength: 1 })),
  /** The same key as a file, such as a mounted secret. */
  SEAL_P12_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SEAL_P12_PASSWORD: Type.String({ default: '' }),
  /** The sealing key on a device instead: the maker's PKCS#11 library, the token's label, the key's id (hex), the PIN. */
  SEAL_PKCS11_MODULE: Type.Optional(Type.String({ minLength: 1 })),
  SEAL_PKCS11_TOKEN: Type.String({ default: '' }),
  SEAL_PKCS11_KEY_ID: Type.String({ pattern: '^([0-9a-fA-F]{2})*$', default: '' }),
  SEAL_PKCS11_PIN: Type.String({ default: '' }),
  /** OpenSC's pkcs11-tool, and what tool and library want in their environment: `NAME=value` each. */
  SEAL_PKCS11_TOOL: Type.String({ minLength: 1, default: 'pkcs11-tool' }),
  SEAL_PKCS11_ENV: Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*=' }), { default: [] }),
  /** PEM of that key's certificate and of those above it, its own first. */
  SEAL_CERTIFICATES_FILE: Type.Optional(Type.String({ minLength: 1 })),
  STATE_DIR: Type.String({ minLength: 1 }),
  /** RFC 3161 authorities, tried in order; with none the seal is PAdES B-B and says so. */
  TSA_URLS: Type.Array(Type.String({ pattern: '^https?://' }), { default: [] }),
  /** Certificates (PEM) of the trusted timestamp authorities; needed with TSA_URLS. */
  TSA_ROOTS: Type.String({ default: '' }),
  /** The transparency log's name, forever: host and path without a scheme, as C2SP writes it. */
  LOG_ORIGIN: Type.String({ pattern: '^[^\\s+]+$', default: DEVELOPMENT_ORIGIN }),
  /** Ed25519 key that signs checkpoints, PKCS#8 in base64. Without it one is made in STATE_DIR. */
  LOG_KEY: Type.Optional(Type.String({ minLength: 1 })),
  /** Who cosigns: `name+id+key https://…` each, with a key of ML-DSA-44 between the two where it has one. */
  LOG_WITNESSES: Type.Array(Type.String({ pattern: '^\\S+ (\\S+ )?https?://\\S+$' }), { default: [] }),
  /** How many of them have to cosign a checkpoint: a majority, the smallest one unless it is set. */
  LOG_QUORUM: Type.Optional(Type.Integer({ minimum: 1 })),
  /** How long a link to a file works, in seconds. */
  FILE_LINK_TTL_S: Type.Integer({ minimum: 10, default: 900 }),
  /** The largest size of one raw file, and of all files of a document; the contract's limits are the upper bound. */
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
  /** Milliseconds that a file is checked for before the place is given to the next one, if another takes long already. */
  UPLOAD_SLOT_MS: Type.Integer({ minimum: 100, default: 60_000 }),
  /** How many days before a document starts the parties who have not approved are reminded. */
  REMINDER_DAYS_BEFORE_START: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), { default: [3, 1] }),
  /** How many days after an invitation or admission the parties who have not answered are reminded. */
  REMINDER_DAYS_AFTER_INVITATION: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), { default: [3, 7] }),
  /** Who may set the daily rate; the default is admins only in production, and every user in development (spec §6). */
  PRICE_SET_BY: Type.Optional(Type.Union([Type.Literal('admins'), Type.Literal('users')])),
  /** How many people one user may invite in 24 hours; a user who tries more is reported to the admins. */
  INVITATIONS_PER_USER_AND_DAY: Type.Integer({ minimum: 1, default: 100 }),
  /**
   * Hours after which a further passkey confirms acts, and after which a person whose last one was removed does without
   * (docs/adr/0085).
   */
  STEP_UP_WAIT_HOURS: Type.Integer({ minimum: 1, maximum: 720, default: 72 }),
  /** Text messages that one user may cause in 24 hours. */
  TEXT_MESSAGES_PER_SENDER_AND_DAY: Type.Integer({ minimum: 0, default: 100 }),
  /** Text messages about documents that one user gets in 24 hours, whoever causes them. */
  TEXTS_PER_RECEIVER_AND_DAY: Type.Integer({ minimum: 0, default: 10 }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Whether users may set the price at all; admins can still switch it off. */
export const usersMaySetPrice = ({
  NODE_ENV,
  PRICE_SET_BY,
}: Pick<Config, 'NODE_ENV' | 'PRICE_SET_BY'>): boolean =>
  (PRICE_SET_BY ?? (NODE_ENV === 'production' ? 'admins' : 'users')) === 'users';

/** Reads the environment once; lists every fault. Production refuses the seal and the credentials of development. */
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
