/**
 * All tests, by the suffix of their file: `*.test.ts` (unit), `*.int.test.ts`, `*.e2e.ts` and `*.slow.ts`.
 * `KARAAR_LEVEL` selects one level; without it, Jest runs the files given as arguments.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;
const names = {
  unit: ['!(*.int).test.{ts,tsx}'],
  int: ['*.int.test.{ts,tsx}'],
  e2e: ['*.e2e.ts'],
  slow: ['*.slow.ts'],
};
const level = process.env.KARAAR_LEVEL;
const files = level ? names[level] : Object.values(names).flat();
if (files === undefined) throw new Error(`KARAAR_LEVEL is one of ${Object.keys(names).join(', ')}`);

/** @type {import('jest').Config} */
const perProject = {
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          // Jest needs these for imports of JSON files.
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  setupFilesAfterEnv: [join(root, 'tools/jest-unit-level.mjs')],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  // Also holds the duration of each file, which Jest uses to start the longest first.
  cacheDirectory: join(root, '.karaar/cache/jest'),
};

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folders = workspaces
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((folder) => existsSync(join(root, folder, 'package.json')));

const project = (folder, more = {}) => ({
  ...perProject,
  rootDir: join(root, folder),
  testMatch: files.map((file) => `<rootDir>/**/${file}`),
  ...more,
});

/** Global setup and teardown: servers that all test files of a project share. */
const shared = (folder) => ({
  globalSetup: `<rootDir>/${folder}/setup.mjs`,
  globalTeardown: `<rootDir>/${folder}/teardown.mjs`,
});

/** @type {import('jest').Config} */
export default {
  testTimeout: 30_000,
  // Jest keeps the modules of each test file in memory, 50 MB for a service. A large process spawns others
  // slowly and cleans up slowly, so Jest replaces it. (In one process the tests of documents took half as
  // long again.)
  workerIdleMemoryLimit: '500MB',
  projects: folders.flatMap((folder) => {
    if (folder === 'services/documents' && level !== 'unit')
      return project(folder, shared('test/shared-converter'));
    if (folder !== 'e2e' || level === 'unit') return project(folder);
    // Journeys share one running product; each of the other files starts its own.
    return [
      project(folder, {
        testMatch: files.map((file) => `<rootDir>/{main,journeys}/**/${file}`),
        ...shared('src/shared-product'),
      }),
      project(folder, {
        testPathIgnorePatterns: [...perProject.testPathIgnorePatterns, '<rootDir>/(main|journeys)/'],
      }),
    ];
  }),
};
