import { runService } from '@karaar/platform/http-kit';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runService((env) => createApp(readConfig(env), env));
