/** Compares our parsers of foreign bytes with the libraries for them, with other changes in each run. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cloneRoot } from '@karaar/testing/roots';
import type { FileCheck, Finding } from '../check.ts';

const LIMIT_MS = 15 * 60_000;
/** Changed values of each kind, by each of five kinds of keys: 10,000 certificates, 10,000 seals and so on. */
const EACH = '2000';
const TESTS = ['libs/proof/.*against-', 'libs/sealing/.*differential', 'libs/rendering/.*own-readers'];

export const parsers = (seed: number): FileCheck => ({
  name: 'parsers',
  holds:
    'our parsers of certificates, seals, timestamps and sealed PDFs agree with the libraries; those of Word files and PDF content terminate',
  look: async () => {
    const found: Finding[] = [];
    const env = { ...process.env, KARAAR_SEED: String(seed), KARAAR_EACH: EACH };
    for (const test of TESTS) {
      const args = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', test];
      try {
        await promisify(execFile)(process.execPath, args, { cwd: cloneRoot, timeout: LIMIT_MS, env });
      } catch (error) {
        const { stderr = String(error) } = error as { stderr?: string };
        found.push({ where: `${test}, seed ${seed}`, what: stderr.slice(0, 2_000) });
      }
    }
    return found;
  },
});
