/** Bundles the receipt's script. `npm run receipt` writes it; a test compares. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path: string): string =>
  fileURLToPath(new URL(`../src/features/receipt/${path}`, import.meta.url));
export const GENERATED = at('generated/checker.js');

/** One script without imports, for browsers of the last years. */
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
  // Never the end of the script element that it is in.
  return (outputFiles[0]?.text ?? '').replaceAll('</', '<\\/');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(GENERATED, await bundleReceipt());
