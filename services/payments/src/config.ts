import { companyEnv, loadConfig, refuseInProduction } from '@karaar/base/config';
import { serviceSecretsRule, ServiceSecrets } from '@karaar/http/service-credentials';
import { serviceEnv } from '@karaar/service';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  ...companyEnv,
  /**
   * The internal port of documents, which prices documents and prints receipts. This service sends the first
   * of the credentials.
   */
  DOCUMENTS_INTERNAL_URL: Type.String({ pattern: '^https?://' }),
  PAYMENTS_TO_DOCUMENTS_SECRETS: ServiceSecrets,
  WALLET_INTERNAL_URL: Type.String({ pattern: '^https?://' }),
  PAYMENTS_TO_WALLET_SECRETS: ServiceSecrets,
  /** The interval between two searches for interrupted payments. */
  SWEEP_EVERY_MS: Type.Integer({ minimum: 100, default: 2_000 }),
  SWEEP_AFTER_MS: Type.Integer({ minimum: 100, default: 5_000 }),
  /** An interrupted payment older than this is given up, because its payer no longer waits for it. */
  INTENT_EXPIRES_S: Type.Integer({ minimum: 1, default: 900 }),
  /** The most payments of one user per hour that fail for lack of money; the next one is refused with 429. */
  UNFUNDED_PER_HOUR: Type.Integer({ minimum: 1, default: 20 }),
  /** A payment above this limit needs the payer's passkey, if the payer has one (docs/adr/0085). */
  STEP_UP_ABOVE_PAISE: Type.Integer({ minimum: 0, default: 500_000 }),
  /**
   * Paise that one admin may give back alone within 24 hours; beyond it a second admin confirms each
   * reversal.
   */
  REVERSAL_ALONE_PAISE: Type.Integer({ minimum: 0, default: 100_000 }),
});
export type Config = Readonly<Static<typeof Config>>;

/**
 * Reads the configuration. Throws an error that lists every fault; production refuses development
 * credentials.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = loadConfig(Config, env);
  refuseInProduction(config, [
    serviceSecretsRule<Config>('PAYMENTS_TO_DOCUMENTS_SECRETS'),
    serviceSecretsRule<Config>('PAYMENTS_TO_WALLET_SECRETS'),
  ]);
  return config;
}
