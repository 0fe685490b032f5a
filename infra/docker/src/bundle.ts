/** `npm run bundle -- PART FOLDER`: bundles one process into plain JavaScript for its image. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyPackages } from './packages.ts';
import { partNamed, type Part } from './parts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Bundled CommonJS packages call `require`. */
const REQUIRE =
  "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);";

/** Optional dependencies that are not installed; their packages run without them. */
const ABSENT = ['bufferutil', 'utf-8-validate', 'pg-native', '@aws-sdk/signature-v4-crt', 'canvas'];

/**
 * Bundles each entry of a part into one file in `target`, with its assets and the packages that stay
 * packages.
 */
export async function bundle(part: Part, target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const source = join(root, part.dir, 'src');
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...part.entries.map((entry) => join(source, entry)),
      ...(part.helpers ?? []).map((helper) => join(root, helper)),
    ].map((file) => ({ in: file, out: basename(file, '.ts') })),
    outdir: target,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'linked',
    keepNames: true,
    banner: { js: REQUIRE },
    external: [...(part.packages ?? []), ...ABSENT],
    logLevel: 'error',
  });
  for (const [from, to] of Object.entries(part.assets ?? {})) cpSync(join(source, from), join(target, to));
  copyPackages(part.packages ?? [], join(root, part.dir), root, target);
  const manifest = { name: `karaar-${part.name}`, private: true, type: 'module' };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest)}\n`);
}

if (import.meta.main) {
  const [name, target] = process.argv.slice(2);
  if (name === undefined || target === undefined) throw new Error('Usage: bundle.ts PART FOLDER');
  await bundle(partNamed(name), resolve(target));
}
