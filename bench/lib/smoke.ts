import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scratch } from '@karaar/testing/scratch';

/** True in the short form of a benchmark (`npm run bench -- NAME --smoke`), which finds errors and takes no figures. */
export const isSmoke = process.env['BENCH_SMOKE'] === '1';

/** Returns the environment variable if it is set, otherwise the size for a whole run or a smoke run. */
export const size = (variable: string, whole: number, smoke: number): number =>
  Number(process.env[variable] ?? (isSmoke ? smoke : whole));

/** Creates a folder with these files for a smoke run. It is removed when this process ends. */
export function folderOf(files: Readonly<Record<string, Uint8Array>>): string {
  const { dir, remove } = scratch();
  process.once('exit', remove);
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes);
  }
  return dir;
}
