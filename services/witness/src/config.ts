import { baseEnv, innerEnv, loadConfig } from '@karaar/base/config';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...baseEnv,
  ...innerEnv,
  /** The witness's name in cosignatures: host and path without a scheme. */
  WITNESS_NAME: Type.String({ pattern: '^[^\\s+]+$' }),
  /** Ed25519 key that cosigns, PKCS#8 in base64. The log's operator must not have it. */
  WITNESS_KEY: Type.String({ minLength: 1 }),
  /** 32 random bytes in base64, the seed of a second, quantum-safe key (ML-DSA-44). */
  WITNESS_ML_DSA_SEED: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  /** The log's key, `name+id+key`. */
  WITNESS_LOG_KEY: Type.String({ minLength: 1 }),
  /** The base URL of the log's checkpoint and tiles: the address before `/checkpoint`. */
  WITNESS_LOG_URL: Type.String({ pattern: '^https?://' }),
  /** The folder of the witness's record. Without it, the witness would accept any history of the log. */
  STATE_DIR: Type.String({ minLength: 1 }),
  /** Seconds between two audits of the whole log. */
  WITNESS_AUDIT_S: Type.Integer({ minimum: 1, maximum: 86_400, default: 300 }),
});
export type Config = Readonly<Static<typeof Config>>;

/**
 * Reads the configuration from the environment.
 *
 * @throws ConfigError with all invalid variables
 */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(Config, env);
