import { fileURLToPath } from 'node:url';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import CopyPlugin from 'copy-webpack-plugin';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import { BuildManifest } from '@karaar/web-build/build-manifest';
import { baseConfig, CURATED, FEDERATION, sharedSingletons } from '@karaar/web-build/webpack.base';
import { Icons } from './icons.mjs';
import { serviceWorkerConfig } from './service-worker.mjs';

const dir = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');

/** The catalogs that every page waits for. They share one file per language. */
const TEXTS = ['./src/layout/texts'];

/**
 * Scripts without code of the app: the first one, which reports failed loads, and the frame of the card
 * checkout.
 */
const ALONE = { start: './src/start/index.ts', checkout: './src/checkout/index.ts' };
const WORKER = 'sw.js';

/**
 * The federation plugin imports the runtime as CommonJS, other code as ES modules: without these aliases it
 * would be included twice.
 */
const ONE_RUNTIME = Object.fromEntries(
  ['runtime-core', 'sdk', 'error-codes'].map((part) => {
    const name = `@module-federation/${part}`;
    return [`${name}$`, fileURLToPath(import.meta.resolve(name))];
  }),
);

/** Returns true for such a script and its compressed forms and source map. */
const isAlone = (file) => file.split('.js')[0] in ALONE;

function aloneConfig(mode) {
  const base = baseConfig({ dir, mode, publicPath: '/' });
  return {
    ...base,
    name: 'alone',
    entry: ALONE,
    // Each build removes only its own old files; the gateway serves any compressed form that exists.
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
      alias: {
        ...Object.fromEntries(
          Object.keys(CURATED).map((name) => [`${name}-whole$`, fileURLToPath(import.meta.resolve(name))]),
        ),
        ...ONE_RUNTIME,
      },
    },
    optimization: {
      ...base.optimization,
      splitChunks: {
        cacheGroups: {
          // Changes only with React, so browsers keep it across our releases.
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
      new ModuleFederationPlugin({
        ...FEDERATION,
        name: 'karaar_shell',
        shared: sharedSingletons('host'),
        manifest: false,
        experiments: { ...FEDERATION.experiments, provideExternalRuntime: true },
      }),
      new HtmlWebpackPlugin({
        template: './src/index.html',
        inject: false,
        minify: false,
      }),
      new CopyPlugin({ patterns: [`${dir}/public`] }),
      new BuildManifest({ texts: TEXTS }),
      new Icons(`${dir}/public/icon.svg`),
    ],
  };
}

export default (_env, { mode = 'production' }) => [
  aloneConfig(mode),
  shellConfig(mode),
  serviceWorkerConfig(baseConfig({ dir, mode, publicPath: '/' }), WORKER),
];
