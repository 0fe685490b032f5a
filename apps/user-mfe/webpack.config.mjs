import { fileURLToPath } from 'node:url';
import webpack from 'webpack';
import { BuildManifest } from '../build-manifest.mjs';
import { CuratedImports } from '../curated-imports.mjs';
import { baseConfig, CURATED, sharedSingletons } from '../webpack.base.mjs';

const dir = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');
const routes = './src/routes.tsx';

export default (_env, { mode = 'production' }) => {
  const base = baseConfig({ dir, mode, publicPath: 'auto' });
  return {
    ...base,
    entry: {},
    plugins: [
      ...base.plugins,
      new webpack.container.ModuleFederationPlugin({
        name: 'user',
        filename: 'remoteEntry.js',
        library: { type: 'window', name: ['karaarRemotes', 'user'] },
        exposes: { './routes': routes },
        shared: sharedSingletons('remote'),
      }),
      new CuratedImports(CURATED),
      new BuildManifest({ routes }),
    ],
  };
};
