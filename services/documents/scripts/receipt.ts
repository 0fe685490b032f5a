/** Bundles the script of the receipt page. `npm run receipt` writes the bundle; a test checks that it is current. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path: string): string =>
  fileURLToPath(new URL(`../src/features/receipt/${path}`, import.meta.url));
export const GENERATED = at('generated/checker.js');

/** Returns the script as one file without imports, for browsers of recent years. */
export async function bundleReceipt(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [at('browser/main.ts')],
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  // `</script` in the code would end the script element that contains it.
  return (outputFiles[0]?.text ?? '').replaceAll('</', '<\\/');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(GENERATED, await bundleReceipt());
