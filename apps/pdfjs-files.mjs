import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const NAME = 'PdfjsFiles';
/**
 * What PDF.js fetches when a page needs it: encodings of Chinese, Japanese and Korean fonts; fonts that a PDF need not
 * hold; the decoders of JBIG2, CCITT and JPEG 2000 images, as scripts, because the policy of workers compiles no
 * WebAssembly. Without them such scans are read as empty pages.
 */
const FOLDERS = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  wasm: /_nowasm_fallback\.js$/,
};

/** What their makers ask to stay beside them. */
const LICENCE = /^LICENSE/;

/** Puts these files into the build under `pdfjs/`, by their own names: PDF.js asks for them by name. */
export class PdfjsFiles {
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: NAME, stage }, () => {
        for (const [folder, wanted] of Object.entries(FOLDERS)) {
          for (const file of readdirSync(join(root, folder))) {
            if (!wanted.test(file) && !LICENCE.test(file)) continue;
            const name = LICENCE.test(file) ? `${file}.txt` : file;
            const bytes = readFileSync(join(root, folder, file));
            compilation.emitAsset(`pdfjs/${folder}/${name}`, new sources.RawSource(bytes));
          }
        }
      });
    });
  }
}
