import preset from '../jest.preset.mjs';

const { reporters, maxWorkers, testSequencer, ...perProject } = preset;
const { testTimeout: _perFile, ...project } = perProject;

/** Journeys share one product, started before the first of them; files in this folder start their own. */
export default {
  reporters,
  maxWorkers,
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
