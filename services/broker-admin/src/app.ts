import { startBrokerAdmin } from '@karaar/bus';
import { createHttpApp, listenOnPorts, type Service } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import type { Config } from './config.ts';

/** Starts the broker admin, which creates streams and consumers. It waits for the broker without a time limit. */
export async function createApp(config: Config): Promise<Service & { url: string }> {
  const logger = createLogger({ name: config.SERVICE_NAME, level: config.LOG_LEVEL });
  const brokerAdmin = await startBrokerAdmin({
    url: config.NATS_URL,
    logger,
    replicas: config.NATS_REPLICAS,
  });
  const app = createHttpApp({
    name: config.SERVICE_NAME,
    logger,
    readiness: { broker: () => brokerAdmin.check() },
  });
  const { url, innerUrl } = await listenOnPorts(app, config);
  logger.info({ url, innerUrl }, 'ready');
  return { app, url, close: () => brokerAdmin.close() };
}
