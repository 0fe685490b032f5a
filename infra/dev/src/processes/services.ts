import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceCredentials } from '@karaar/contracts/internal';
import { WITH_FILES, type ServiceName } from '@karaar/contracts/names';
import { REDIS_USERS, type RedisUser } from '@karaar/contracts/redis/rights';
import type { DatabaseUrls } from '@karaar/testing/backing/databases';
import { natsPasswords, natsUrlOf } from '@karaar/testing/backing/nats';
import type { BackingPaths } from '@karaar/testing/backing/paths';
import { redisPasswords, redisUrlOf } from '@karaar/testing/backing/redis';
import { freePorts } from '@karaar/testing/processes/ports';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { ed25519Key, noteKeyOf, randomKey } from '../keys.ts';

/** The values from which the environment of each process is made. */
export interface ProductFacts {
  paths: BackingPaths;
  urls: Record<ProcessName, string>;
  /** Base URLs of the internal ports. The gateway gets none of them. */
  innerUrls: InnerUrls;
  publicUrl: string;
  /** The sandbox's SMTP port, on loopback. */
  mailPort: number;
  /** URLs of the user `launcher`; `natsUrlOf` and `redisUrlOf` make each process's own URL from them. */
  natsUrl: string;
  redisUrl: string;
  databaseUrls: Partial<Record<ProcessName, DatabaseUrls>>;
  chromium: string | undefined;
  soffice: string | undefined;
}

export interface ProcessSpec {
  name: ProcessName;
  entry: string;
  database: boolean;
  /** True if it has an internal port, for metrics and for calls from other services. */
  inner: boolean;
  readyPath: string;
  env: (facts: ProductFacts) => Record<string, string | undefined>;
}

export type ProcessName = InnerName | 'sandbox' | 'gateway';
type InnerName = ServiceName | 'witness' | 'broker-admin' | 'converter';
type InnerUrls = Record<InnerName, string>;

/** The ports of one process; `inner` is unused without an internal port. */
export type Ports = { outer: number; inner: number };

/** The log and its witness keep their names forever. */
const logOrigin = 'karaar.localhost/log';
const witnessName = 'karaar.localhost/witness';

const razorpayKeyId = 'rzp_test_karaar';

const service = (
  name: InnerName,
  env: ProcessSpec['env'] = () => ({}),
  more: Partial<ProcessSpec> = {},
): ProcessSpec => ({
  name,
  entry: `services/${name}/src/main.ts`,
  database: true,
  inner: true,
  readyPath: '/readyz',
  env,
  ...more,
});
const withoutDatabase = { database: false };
const textMessages = ({ paths, urls }: Pick<ProductFacts, 'paths' | 'urls'>) => ({
  SMS_PROVIDER: 'sandbox',
  SMS_API_URL: urls.sandbox,
  SMS_ACCOUNT_SID: 'ACsandbox',
  SMS_AUTH_TOKEN: paths.secret('sms-auth-token'),
});

