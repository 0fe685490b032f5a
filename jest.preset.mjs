/** One Jest preset for every project: native ES modules, TypeScript stripped by swc. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** `npm test` runs several projects at once and says how many workers each may have; alone, a project has the cores. */
const workers = Number(process.env.KARAAR_TEST_WORKERS ?? Math.min(4, availableParallelism()));

/** `npm run test:long` runs the files `*.long.test.ts` and no others, `npm test` all but them. */
const isLong = process.env.KARAAR_TESTS === 'long';
export const tests = (folder) =>
  isLong ? [`${folder}*.long.test.ts`] : [`${folder}*.test.ts`, `${folder}*.test.tsx`];

/** @type {import('jest').Config} */
export default {
  testMatch: tests('**/'),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          // Jest asks for them where a JSON file is imported.
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...(isLong ? [] : ['\\.long\\.test\\.ts$'])],
  testTimeout: 30_000,
  testSequencer: fileURLToPath(new URL('./tools/jest-sequencer.mjs', import.meta.url)),
  maxWorkers: workers,
  // Jest keeps the modules of each test file in memory, 50 MB for a service. A process that has grown is slow to start others
  // and to tidy up: it is replaced. (In one process documents' tests took half as long again.)
  workerIdleMemoryLimit: '500MB',
  reporters: ['default', fileURLToPath(new URL('./tools/jest-result-reporter.mjs', import.meta.url))],
};
