import { fileURLToPath } from 'node:url';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import { baseConfig } from '@karaar/web-build/webpack.base';

const dir = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');

/** The page of all parts, a separate build that no app ships. */
export default (_env, { mode = 'production' }) => {
  const base = baseConfig({ dir, mode, publicPath: '/' });
  return {
    ...base,
    // Without compression, which only visitors of the product need.
    plugins: [
      ...base.plugins.filter((plugin) => plugin.constructor.name !== 'CompressionPlugin'),
      new HtmlWebpackPlugin({ template: './src/index.html', scriptLoading: 'defer', minify: false }),
    ],
    entry: './src/main.tsx',
  };
};
