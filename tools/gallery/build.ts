import { fileURLToPath } from 'node:url';
import webpack, { type Configuration, type Stats } from 'webpack';

const folder = new URL('../../libs/ui/gallery/', import.meta.url);

/**
 * Builds the gallery of UI parts and returns its folder. With `watch`, rebuilds it after every change.
 * @throws Error with webpack's message if the first build fails
 */
export async function buildGallery({ watch }: { watch: boolean }): Promise<string> {
  const module = (await import(new URL('webpack.config.mjs', folder).href)) as {
    default: (env: unknown, options: { mode: Configuration['mode'] }) => Configuration;
  };
  const compiler = webpack(module.default({}, { mode: watch ? 'development' : 'production' }));
  if (!compiler) throw new Error('webpack made no compiler of the gallery');
  await new Promise<void>((resolve, reject) => {
    const done = (error: Error | null, stats?: Stats): void => {
      const faults = error?.message ?? (stats?.hasErrors() ? stats.toString('errors-only') : null);
      if (faults && watch) console.error(faults);
      if (faults && !watch) return reject(new Error(faults));
      resolve();
    };
    if (watch) compiler.watch({}, done);
    else compiler.run((error, stats) => compiler.close(() => done(error, stats)));
  });
  return fileURLToPath(new URL('dist/', folder));
}
