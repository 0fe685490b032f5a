/** Folders of one service, app or library must not import each other in a circle, except in tests. */
import { options } from './rooms.mjs';

const FOLDERS =
  '^(services|apps)/[^/]+/src/features/[^/]+$|^(libs|infra|services)/[^/]+/src/[^/]+$|^gateway/src/[^/]+$';

export default {
  forbidden: [
    {
      name: 'no-circular-features',
      severity: 'error',
      scope: 'folder',
      from: { path: FOLDERS },
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: `${options.exclude.path}|\\.(test|e2e|slow)\\.tsx?$|/test/|/testing/` },
  },
};
