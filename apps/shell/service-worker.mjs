import { createHash } from 'node:crypto';
import { dirname } from 'node:path';

const FILE = 'sw.js';

/**
 * Builds the service worker as one file at the root of the build, beside the app, with a mark of this build in it:
 * a browser knows a new version by another byte in that file.
 */
export class ServiceWorker {
  /** @param entry the worker's source */
  constructor(entry) {
    this.entry = entry;
  }

  apply(compiler) {
    const { EntryPlugin, Compilation, webworker, sources } = compiler.webpack;
    compiler.hooks.make.tapAsync('ServiceWorker', (compilation, done) => {
      const child = compilation.createChildCompiler('ServiceWorker', { filename: FILE }, [
        new webworker.WebWorkerTemplatePlugin(),
        new EntryPlugin(dirname(this.entry), this.entry, { name: 'sw', filename: FILE }),
      ]);
      child.runAsChild((error) => done(error));
    });
    compiler.hooks.thisCompilation.tap('ServiceWorker', (compilation) => {
      // When names are final and nothing is packed yet.
      const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 100;
      compilation.hooks.processAssets.tap({ name: 'ServiceWorker', stage }, () => {
        if (!compilation.getAsset(FILE)) return;
        const names = compilation.getAssets().map(({ name }) => name);
        const build = createHash('sha256').update(names.sort().join('\n')).digest('hex').slice(0, 16);
        compilation.updateAsset(
          FILE,
          (source) => new sources.ConcatSource(`self.BUILD=${JSON.stringify(build)};\n`, source),
        );
      });
    });
  }
}
