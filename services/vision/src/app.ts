/** The composition root of the vision service. */
import { authRpc } from '@karaar/contracts/auth/rpc';
import { createTokenVerifier } from '@karaar/platform/auth';
import { connectBus } from '@karaar/platform/bus';
import { createHttpApp, listen, type Service } from '@karaar/platform/http-kit';
import { createLogger } from '@karaar/platform/logging';
import { createRedis } from '@karaar/platform/redis';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { internalRoutes } from './features/validation/internal.routes.ts';
import { validationRoutes } from './features/validation/validation.routes.ts';
import { JudgePool } from './inference/pool.ts';
import { showPool, workersLost } from './metrics.ts';
import { ensureModels } from './models/build.ts';

/**
 * Starts the service: it answers at once, is ready (`/readyz`) when all workers are warm.
 * `overrides` replace parts of the context in tests.
 */
export async function createApp(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<Service & { url: string; warm: Promise<void> }> {
  const logger = createLogger({ name: config.SERVICE_NAME, level: config.LOG_LEVEL });
  const redis = createRedis({ url: config.REDIS_URL, name: config.SERVICE_NAME, logger });
  const bus = await connectBus({ url: config.NATS_URL, name: config.SERVICE_NAME, logger });
  const models = await ensureModels(config.MODELS_DIR);
  if (models.converted) logger.info({ folder: config.MODELS_DIR }, 'Converted the models');
  const pool = new JudgePool({
    modelPaths: models.paths,
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
    readiness: {
      models: async () => {
        if (!pool.isReady) throw new Error('The models are not loaded yet');
      },
    },
  });
  validationRoutes(app, ctx);
  internalRoutes(app, ctx);
  const url = await listen(app, { host: config.HOST, port: config.PORT });
  const warm = pool.ready().then(() => logger.info({ url }, 'ready'));
  return {
    app,
    url,
    warm,
    close: async () => {
      await pool.close();
      await bus.close();
      redis.disconnect();
    },
  };
}
