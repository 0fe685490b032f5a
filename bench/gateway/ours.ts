/** The product's gateway without the broker, with the limits of its environment. */
import { createTokenVerifier } from '@karaar/platform/auth';
import { listen } from '@karaar/platform/http-kit';
import { createLogger } from '@karaar/platform/logging';
import { createRedis, redisReady } from '@karaar/platform/redis';
import { createGateway } from '@karaar/gateway/app';
import { readConfig } from '@karaar/gateway/config';
import { redisCounts } from '@karaar/gateway/limits/shared-counts';

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
