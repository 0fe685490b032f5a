import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import { BuildManifest, withEntryHash } from './build-manifest.mjs';
import { CuratedImports } from './curated-imports.mjs';
import { PdfjsFiles } from './pdfjs-files.mjs';
import { baseConfig, CURATED, FEDERATION, sharedSingletons } from './webpack.base.mjs';

const routes = './src/routes.tsx';
const screens = './src/screens.ts';

/**
 * The build of a micro-frontend: its routes as a remote that the shell loads at run time (ADR 0061).
 *
 * @param {string} name what the shell's configuration calls it
 * @param {string} dir the app's folder
 * @param {{ showsPdf?: boolean }} options whether its screens show PDFs, for which PDF.js needs files of its own
 */
export const remoteConfig =
  (name, dir, { showsPdf = false } = {}) =>
  (_env, { mode = 'production' }) => {
    const base = baseConfig({ dir, mode, publicPath: 'auto' });
    return {
      ...base,
      entry: {},
      plugins: [
        ...base.plugins,
        new ModuleFederationPlugin({
          ...FEDERATION,
          name: `karaar_${name}`,
          filename: 'remoteEntry.js',
          exposes: { './routes': routes },
          shared: sharedSingletons('remote'),
          // What each screen needs is in the manifest of ours, which the gateway reads (build-manifest.mjs).
          manifest: { disableAssetsAnalyze: true, additionalData: withEntryHash },
          // The shell has the runtime.
          experiments: { ...FEDERATION.experiments, externalRuntime: true },
        }),
        new CuratedImports(CURATED),
        new BuildManifest({ routes, screens }),
        ...(showsPdf ? [new PdfjsFiles()] : []),
      ],
    };
  };
