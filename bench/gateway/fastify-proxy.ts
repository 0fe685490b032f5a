/** The peer: Fastify with @fastify/http-proxy, configured as its documentation says, with the same token check. */
import httpProxy from '@fastify/http-proxy';
import { createTokenVerifier } from '@karaar/http/auth';
import { checkAccess } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { createRedis, redisReady } from '@karaar/storage/redis';
import fastify from 'fastify';
import type { AddressInfo } from 'node:net';

const logger = createLogger({ name: 'fastify-proxy', level: 'info' });
const redis = createRedis({ url: process.env['REDIS_URL'] ?? '', name: 'bench-fastify', logger });
await redisReady(redis);
const verifier = createTokenVerifier({
  jwksUrl: process.env['JWKS_URL'] ?? '',
  redis,
  sessionStatus: () => Promise.reject(new Error('The session is in Redis')),
});

const app = fastify();
app.addHook('preHandler', async (req) => {
  await checkAccess(verifier, 'user', req.headers.authorization);
});
await app.register(httpProxy, { upstream: process.env['UPSTREAM'] ?? '', prefix: '/api', http2: false });
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.on('disconnect', () => process.exit());
