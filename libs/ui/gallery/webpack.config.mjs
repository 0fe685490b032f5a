import { fileURLToPath } from 'node:url';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import { baseConfig } from '@karaar/web-build/webpack.base';

const dir = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');

/** The page of all parts, a build of its own that no app ships. */
export default (_env, { mode = 'production' }) => {
  const base = baseConfig({ dir, mode, publicPath: '/' });
  return {
    ...base,
    // What it takes to compress is spent for visitors of the product.
    plugins: [
      ...base.plugins.filter((plugin) => plugin.constructor.name !== 'CompressionPlugin'),
      new HtmlWebpackPlugin({ template: './src/index.html', scriptLoading: 'defer', minify: false }),
    ],
    entry: './src/main.tsx',
  };
};
