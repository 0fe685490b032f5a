/**
 * The shared configuration of the three front-end builds. Each app's webpack.config.mjs stays a plain webpack
 * config: it calls `baseConfig` and adds its entry, its federation role and its page.
 */
import { createRequire } from 'node:module';
import { brotliCompress, constants as zlib, gzip } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import MinimizerPlugin from 'minimizer-webpack-plugin';

const require = createRequire(import.meta.url);

/**
 * Contract files, which the loader reduces to metadata and constants (contract-loader.mjs); `typed/` holds
 * functions.
 */
const CONTRACTS = /libs[\\/]contracts[\\/](?:(?!typed[\\/])[^\\/]+[\\/][^\\/]+|kit|limits)\.ts$/;

/** A feature's texts, one file per language (texts-loader.mjs). */
const TEXTS = /[\\/]texts[\\/][a-z]{2}\.json$/;

/** Packages that exist once in the page, whoever imports them (design §2.10). */
const SINGLETONS = [
  'react',
  'react-dom',
  'react-router',
  '@tanstack/react-query',
  '@karaar/ui',
  '@karaar/i18n',
  '@karaar/api-client',
];

/**
 * Packages of which few parts are used. A shared module cannot be tree-shaken, because the imports of the
 * remotes are unknown: the shell lists the available parts. `paths` in tsconfig.browser.json maps the
 * packages to these lists, so that the compiler refuses other parts.
 */
export const CURATED = {
  'react-router': fileURLToPath(new URL('../curated/react-router.ts', import.meta.url)),
  '@tanstack/react-query': fileURLToPath(new URL('../curated/react-query.ts', import.meta.url)),
};

/** Options of module federation that all three builds share. */
export const FEDERATION = {
  dts: false,
  dev: false,
  // Use loaded versions; do not load a remote only for its version.
  shareStrategy: 'loaded-first',
  experiments: { optimization: { target: 'web' } },
};

/**
 * Returns the `shared` option of module federation.
 * @param role the `host` provides the modules in its first scripts; a `remote` only consumes them: its build
 * holds no second copy of React or of the design system, and a host without a compatible version refuses it
 */
export function sharedSingletons(role) {
  const shared = (name) => {
    const { version } = require(`${name}/package.json`);
    const agreed = { singleton: true, strictVersion: true, requiredVersion: `^${version}` };
    return role === 'remote'
      ? { ...agreed, import: false }
      : { ...agreed, import: CURATED[name] ?? name, eager: true, version };
  };
  return Object.fromEntries(SINGLETONS.map((name) => [name, shared(name)]));
}

const styleLoaders = (cssLoaderOptions) => [
  MiniCssExtractPlugin.loader,
  { loader: 'css-loader', options: { ...cssLoaderOptions } },
];

/**
 * @param dir the app's folder
 * @param mode webpack's mode
 * @param publicPath where the gateway serves the build
 */
export function baseConfig({ dir, mode, publicPath }) {
  const production = mode === 'production';
  const uniqueName = dir.split('/').at(-1);
  return {
    mode,
    context: dir,
    target: ['web', 'es2022'],
    devtool: production ? false : 'source-map',
    output: {
      path: `${dir}/dist`,
      publicPath,
      clean: true,
      filename: '[name].[contenthash:10].js',
      chunkFilename: '[name].[contenthash:10].js',
      assetModuleFilename: '[name].[contenthash:10][ext]',
      uniqueName,
      // Milliseconds after which a chunk counts as missing; the screen then offers a retry.
      chunkLoadTimeout: 30_000,
      // A remote may come from another origin; browsers check a hash only with CORS.
      crossOriginLoading: 'anonymous',
      // Pages take script URLs from policies only (gateway: require-trusted-types-for).
      trustedTypes: { policyName: `karaar-${uniqueName}` },
    },
    resolve: { extensions: ['.tsx', '.ts', '.mjs', '.js'] },
    module: {
      // A missing export, such as a function of a contract, must break the build, not a screen.
      parser: { javascript: { exportsPresence: 'error' } },
      rules: [
        {
          test: CONTRACTS,
          use: [{ loader: fileURLToPath(new URL('./contract-loader.mjs', import.meta.url)) }],
        },
        {
          test: TEXTS,
          type: 'javascript/auto',
          use: [{ loader: fileURLToPath(new URL('./texts-loader.mjs', import.meta.url)) }],
        },
        {
          test: /\.tsx?$/,
          exclude: [/node_modules/, CONTRACTS],
          loader: 'swc-loader',
          options: {
            jsc: {
              target: 'es2022',
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic', development: !production } },
            },
          },
        },
        {
          test: /\.module\.css$/,
          use: styleLoaders({ modules: { namedExport: false } }),
          sideEffects: false,
        },
        { test: /\.css$/, exclude: /\.module\.css$/, use: styleLoaders(), sideEffects: true },
        { test: /\.(woff2|png|svg|tflite)$/, type: 'asset/resource' },
      ],
    },
    optimization: {
      moduleIds: 'deterministic',
      chunkIds: production ? 'deterministic' : 'named',
      // PDF.js' files are minified already.
      minimizer: [
        new MinimizerPlugin({
          minify: MinimizerPlugin.swcMinify,
          exclude: /pdf\.worker/,
          extractComments: true,
        }),
        new CssMinimizerPlugin(),
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({ filename: '[name].[contenthash:10].css', ignoreOrder: true }),
      ...(production ? [packed('br', brotli), packed('gz', gzip)] : []),
    ],
    performance: { hints: false },
    stats: 'errors-warnings',
  };
}

/** Above this size in bytes the best compression costs more time than it saves. */
const LARGE = 512 * 1024;

function brotli(input, _options, done) {
  const quality = input.length > LARGE ? 9 : 11;
  brotliCompress(input, { params: { [zlib.BROTLI_PARAM_QUALITY]: quality } }, done);
}

/**
 * Returns a plugin that adds a compressed form of each file that gets smaller, for browsers that accept it.
 */
function packed(suffix, algorithm) {
  return new CompressionPlugin({
    filename: `[path][base].${suffix}`,
    algorithm,
    compressionOptions: { level: 9 },
    test: /\.(m?js|css|html|svg|json|webmanifest|tflite)$/,
    threshold: 512,
    minRatio: 0.9,
  });
}