/** Every process of the product. All start at the same time and wait for their dependencies. */
export const processSpecs: readonly ProcessSpec[] = [
  {
    name: 'sandbox',
    entry: 'libs/testing/src/sandboxes/main.ts',
    database: false,
    inner: false,
    readyPath: '/healthz',
    env: ({ paths, urls, publicUrl, mailPort }) => ({
      PUBLIC_URL: publicUrl,
      SMTP_PORT: String(mailPort),
      STATE_DIR: join(paths.dataDir, 'sandbox'),
      WHATSAPP_WEBHOOK_URL: `${urls.notifications}/notifications/whatsapp-webhook`,
      WHATSAPP_APP_SECRET: paths.secret('whatsapp-app-secret'),
      WALLET_WEBHOOK_URL: `${urls.wallet}/wallet/razorpay-webhook`,
      RAZORPAY_KEY_ID: razorpayKeyId,
      RAZORPAY_KEY_SECRET: paths.secret('razorpay-key-secret'),
      RAZORPAY_WEBHOOK_SECRET: paths.secret('razorpay-webhook-secret'),
    }),
  },
  service('auth', ({ paths, urls, publicUrl }) => ({
    WEB_HOST: new URL(publicUrl).hostname,
    PUBLIC_URL: publicUrl,
    TOKEN_SIGNING_KEY: paths.secret('token-signing-key', ed25519Key),
    AUTH_SECRET: paths.secret('auth-secret', randomKey),
    ...textMessages({ paths, urls }),
    SEED_DEMO: 'true',
  })),
  service('documents', ({ paths, urls, innerUrls, publicUrl }) => ({
    VISION_INTERNAL_URL: innerUrls.vision,
    PUBLIC_URL: publicUrl,
    ...textMessages({ paths, urls }),
    CONVERTER_URL: urls.converter,
    WORK_DIR: join(paths.dataDir, 'documents-work'),
    STATE_DIR: join(paths.dataDir, 'documents'),
    LOG_ORIGIN: logOrigin,
    LOG_KEY: paths.secret('log-key', ed25519Key),
    LOG_WITNESSES: `${noteKeyOf('cosignature', witnessName, paths.secret('witness-key', ed25519Key))} ${urls.witness}`,
  })),
  service(
    'witness',
    ({ paths, urls }) => ({
      WITNESS_NAME: witnessName,
      WITNESS_KEY: paths.secret('witness-key', ed25519Key),
      WITNESS_LOG_KEY: noteKeyOf('log', logOrigin, paths.secret('log-key', ed25519Key)),
      WITNESS_LOG_URL: `${urls.documents}/log`,
      STATE_DIR: join(paths.dataDir, 'witness'),
    }),
    { database: false, readyPath: '/healthz' },
  ),
  service('broker-admin', undefined, withoutDatabase),
  service(
    'converter',
    ({ paths, chromium, soffice }) => ({
      CHROMIUM_PATH: chromium,
      SOFFICE_PATH: soffice,
      // Outside the product's folder, which the converter's account cannot enter.
      WORK_DIR: join(tmpdir(), `karaar-converter-${nameOf(paths.dataDir)}`),
    }),
    withoutDatabase,
  ),
  service('payments', ({ innerUrls }) => ({
    DOCUMENTS_INTERNAL_URL: innerUrls.documents,
    WALLET_INTERNAL_URL: innerUrls.wallet,
  })),
  service('wallet', ({ paths, urls, innerUrls }) => ({
    DOCUMENTS_INTERNAL_URL: innerUrls.documents,
    RAZORPAY_KEY_ID: razorpayKeyId,
    RAZORPAY_KEY_SECRET: paths.secret('razorpay-key-secret'),
    RAZORPAY_WEBHOOK_SECRETS: paths.secret('razorpay-webhook-secret'),
    RAZORPAY_API_URL: urls.sandbox,
    // Relative, because the browser may use localhost or an address.
    RAZORPAY_CHECKOUT_URL: '/sandbox/razorpay/v1/checkout.js',
  })),
  service('messaging'),
  service('vision', undefined, withoutDatabase),
  service('cms'),
  service('notifications', ({ paths, urls, publicUrl, mailPort }) => ({
    PUBLIC_URL: publicUrl,
    ...textMessages({ paths, urls }),
    NOTIFICATIONS_SECRET: paths.secret('notifications-secret', randomKey),
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(mailPort),
    SMTP_TLS: 'none',
    WHATSAPP_API_URL: `${urls.sandbox}/v23.0`,
    WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
    WHATSAPP_ACCESS_TOKEN: paths.secret('whatsapp-access-token'),
    WHATSAPP_APP_SECRET: paths.secret('whatsapp-app-secret'),
    WHATSAPP_VERIFY_TOKEN: paths.secret('whatsapp-verify-token'),
  })),
  {
    name: 'gateway',
    entry: 'gateway/src/main.ts',
    database: false,
    // Its metrics have their own port already: METRICS_PORT.
    inner: false,
    readyPath: '/readyz',
    env: ({ urls, publicUrl }) => ({
      DOCUMENTS_URL: urls.documents,
      PAYMENTS_URL: urls.payments,
      WALLET_URL: urls.wallet,
      MESSAGING_URL: urls.messaging,
      VISION_URL: urls.vision,
      CMS_URL: urls.cms,
      NOTIFICATIONS_URL: urls.notifications,
      SANDBOX_URL: urls.sandbox,
      PUBLIC_URL: publicUrl,
      WEB_DIR: join(cloneRoot, 'apps'),
      DRAIN_MS: '5000',
    }),
  },
];

