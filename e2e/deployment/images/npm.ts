import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of the npm that this machine's PATH has.
 *
 * @throws Error when there is none
 */
export function findNpm(path = process.env['PATH'] ?? ''): string {
  const program = path
    .split(':')
    .map((folder) => join(folder, 'npm'))
    .find((file) => existsSync(file));
  if (program === undefined) throw new Error('npm is not on the PATH');
  return dirname(dirname(realpathSync(program)));
}
