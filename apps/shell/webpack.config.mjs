import { fileURLToPath } from 'node:url';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import webpack from 'webpack';
import { BuildManifest } from '../build-manifest.mjs';
import { CuratedImports } from '../curated-imports.mjs';
import { baseConfig, CURATED, sharedSingletons } from '../webpack.base.mjs';
import { Icons } from './icons.mjs';
import { PublicFiles } from './public-files.mjs';
import { serviceWorkerConfig } from './service-worker.mjs';

const dir = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');

/** The font of the first words on every page. */
const FIRST_FONT = /^noto-sans-latin-wght-normal\.[0-9a-f]+\.woff2$/;

/** The catalogs that every page waits for. They share one file per language. */
const TEXTS = ['./src/layout/texts'];

/**
 * Scripts that share nothing with the app: what runs first, so that it can say so when the rest cannot be loaded, and
 * the frame of the card provider's checkout.
 */
const ALONE = { start: './src/start/index.ts', checkout: './src/checkout/index.ts' };
const WORKER = 'sw.js';

/** One of those, or what belongs to it: its packed forms, its source map. */
const isAlone = (file) => file.split('.js')[0] in ALONE;

function aloneConfig(mode) {
  const base = baseConfig({ dir, mode, publicPath: '/' });
  return {
    ...base,
    name: 'alone',
    entry: ALONE,
    // Each build takes away what an older one left of its own; the gateway serves whatever packed form lies there.
    output: { ...base.output, filename: '[name].js', clean: { keep: (file) => !isAlone(file) } },
  };
}

function shellConfig(mode) {
  const base = baseConfig({ dir, mode, publicPath: '/' });
  return {
    ...base,
    name: 'shell',
    entry: './src/index.ts',
    output: { ...base.output, clean: { keep: (file) => file === WORKER || isAlone(file) } },
    resolve: {
      ...base.resolve,
      alias: Object.fromEntries(
        Object.keys(CURATED).map((name) => [`${name}-whole$`, fileURLToPath(import.meta.resolve(name))]),
      ),
    },
    optimization: {
      ...base.optimization,
      splitChunks: {
        cacheGroups: {
          // Changes with a new React only: kept by browsers through our own releases.
          react: {
            test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/,
            chunks: 'initial',
            name: 'react',
            enforce: true,
          },
        },
      },
    },
    plugins: [
      ...base.plugins,
      // No remotes here: their addresses come from /config.json at start (src/remotes/).
      new webpack.container.ModuleFederationPlugin({
        name: 'shell',
        shared: sharedSingletons('host'),
      }),
      new CuratedImports(CURATED),
      new HtmlWebpackPlugin({
        template: './src/index.html',
        inject: false,
        minify: false,
      }),
      new PublicFiles(`${dir}/public`),
      new BuildManifest({ texts: TEXTS, preload: [FIRST_FONT] }),
      new Icons(`${dir}/public/icon.svg`),
    ],
  };
}

export default (_env, { mode = 'production' }) => [
  aloneConfig(mode),
  shellConfig(mode),
  serviceWorkerConfig(baseConfig({ dir, mode, publicPath: '/' }), WORKER),
];
