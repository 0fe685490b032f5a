import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpApp, listenOnPorts, type Service } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { abandonedScratch, openScratch } from '@karaar/http/scratch';
import { createRenderer, isolationOf, killLeftovers } from '@karaar/rendering/renderer';
import type { Config } from './config.ts';
import { requireIsolation, reportIsolation } from './isolation.ts';
import { jobRoutes } from './jobs.ts';
import { takeOwnAccount } from './own-account.ts';

/** Time for running jobs to end after the stop signal; callers restart the other jobs. */
const DRAIN_MS = 25_000;

/**
 * Starts the converter. If started as root, it switches to its own account.
 *
 * @throws ConfigError in production without isolation
 */
export async function createApp(
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<Service & { url: string; innerUrl: string }> {
  const logger = createLogger({ name: config.SERVICE_NAME, level: config.LOG_LEVEL });
  const account = takeOwnAccount(config.WORK_DIR, [config.CHROMIUM_PATH, config.SOFFICE_PATH]);
  const isolation = isolationOf();
  await requireIsolation(config, { kind: isolation, account }, env);
  reportIsolation(isolation, account, logger);
  for (const name of await abandonedScratch(config.WORK_DIR, 'work'))
    await killLeftovers(join(config.WORK_DIR, name));
  // The folder holds face photos while a PDF is made. The next start removes what a killed process left.
  const folder = await openScratch(config.WORK_DIR, 'work', logger);
  const renderer = createRenderer({
    chromiumPath: config.CHROMIUM_PATH,
    chromiumSandbox: config.CHROMIUM_SANDBOX,
    sofficePath: config.SOFFICE_PATH,
    officeSpare: config.OFFICE_SPARE,
    qpdfPath: config.QPDF_PATH,
    pdftoppmPath: config.PDFTOPPM_PATH,
    workDir: folder,
  });
  const app = createHttpApp({
    name: config.SERVICE_NAME,
    logger,
    health: { isolation, own_account: account.own },
  });
  jobRoutes(app, { renderer, folder });
  const { url, innerUrl } = await listenOnPorts(app, config);
  logger.info({ url, innerUrl }, 'ready');
  return {
    app,
    url,
    innerUrl,
    drainMs: DRAIN_MS,
    close: async () => {
      await renderer.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
