import { loadConfig } from '@karaar/base/config';
import { serviceEnv } from '@karaar/service';
import { Type, type Static } from 'typebox';

export const Config = Type.Object(serviceEnv);
export type Config = Readonly<Static<typeof Config>>;

/** Reads the configuration. Throws an error that lists every fault. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(Config, env);
