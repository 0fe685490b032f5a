/** The broker admin's process: it makes the broker's streams and consumers, and answers nothing over HTTP but probes. */
import { startBrokerAdmin } from '@karaar/platform/bus';
import { createHttpApp, openDoors, type Service } from '@karaar/platform/http-kit';
import { createLogger } from '@karaar/platform/logging';
import type { Config } from './config.ts';

/** Starts the broker admin; it waits for the broker as long as it takes. */
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
  const { url, innerUrl } = await openDoors(app, config);
  logger.info({ url, innerUrl }, 'ready');
  return { app, url, close: () => brokerAdmin.close() };
}
