/**
 * What the three front-end builds share. Each app's webpack.config.mjs stays a plain webpack config:
 * it calls `baseConfig` and adds its entry, its federation role and its page.
 */
import { createRequire } from 'node:module';
import { brotliCompress, constants as zlib } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import MinimizerPlugin from 'minimizer-webpack-plugin';

const require = createRequire(import.meta.url);

/** Contract files, of which the bundle gets metadata only (contract-loader.mjs). */
const CONTRACTS = /libs[\\/]contracts[\\/](.+[\\/]http|limits)\.ts$/;

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
];

/**
 * The `shared` option of module federation.
 * @param role the `host` brings the modules; a `remote` only consumes them, so that its own build
 *   holds no second copy of React or of the design system.
 * @param curated modules to provide in place of whole packages, for packages of which a little is used
 */
export function sharedSingletons(role, curated = {}) {
  const entry = (name) => ({
    singleton: true,
    version: require(`${name}/package.json`).version,
    requiredVersion: false,
    ...(role === 'remote' ? { import: false } : {}),
    ...(role === 'host' && name in curated ? { import: curated[name] } : {}),
  });
  return Object.fromEntries(SINGLETONS.map((name) => [name, entry(name)]));
}

/** One federation runtime in the page: the shell brings it, a remote's entry holds none. */
const smaller = { disableSnapshot: true, target: 'web' };
export const hostRuntime = { provideExternalRuntime: true, optimization: smaller };
export const remoteRuntime = { externalRuntime: true, optimization: smaller };

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
      uniqueName: dir.split('/').at(-1),
    },
    resolve: { extensions: ['.tsx', '.ts', '.mjs', '.js'] },
    module: {
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
        { test: /\.(woff2|png|svg)$/, type: 'asset/resource' },
      ],
    },
    optimization: {
      moduleIds: 'deterministic',
      chunkIds: production ? 'deterministic' : 'named',
      // The PDF worker comes minified.
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
      ...(production ? [brotli()] : []),
    ],
    performance: { hints: false },
    stats: 'errors-warnings',
  };
}

/** Bytes from which the best quality costs more time than it saves. */
const LARGE = 256 * 1024;

/** A `.br` beside each text file, which the gateway serves to browsers that take it. */
function brotli() {
  return new CompressionPlugin({
    filename: '[path][base].br',
    algorithm: (input, _options, done) => {
      const quality = input.length > LARGE ? 9 : 11;
      brotliCompress(input, { params: { [zlib.BROTLI_PARAM_QUALITY]: quality } }, done);
    },
    test: /\.(m?js|css|html|svg|json)$/,
    threshold: 512,
    minRatio: 0.9,
  });
}
