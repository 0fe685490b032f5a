import { runService } from '@karaar/http';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runService((env) => createApp(readConfig(env)));
