import { companyEnv, loadConfig, refuseInProduction } from '@karaar/platform/config';
import { edgeRule, EdgeSecrets } from '@karaar/platform/edges';
import { serviceEnv } from '@karaar/platform/service';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  ...companyEnv,
  /** The inner door of documents, which says what is charged and prints receipts, and our credential there: the first of them. */
  DOCUMENTS_INTERNAL_URL: Type.String({ pattern: '^https?://' }),
  PAYMENTS_TO_DOCUMENTS_SECRETS: EdgeSecrets,
  /** The same of the wallet, which moves the money. */
  WALLET_INTERNAL_URL: Type.String({ pattern: '^https?://' }),
  PAYMENTS_TO_WALLET_SECRETS: EdgeSecrets,
  /** How often interrupted payments are looked for. */
  SWEEP_EVERY_MS: Type.Integer({ minimum: 100, default: 2_000 }),
  /** A payment under way for longer than this counts as interrupted. */
  SWEEP_AFTER_MS: Type.Integer({ minimum: 100, default: 5_000 }),
  /** A payment that could not be finished for so long is given up: its payer has long turned to something else. */
  INTENT_EXPIRES_S: Type.Integer({ minimum: 1, default: 900 }),
  /** Payments of one user in an hour that the wallet did not cover; the next one is refused with 429. */
  UNFUNDED_PER_HOUR: Type.Integer({ minimum: 1, default: 20 }),
  /** A payment of more paise than this is confirmed by its payer's passkey, if the payer has one (docs/adr/0085). */
  STEP_UP_ABOVE_PAISE: Type.Integer({ minimum: 0, default: 500_000 }),
  /** Paise that one admin may give back alone within 24 hours; beyond it a second admin confirms each reversal. */
  REVERSAL_ALONE_PAISE: Type.Integer({ minimum: 0, default: 100_000 }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Reads the environment once; lists every fault. Production refuses a credential of development. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = loadConfig(Config, env);
  refuseInProduction(config, [
    edgeRule<Config>('PAYMENTS_TO_DOCUMENTS_SECRETS'),
    edgeRule<Config>('PAYMENTS_TO_WALLET_SECRETS'),
  ]);
  return config;
}
