import { loadConfig } from '@karaar/platform/config';
import { serviceEnv } from '@karaar/platform/service';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  /** The documents service, which prints receipts. */
  DOCUMENTS_URL: Type.String({ pattern: '^https?://' }),
  /** How often interrupted payments are looked for. */
  SWEEP_EVERY_MS: Type.Integer({ minimum: 100, default: 2_000 }),
  /** A payment under way for longer than this counts as interrupted. */
  SWEEP_AFTER_MS: Type.Integer({ minimum: 100, default: 5_000 }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Reads the environment once; lists every fault. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(Config, env);
