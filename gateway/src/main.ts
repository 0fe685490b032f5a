/** The gateway process: the only public port. */
import { authRpc } from '@karaar/contracts/auth/rpc';
import { createTokenVerifier } from '@karaar/http/auth';
import { connectBus } from '@karaar/bus';
import { unavailable } from '@karaar/base/errors';
import { createInnerApp, listen, runService } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { createRedis } from '@karaar/storage/redis';
import { redisCounts } from './limits/shared-counts.ts';
import { showTlsExpiry } from './tls-expiry.ts';
import { createGateway } from './app.ts';
import { readConfig } from './config.ts';

await runService(async (env) => {
  const config = readConfig(env);
  const logger = createLogger({ name: config.SERVICE_NAME, level: config.LOG_LEVEL });
  const redis = createRedis({ url: config.REDIS_URL, name: config.SERVICE_NAME, logger });
  // The gateway starts without the broker, which is only the second source of a session's state.
  const bus = connectBus({ url: config.NATS_URL, name: config.SERVICE_NAME, logger });
  let connected: Awaited<typeof bus> | undefined;
  void bus.then((connection) => (connected = connection));
  const verifier = createTokenVerifier({
    jwksUrl: new URL('/.well-known/jwks.json', config.AUTH_URL).href,
    redis,
    sessionStatus: async (request) => {
      if (connected === undefined) throw unavailable('bus_unavailable', 'The broker is not connected yet.');
      return connected.request(authRpc.sessionStatus, request);
    },
    logger,
  });
  const app = createGateway({ config, logger, verifier, counts: redisCounts(redis) });
  if (config.TLS_CERTIFICATE_FILE !== undefined) showTlsExpiry(config.TLS_CERTIFICATE_FILE, logger);
  const metrics = createInnerApp({ logger, isDraining: () => false });
  if (config.METRICS_PORT !== undefined)
    await metrics.listen({ host: config.HOST, port: config.METRICS_PORT });
  const url = await listen(app, { host: config.HOST, port: config.PORT });
  logger.info({ url }, 'Listening');
  return {
    app,
    drainMs: config.DRAIN_MS,
    close: async () => {
      metrics.server.closeAllConnections();
      await metrics.close();
      await connected?.close();
      redis.disconnect();
    },
  };
});
