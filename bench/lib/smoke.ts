import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Whether this is the short form of a bench (`npm run bench -- NAME --smoke`): tiny sizes, to find errors and not figures. */
export const isSmoke = process.env['BENCH_SMOKE'] === '1';

/** A size of the run: the variable when it is set, else that of the whole run or of the smoke. */
export const size = (variable: string, whole: number, smoke: number): number =>
  Number(process.env[variable] ?? (isSmoke ? smoke : whole));

/** A folder with these files, where a whole run is given one; it is removed when this process ends. */
export function folderOf(files: Readonly<Record<string, Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'karaar-bench-smoke-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}
