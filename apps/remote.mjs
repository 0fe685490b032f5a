import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import CopyPlugin from 'copy-webpack-plugin';
import { BuildManifest, withEntryHash } from './build-manifest.mjs';
import { baseConfig, FEDERATION, sharedSingletons } from './webpack.base.mjs';

const routes = './src/routes.tsx';
const screens = './src/screens.ts';

/**
 * What PDF.js fetches by name when a page needs it: encodings of Chinese, Japanese and Korean fonts; fonts that a PDF
 * need not hold; the decoders of JBIG2, CCITT and JPEG 2000 images, as scripts, because the policy of workers compiles no
 * WebAssembly. Without them such scans are read as empty pages. Licences stay beside them.
 */
const PDFJS_FILES = {
  'cmaps/*.bcmap': '[name][ext]',
  'standard_fonts/*.{pfb,ttf}': '[name][ext]',
  'wasm/*_nowasm_fallback.js': '[name][ext]',
  '{cmaps,standard_fonts,wasm}/LICENSE*': '[name].txt',
};
const pdfjsFiles = () => {
  const context = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
  const patterns = Object.entries(PDFJS_FILES).map(([from, name]) => ({
    context,
    from,
    to: `pdfjs/[path]${name}`,
    info: { minimized: true },
  }));
  return new CopyPlugin({ patterns });
};

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
          filename: 'remoteEntry.[contenthash:10].js',
          exposes: { './routes': routes },
          shared: sharedSingletons('remote'),
          // What each screen needs is in the manifest of ours, which the gateway reads (build-manifest.mjs).
          manifest: { disableAssetsAnalyze: true, additionalData: withEntryHash },
          // The shell has the runtime.
          experiments: { ...FEDERATION.experiments, externalRuntime: true },
        }),
        new BuildManifest({ routes, screens }),
        ...(showsPdf ? [pdfjsFiles()] : []),
      ],
    };
  };
