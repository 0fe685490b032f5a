import { availableParallelism } from 'node:os';
import preset, { tests } from '../jest.preset.mjs';

const { reporters, maxWorkers: _ofOthers, testSequencer, ...perProject } = preset;
const { testTimeout, workerIdleMemoryLimit, ...project } = perProject;

/** Journeys share one product, started before the first of them; files in this folder start their own. */
export default {
  reporters,
  // Jest takes these of the whole run only, not of a project.
  testTimeout,
  workerIdleMemoryLimit,
  // A journey waits for its pages much of the time: two fill two cores, three fill four. More than four share one product badly.
  maxWorkers: Math.min(4, Math.ceil(availableParallelism() * 0.75)),
  testSequencer,
  projects: [
    {
      ...project,
      displayName: 'journeys',
      testMatch: tests('<rootDir>/journeys/**/'),
      globalSetup: '<rootDir>/src/shared-product/setup.mjs',
      globalTeardown: '<rootDir>/src/shared-product/teardown.mjs',
    },
    {
      ...project,
      displayName: 'own product',
      testMatch: ['', 'screens/', 'security/'].flatMap((folder) => tests(`<rootDir>/${folder}`)),
    },
  ],
};
