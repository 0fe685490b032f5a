import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import webpack from 'webpack';

/** Files of the build whose names contain a hash. */
const VERSIONED = /\.[0-9a-f]{8,}\.(m?js|css)$/;

/** Returns an identifier of the build in a folder, from the hashes in its file names. */
function buildMark(folder) {
  const names = readdirSync(folder).filter((name) => VERSIONED.test(name));
  return createHash('sha256').update(names.sort().join('\n')).digest('hex').slice(0, 16);
}

/**
 * Returns the webpack configuration of the service worker: one file at the root of the build, made after the
 * app.
 */
export function serviceWorkerConfig(base, file) {
  return {
    ...base,
    name: 'service worker',
    // After the app, because the identifier comes from its files.
    dependencies: ['shell'],
    target: ['webworker', 'es2022'],
    entry: './worker/sw.ts',
    output: { ...base.output, filename: file, clean: false },
    plugins: [
      // A changed byte in this file makes browsers install the new version.
      new webpack.BannerPlugin({ raw: true, banner: () => `self.BUILD='${buildMark(base.output.path)}';` }),
    ],
  };
}
