import { availableParallelism } from 'node:os';
import { backingEnv, baseEnv, innerEnv, loadConfig, refuseInProduction } from '@karaar/base/config';
import { serviceSecretsRule, ServiceSecrets } from '@karaar/http/service-credentials';
import { Type, type Static } from 'typebox';
import { DEFAULT_MODELS_DIR } from './models/files.ts';

const { NATS_URL, REDIS_URL, AUTH_URL } = backingEnv;

export const Config = Type.Object({
  ...baseEnv,
  ...innerEnv,
  NATS_URL,
  REDIS_URL,
  AUTH_URL,
  /** Credentials of the documents service; two during a rotation. */
  DOCUMENTS_TO_VISION_SECRETS: ServiceSecrets,
  MODELS_DIR: Type.String({ minLength: 1, default: DEFAULT_MODELS_DIR }),
  /** Photos judged at the same time; the models take about 75 MB per worker. */
  VISION_WORKERS: Type.Integer({ minimum: 1, maximum: 64, default: Math.min(2, availableParallelism()) }),
  /** Photos that may wait for a worker; each holds its file in memory. */
  VISION_QUEUE: Type.Integer({ minimum: 0, maximum: 1_000, default: 32 }),
  VISION_DEADLINE_MS: Type.Integer({ minimum: 100, maximum: 60_000, default: 10_000 }),
});
export type Config = Readonly<Static<typeof Config>>;

/**
 * Reads the environment once.
 * @throws an error that lists every wrong variable; production refuses a development credential
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = loadConfig(Config, env);
  refuseInProduction(config, [serviceSecretsRule<Config>('DOCUMENTS_TO_VISION_SECRETS')]);
  return config;
}
