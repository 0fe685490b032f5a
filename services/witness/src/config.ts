import { baseEnv, innerEnv, loadConfig } from '@karaar/platform/config';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...baseEnv,
  ...innerEnv,
  /** Its name in cosignatures: host and path without a scheme. */
  WITNESS_NAME: Type.String({ pattern: '^[^\\s+]+$' }),
  /** Ed25519 key that cosigns, PKCS#8 in base64. Nobody who runs the log may have it. */
  WITNESS_KEY: Type.String({ minLength: 1 }),
  /** 32 random bytes in base64 from which a second key is made, of ML-DSA-44: cosignatures that quantum computers do not forge. */
  WITNESS_ML_DSA_SEED: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  /** The log's key, `name+id+key`. */
  WITNESS_LOG_KEY: Type.String({ minLength: 1 }),
  /** Where the log's checkpoint and tiles are read: the address before `/checkpoint`. */
  WITNESS_LOG_URL: Type.String({ pattern: '^https?://' }),
  /** What it has cosigned is remembered here; losing it means trusting the log afresh. */
  STATE_DIR: Type.String({ minLength: 1 }),
  /** Seconds between two readings of the whole log. */
  WITNESS_AUDIT_S: Type.Integer({ minimum: 1, maximum: 86_400, default: 300 }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Reads the environment once; lists every fault. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(Config, env);
