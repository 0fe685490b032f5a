import preset from '../../jest.preset.mjs';

/** @type {import('jest').Config} */
export default {
  ...preset,
  globalSetup: '<rootDir>/test/shared-converter/setup.mjs',
  globalTeardown: '<rootDir>/test/shared-converter/teardown.mjs',
};
