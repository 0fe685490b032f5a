import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import webpack from 'webpack';

/** Files of the build of which another one means another version. */
const VERSIONED = /\.[0-9a-f]{8,}\.(m?js|css)$/;

/** A mark of the app's build that is in a folder: the hashes in its names. */
function buildMark(folder) {
  const names = readdirSync(folder).filter((name) => VERSIONED.test(name));
  return createHash('sha256').update(names.sort().join('\n')).digest('hex').slice(0, 16);
}

/** The service worker as one file at the root of the app's build, made after it. */
export function serviceWorkerConfig(base, file) {
  return {
    ...base,
    name: 'service worker',
    // After the app: the mark is of its files.
    dependencies: ['shell'],
    target: ['webworker', 'es2022'],
    entry: './worker/sw.ts',
    output: { ...base.output, filename: file, clean: false },
    plugins: [
      // A browser knows a new version by another byte in this file.
      new webpack.BannerPlugin({ raw: true, banner: () => `self.BUILD='${buildMark(base.output.path)}';` }),
    ],
  };
}