/** Returns the environment of a process. `extra` overrides all other variables. */
export function processEnv(
  spec: ProcessSpec,
  facts: ProductFacts,
  ports: Ports,
  extra: Record<string, string | undefined>,
): NodeJS.ProcessEnv {
  const { paths, urls } = facts;
  return {
    ...hostEnv(spec.name === 'converter' ? PROGRAM_ENV : [...PROGRAM_ENV, ...PROXY_ENV]),
    NODE_COMPILE_CACHE: join(stateRoot, 'cache', 'node'),
    NODE_ENV: 'development',
    SERVICE_NAME: spec.name,
    HOST: '127.0.0.1',
    PORT: String(ports.outer),
    ...(spec.inner ? { INTERNAL_PORT: String(ports.inner) } : {}),
    ...serviceSecrets(spec.name, paths),
    DATABASE_URL: facts.databaseUrls[spec.name]?.runtime,
    // In development, a service runs its migrations itself.
    MIGRATION_DATABASE_URL: facts.databaseUrls[spec.name]?.owner,
    NATS_URL: isBrokerUser(spec.name) ? natsUrlOf(facts.natsUrl, spec.name, natsPasswords(paths)) : undefined,
    REDIS_URL: isRedisUser(spec.name)
      ? redisUrlOf(facts.redisUrl, spec.name, redisPasswords(paths))
      : undefined,
    AUTH_URL: spec.name === 'converter' ? undefined : urls.auth,
    ...(WITH_FILES.some((name) => name === spec.name)
      ? {
          BLOB_DIR: join(paths.dataDir, 'blobs'),
          BLOB_KEK: `dev-${spec.name}:${paths.secret(`blob-kek-${spec.name}`, randomKey)}`,
        }
      : {}),
    LOG_LEVEL: 'info',
    ...spec.env(facts),
    ...extra,
  };
}

const isBrokerUser = (name: ProcessName): name is Exclude<ProcessName, 'sandbox' | 'witness' | 'converter'> =>
  name !== 'sandbox' && name !== 'witness' && name !== 'converter';

const isRedisUser = (name: ProcessName): name is RedisUser => REDIS_USERS.some((user) => user === name);

function serviceSecrets(name: ProcessName, paths: BackingPaths): Record<string, string> {
  const own = serviceCredentials.filter(({ caller, callee }) => caller === name || callee === name);
  return Object.fromEntries(
    own.map(({ caller, callee, variable }) => [
      variable,
      paths.secret(
        `service-credential-${caller}-${callee}`,
        () => `dev-${randomBytes(32).toString('base64url')}`,
      ),
    ]),
  );
}

export async function choosePorts(): Promise<Record<ProcessName, Ports>> {
  const free = await freePorts(2 * processSpecs.length);
  return Object.fromEntries(
    processSpecs.map(({ name }, index) => [
      name,
      { outer: free[2 * index] ?? 0, inner: free[2 * index + 1] ?? 0 },
    ]),
  ) as Record<ProcessName, Ports>;
}

export const innerUrlsOf = (ports: Readonly<Record<ProcessName, Ports>>): InnerUrls =>
  Object.fromEntries(
    processSpecs
      .filter(({ inner }) => inner)
      .map(({ name }) => [name, `http://127.0.0.1:${ports[name].inner}`]),
  ) as InnerUrls;

const PROGRAM_ENV = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR'];
/** Not for the converter: a proxy's URL may contain a password. */
const PROXY_ENV = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** Returns these variables of the launcher. Services get no variable of npm or Nx. */
const hostEnv = (wanted: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.includes(name)));

/** Returns a short name that is unique per product on this machine. */
const nameOf = (dataDir: string): string => createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
