import { backingEnv, baseEnv, innerEnv, loadConfig } from '@karaar/base/config';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...baseEnv,
  ...innerEnv,
  NATS_URL: backingEnv.NATS_URL,
  /** Copies of each stream: 3 where the broker is a cluster. */
  NATS_REPLICAS: Type.Integer({ minimum: 1, maximum: 5, default: 1 }),
});
export type Config = Readonly<Static<typeof Config>>;

/**
 * Reads the configuration from the environment.
 *
 * @throws ConfigError with all invalid variables
 */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(Config, env);
