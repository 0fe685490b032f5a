import { availableParallelism } from 'node:os';
import { backingEnv, baseEnv, loadConfig } from '@karaar/platform/config';
import { Type, type Static } from 'typebox';
import { DEFAULT_MODELS_DIR } from './models/build.ts';

const { NATS_URL, REDIS_URL, AUTH_URL } = backingEnv;

export const Config = Type.Object({
  ...baseEnv,
  NATS_URL,
  REDIS_URL,
  AUTH_URL,
  /** Where the converted models are kept, or made when they are not there. */
  MODELS_DIR: Type.String({ minLength: 1, default: DEFAULT_MODELS_DIR }),
  /** Photos judged at the same time; each worker takes about 75 MB for its models. */
  VISION_WORKERS: Type.Integer({ minimum: 1, maximum: 64, default: Math.min(2, availableParallelism()) }),
  /** Photos that may wait for a worker; each holds its file in memory. */
  VISION_QUEUE: Type.Integer({ minimum: 0, maximum: 1_000, default: 32 }),
  /** Milliseconds one photo may take once a worker has it. */
  VISION_DEADLINE_MS: Type.Integer({ minimum: 100, maximum: 60_000, default: 10_000 }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Reads the environment once; lists every fault. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(Config, env);
}
