import { authRpc } from '@karaar/contracts/auth/rpc';
import { createTokenVerifier } from '@karaar/http/auth';
import { connectBus } from '@karaar/bus';
import { createHttpApp, listenOnPorts, type Service } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { createRedis } from '@karaar/storage/redis';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { checkRoutes } from './features/validation/check.routes.ts';
import { validationRoutes } from './features/validation/validation.routes.ts';
import { JudgePool } from './inference/pool.ts';
import { showPool, workersLost } from './metrics.ts';
import { findModels } from './models/files.ts';

/**
 * Starts the service. It listens at once, and `/readyz` succeeds when all workers have their models.
 * @param overrides replace parts of the context in tests
 */
export async function createApp(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<Service & { url: string; innerUrl: string; warm: Promise<void> }> {
  const logger = createLogger({ name: config.SERVICE_NAME, level: config.LOG_LEVEL });
  const redis = createRedis({ url: config.REDIS_URL, name: config.SERVICE_NAME, logger });
  const bus = await connectBus({ url: config.NATS_URL, name: config.SERVICE_NAME, logger });
  const modelPaths = await findModels(config.MODELS_DIR);
  const pool = new JudgePool({
    modelPaths,
    workers: config.VISION_WORKERS,
    queue: config.VISION_QUEUE,
    deadlineMs: config.VISION_DEADLINE_MS,
    onWorkerLost: (reason) => {
      workersLost.inc();
      logger.error({ err: reason }, 'A vision worker was replaced');
    },
  });
  showPool(pool);
  const ctx: Context = {
    logger,
    pool,
    verifier: createTokenVerifier({
      jwksUrl: `${config.AUTH_URL}/.well-known/jwks.json`,
      redis,
      sessionStatus: (request) => bus.request(authRpc.sessionStatus, request),
      logger,
    }),
    ...overrides,
  };
  const app = createHttpApp({
    name: config.SERVICE_NAME,
    logger,
    verifier: ctx.verifier,
    callers: { documents: config.DOCUMENTS_TO_VISION_SECRETS },
    readiness: {
      models: async () => {
        if (!pool.isReady) throw new Error('The models are not loaded yet');
      },
    },
  });
  validationRoutes(app, ctx);
  checkRoutes(app.inner, ctx);
  const { url, innerUrl } = await listenOnPorts(app, config);
  const warm = pool.ready().then(() => logger.info({ url, innerUrl }, 'ready'));
  return {
    app,
    url,
    innerUrl,
    warm,
    close: async () => {
      await pool.close();
      await bus.close();
      redis.disconnect();
    },
  };
}
