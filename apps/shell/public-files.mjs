import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts the files of a folder into the build under their own names (config.json, robots.txt, the icon). */
export class PublicFiles {
  constructor(folder) {
    this.folder = folder;
  }

  apply(compiler) {
    const { RawSource } = compiler.webpack.sources;
    compiler.hooks.thisCompilation.tap('PublicFiles', (compilation) => {
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: 'PublicFiles', stage }, () => {
        compilation.contextDependencies.add(this.folder);
        for (const file of readdirSync(this.folder)) {
          compilation.emitAsset(file, new RawSource(readFileSync(join(this.folder, file))));
        }
      });
    });
  }
}
