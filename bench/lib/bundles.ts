/** The product's parts as their images run them: a bundle is up in half of the time, which counts where much is killed. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUNDLE = join(import.meta.dirname, '../../infra/docker/src/bundle.ts');

/**
 * Bundles parts of the product below `folder`, a few at a time.
 * @returns the main file of each, for `startProduct`
 */
export async function bundled<Name extends string>(
  names: readonly Name[],
  folder: string,
): Promise<Partial<Record<Name, string>>> {
  const waiting = [...names];
  const made: Partial<Record<Name, string>> = {};
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      await run(process.execPath, [BUNDLE, name, join(folder, name)]);
      made[name] = join(folder, name, 'main.js');
    }
  };
  await Promise.all([worker(), worker()]);
  return made;
}
