import { companyEnv, loadConfig, refuseExposed, refuseInProduction } from '@karaar/base/config';
import { serviceSecretsRule, ServiceSecrets } from '@karaar/http/service-credentials';
import { serviceEnv } from '@karaar/service';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  ...companyEnv,
  /**
   * The internal port of documents, which prints statements. This service sends the first of the credentials.
   */
  DOCUMENTS_INTERNAL_URL: Type.String({ pattern: '^https?://' }),
  WALLET_TO_DOCUMENTS_SECRETS: ServiceSecrets,
  PAYMENTS_TO_WALLET_SECRETS: ServiceSecrets,
  RAZORPAY_KEY_ID: Type.String({ minLength: 1 }),
  RAZORPAY_KEY_SECRET: Type.String({ minLength: 1 }),
  /** The current webhook secret first; older ones after commas stay valid during a rotation. */
  RAZORPAY_WEBHOOK_SECRETS: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  RAZORPAY_API_URL: Type.String({ default: 'https://api.razorpay.com' }),
  RAZORPAY_CHECKOUT_URL: Type.String({ default: 'https://checkout.razorpay.com/v1/checkout.js' }),
  RAZORPAY_TIMEOUT_MS: Type.Integer({ minimum: 100, default: 8_000 }),
  /** Seconds between two proofs of the ledger, over all replicas; 0 leaves them to the nightly job. */
  LEDGER_CHECK_EVERY_S: Type.Integer({ minimum: 0, maximum: 604_800, default: 3_600 }),
  BOOKS_COMPARED_EVERY_S: Type.Integer({ minimum: 60, maximum: 604_800, default: 86_400 }),
  /**
   * Minimum age of an entity in the provider's books, in seconds, before it is compared: its webhook may
   * still arrive.
   */
  BOOKS_GRACE_S: Type.Integer({ minimum: 0, maximum: 86_400, default: 900 }),
  RECONCILE_EVERY_MS: Type.Integer({ minimum: 100, default: 5_000 }),
});
export type Config = Readonly<Static<typeof Config>>;

/**
 * Reads the configuration. Throws an error that lists every fault; production refuses the sandbox, its keys
 * and development credentials.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = loadConfig(Config, env);
  refuseInProduction(config, [
    {
      name: 'RAZORPAY_API_URL',
      refuse: (url) => !String(url).startsWith('https://'),
      because: 'is a sandbox',
    },
    {
      name: 'RAZORPAY_KEY_ID',
      refuse: (id) => !String(id).startsWith('rzp_live_'),
      because: 'is not a live key',
    },
    serviceSecretsRule<Config>('WALLET_TO_DOCUMENTS_SECRETS'),
    serviceSecretsRule<Config>('PAYMENTS_TO_WALLET_SECRETS'),
  ]);
  refuseExposed(config, [
    {
      name: 'RAZORPAY_API_URL',
      when: (url) => !String(url).startsWith('https://'),
      because: 'is a sandbox, by which everybody fills wallets',
    },
  ]);
  return config;
}
