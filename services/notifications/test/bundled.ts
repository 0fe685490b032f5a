/**
 * Bundles the service as its image does. A bundled process starts in half the time, which matters in tests
 * that kill it often.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUNDLE = join(import.meta.dirname, '../../../infra/docker/src/bundle.ts');

/** Returns the path of the bundle's main file, below `folder`. */
export async function bundledService(folder: string): Promise<string> {
  const path = join(folder, 'bundle');
  await run(process.execPath, [BUNDLE, 'notifications', path]);
  return join(path, 'main.js');
}
