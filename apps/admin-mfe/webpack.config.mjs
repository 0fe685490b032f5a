import { fileURLToPath } from 'node:url';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import { baseConfig, remoteRuntime, sharedSingletons } from '../webpack.base.mjs';

const dir = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');

export default (_env, { mode = 'production' }) => {
  const base = baseConfig({ dir, mode, publicPath: 'auto' });
  return {
    ...base,
    entry: {},
    plugins: [
      ...base.plugins,
      new ModuleFederationPlugin({
        name: 'admin',
        filename: 'remoteEntry.js',
        exposes: { './routes': './src/routes.tsx' },
        shared: sharedSingletons('remote'),
        experiments: remoteRuntime,
        dts: false,
        manifest: false,
      }),
    ],
  };
};
