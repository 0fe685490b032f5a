/** One Jest preset for every project: native ES modules, TypeScript stripped by swc. */
import { fileURLToPath } from 'node:url';

const tests = ['**/*.test.ts', '**/*.test.tsx'];

/** @type {import('jest').Config} */
export default {
  testMatch: tests,
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
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 30_000,
  testSequencer: fileURLToPath(new URL('./tools/jest-sequencer.mjs', import.meta.url)),
  maxWorkers: 2,
  reporters: ['default', fileURLToPath(new URL('./tools/jest-result-reporter.mjs', import.meta.url))],
};
