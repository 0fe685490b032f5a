/**
 * All tests, by the level in their file's name: `*.test.ts` (unit), `*.int.test.ts`, `*.e2e.ts` and `*.slow.ts`.
 * `KARAAR_LEVEL` takes one level; without it, Jest runs the files that its arguments name.
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
          // Jest asks for them where a JSON file is imported.
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  setupFilesAfterEnv: [join(root, 'tools/jest-unit-level.mjs')],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  // Also Jest's record of how long each file took, by which it begins with the longest.
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

/** Servers that all files of a project share: started before the first file, ended after the last. */
const shared = (folder) => ({
  globalSetup: `<rootDir>/${folder}/setup.mjs`,
  globalTeardown: `<rootDir>/${folder}/teardown.mjs`,
});

/** @type {import('jest').Config} */
export default {
  testTimeout: 30_000,
  // Jest keeps the modules of each test file in memory, 50 MB for a service. A process that has grown is slow to start others
  // and to tidy up: it is replaced. (In one process documents' tests took half as long again.)
  workerIdleMemoryLimit: '500MB',
  projects: folders.flatMap((folder) => {
    if (folder === 'services/documents' && level !== 'unit')
      return project(folder, shared('test/shared-converter'));
    if (folder !== 'e2e' || level === 'unit') return project(folder);
    // Journeys share one product; the other files start one of their own.
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
