/** Our own readers of foreign bytes against the libraries for them, with changes that no run before has seen. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FileCheck, Finding } from '../check.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const LIMIT_MS = 15 * 60_000;
/** Changed values of each kind and by each of five kinds of keys: 10,000 certificates, as many seals and so on. */
const EACH = 2_000;
const TESTS = ['libs/proof/.*against-', 'libs/sealing/.*differential', 'libs/rendering/.*own-readers'];

/** @param seed of the changes; the same seed makes the same ones */
export const parsers = (seed: number): FileCheck => ({
  name: 'parsers',
  holds:
    'our readers of certificates, seals, timestamps and sealed PDFs accept nothing that the libraries read otherwise; those of Word files and content end',
  look: async () => {
    const found: Finding[] = [];
    for (const test of TESTS) {
      const jest = [`${root}node_modules/jest/bin/jest.js`, test];
      const failed = await promisify(execFile)(process.execPath, ['--experimental-vm-modules', ...jest], {
        cwd: root,
        timeout: LIMIT_MS,
        env: { ...process.env, KARAAR_SEED: String(seed), KARAAR_EACH: String(EACH) },
      }).then(
        () => undefined,
        (error: unknown) => (error as { stderr?: string }).stderr ?? String(error),
      );
      if (failed !== undefined) found.push({ where: `${test}, seed ${seed}`, what: failed.slice(0, 2_000) });
    }
    return found;
  },
});
