/** The service as its image has it, as processes of their own: up in half of the time, which counts where much is killed. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUNDLE = join(import.meta.dirname, '../../../infra/docker/src/bundle.ts');

/** @returns the path of the bundle's main file, below `folder` */
export async function bundledService(folder: string): Promise<string> {
  const path = join(folder, 'bundle');
  await run(process.execPath, [BUNDLE, 'notifications', path]);
  return join(path, 'main.js');
}
