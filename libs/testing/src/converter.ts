/** The converter as a process of its own, as the product runs it: to be killed and started again on the same address. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM, SOFFICE } from './programs.ts';
import { serviceProcess, type ServiceProcess } from './service-process.ts';

const MAIN = fileURLToPath(new URL('../../../infra/converter/src/main.ts', import.meta.url));

export type TestConverter = ServiceProcess & {
  /** Ends it and removes its files. */
  stop: () => Promise<void>;
};

/**
 * Starts one and waits until it is ready.
 *
 * @param env stronger than what it would get
 */
export async function startTestConverter(env: Record<string, string> = {}): Promise<TestConverter> {
  // Below the system's folder: another account goes through it.
  const folder = await mkdtemp(join(tmpdir(), 'karaar-converter-'));
  await chmod(folder, 0o711);
  const converter = await serviceProcess(MAIN, {
    NODE_ENV: 'test',
    SERVICE_NAME: 'converter',
    INTERNAL_PORT: '0',
    LOG_LEVEL: 'error',
    CHROMIUM_PATH: CHROMIUM,
    SOFFICE_PATH: SOFFICE,
    WORK_DIR: join(folder, 'work'),
    ...env,
  });
  await converter.start();
  return {
    ...converter,
    stop: async () => {
      await converter.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
