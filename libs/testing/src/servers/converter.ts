/**
 * The converter as a child process, as in production: a test can kill it and restart it at the same address.
 */
import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM, SOFFICE } from '../programs.ts';
import { freePort } from '../processes/ports.ts';
import { serviceProcess, type ServiceProcess } from './service-process.ts';

const MAIN = fileURLToPath(new URL('../../../../services/converter/src/main.ts', import.meta.url));

export type TestConverter = ServiceProcess & {
  /** Of its internal port. */
  innerUrl: string;
  /** The folder of its working files. */
  workDir: string;
  /** Ends it and removes its files. */
  stop: () => Promise<void>;
};

/** Returns a PATH like this process's but without some programs, as on a system that lacks them. */
export async function pathWithout(
  ...programs: readonly string[]
): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-path-'));
  await chmod(folder, 0o755);
  const taken = new Set(programs);
  for (const from of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of await readdir(from).catch(() => [])) {
      if (taken.has(name)) continue;
      taken.add(name);
      await symlink(join(from, name), join(folder, name));
    }
  }
  return { path: folder, remove: () => rm(folder, { recursive: true }) };
}

/**
 * Starts a converter and waits until it is ready.
 *
 * @param env overrides its default environment
 */
export async function startTestConverter(env: Record<string, string> = {}): Promise<TestConverter> {
  // In the system's temporary folder, because another account must be able to enter it.
  const folder = await mkdtemp(join(tmpdir(), 'karaar-converter-'));
  await chmod(folder, 0o711);
  const workDir = join(folder, 'work');
  const innerPort = await freePort();
  const converter = await serviceProcess(MAIN, {
    NODE_ENV: 'test',
    SERVICE_NAME: 'converter',
    INTERNAL_PORT: String(innerPort),
    LOG_LEVEL: 'error',
    CHROMIUM_PATH: CHROMIUM,
    SOFFICE_PATH: SOFFICE,
    WORK_DIR: workDir,
    // Few tests convert an Office file, and otherwise every converter would start a LibreOffice.
    OFFICE_SPARE: 'false',
    ...env,
  });
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    await converter.start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...converter,
    innerUrl: `http://127.0.0.1:${innerPort}`,
    workDir,
    stop: async () => {
      await converter.kill();
      await remove();
    },
  };
}
