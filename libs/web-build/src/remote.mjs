import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import CopyPlugin from 'copy-webpack-plugin';
import { BuildManifest, withEntryHash } from './build-manifest.mjs';
import { baseConfig, FEDERATION, sharedSingletons } from './webpack.base.mjs';

const routes = './src/routes.tsx';
const screens = './src/screens.ts';

/**
 * Files that PDF.js loads by name when a page needs them: encodings of Chinese, Japanese and Korean fonts;
 * standard fonts; the decoders of JBIG2, CCITT and JPEG 2000 images, as scripts, because the CSP of workers
 * allows no WebAssembly. Without them such scans are empty pages. The licences are with them.
 */
const PDFJS_FILES = {
  'cmaps/*.bcmap': '[name][ext]',
  'standard_fonts/*.{pfb,ttf}': '[name][ext]',
  'wasm/*_nowasm_fallback.js': '[name][ext]',
  '{cmaps,standard_fonts,wasm}/LICENSE*': '[name].txt',
};
const pdfjs = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
const pdfjsFiles = () => {
  const patterns = Object.entries(PDFJS_FILES).map(([from, name]) => ({
    context: pdfjs,
    from,
    to: `pdfjs/[path]${name}`,
    info: { minimized: true },
  }));
  return new CopyPlugin({ patterns });
};

/**
 * PDF.js' build for older browsers, also inside react-pdf: the modern one calls recent functions of Chrome
 * (docs/design.md §2), and a party with an older browser could not read the document before approval.
 */
const PDFJS_LEGACY = {
  'pdfjs-dist$': join(pdfjs, 'legacy/build/pdf.mjs'),
  'pdfjs-dist/build': join(pdfjs, 'legacy/build'),
  'pdfjs-dist/web': join(pdfjs, 'legacy/web'),
};
const PDFJS_RULE = {
  test: /[\\/]pdfjs-dist[\\/]legacy[\\/]build[\\/]pdf(\.worker\.min)?\.mjs$/,
  use: [{ loader: fileURLToPath(new URL('./pdfjs-loader.mjs', import.meta.url)) }],
};

/**
 * Returns the webpack configuration of a micro-frontend: its routes as a remote that the shell loads at run
 * time (ADR 0061).
 * @param {string} name its name in the shell's configuration
 * @param {string} dir the app's folder
 * @param {{ showsPdf?: boolean }} options true if its screens show PDFs, for which PDF.js needs additional
 * files
 */
export const remoteConfig =
  (name, dir, { showsPdf = false } = {}) =>
  (_env, { mode = 'production' }) => {
    const base = baseConfig({ dir, mode, publicPath: 'auto' });
    return {
      ...base,
      ...(showsPdf
        ? {
            resolve: { ...base.resolve, alias: PDFJS_LEGACY },
            module: { ...base.module, rules: [...base.module.rules, PDFJS_RULE] },
          }
        : {}),
      entry: {},
      plugins: [
        ...base.plugins,
        new ModuleFederationPlugin({
          ...FEDERATION,
          name: `karaar_${name}`,
          filename: 'remoteEntry.[contenthash:10].js',
          exposes: { './routes': routes },
          shared: sharedSingletons('remote'),
          // Our own manifest (build-manifest.mjs), which the gateway reads, has the files of each screen.
          manifest: { disableAssetsAnalyze: true, additionalData: withEntryHash },
          // The shell provides the runtime.
          experiments: { ...FEDERATION.experiments, externalRuntime: true },
        }),
        new BuildManifest({ routes, screens }),
        ...(showsPdf ? [pdfjsFiles()] : []),
      ],
    };
  };
