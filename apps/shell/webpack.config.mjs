import { fileURLToPath } from 'node:url';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import { baseConfig, hostRuntime, sharedSingletons } from '../webpack.base.mjs';
import { PublicFiles } from './public-files.mjs';

const dir = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');

export default (_env, { mode = 'production' }) => {
  const base = baseConfig({ dir, mode, publicPath: '/' });
  return {
    ...base,
    entry: './src/index.ts',
    resolve: {
      ...base.resolve,
      alias: { 'react-router-whole$': fileURLToPath(import.meta.resolve('react-router')) },
    },
    plugins: [
      ...base.plugins,
      // No remotes here: their addresses come from /config.json at start (src/remotes/).
      new ModuleFederationPlugin({
        name: 'shell',
        shared: sharedSingletons('host', { 'react-router': './src/shared/react-router.ts' }),
        experiments: hostRuntime,
        dts: false,
        manifest: false,
      }),
      new HtmlWebpackPlugin({ template: './src/index.html', scriptLoading: 'defer', minify: false }),
      new PublicFiles(`${dir}/public`),
    ],
  };
};
