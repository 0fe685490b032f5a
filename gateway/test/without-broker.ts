/** The gateway's process without the broker, for the benchmark against its peers. */
import { createTokenVerifier } from '@karaar/http/auth';
import { listen } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { createRedis, redisReady } from '@karaar/storage/redis';
import { createGateway } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { redisCounts } from '../src/limits/shared-counts.ts';

const config = readConfig(process.env);
const logger = createLogger({ name: 'gateway', level: 'info' });
const redis = createRedis({ url: config.REDIS_URL, name: 'bench-gateway', logger });
await redisReady(redis);
const verifier = createTokenVerifier({
  jwksUrl: process.env['JWKS_URL'] ?? '',
  redis,
  sessionStatus: () => Promise.reject(new Error('The session is in Redis')),
});
const gateway = createGateway({ config, logger, verifier, counts: redisCounts(redis) });
const url = await listen(gateway, { host: config.HOST, port: config.PORT });
process.send?.({ port: Number(new URL(url).port) });
process.on('disconnect', () => process.exit());
