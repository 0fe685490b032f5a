import { availableParallelism } from 'node:os';
import preset from '../jest.preset.mjs';

const { reporters, maxWorkers: _ofOthers, testSequencer, ...perProject } = preset;
const { testTimeout: _perFile, ...project } = perProject;

/** Journeys share one product, started before the first of them; files in this folder start their own. */
export default {
  reporters,
  // A journey waits for its pages most of the time: a product, two browsers and one more journey fill four cores.
  maxWorkers: availableParallelism() < 4 ? 2 : 3,
  testSequencer,
  projects: [
    {
      ...project,
      displayName: 'journeys',
      testMatch: ['<rootDir>/journeys/**/*.test.ts'],
      globalSetup: '<rootDir>/src/shared-product/setup.mjs',
      globalTeardown: '<rootDir>/src/shared-product/teardown.mjs',
    },
    {
      ...project,
      displayName: 'own product',
      testMatch: ['<rootDir>/*.test.ts', '<rootDir>/screens/*.test.ts', '<rootDir>/security/*.test.ts'],
    },
  ],
};
