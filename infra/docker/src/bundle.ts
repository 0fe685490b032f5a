/**
 * `node infra/docker/src/bundle.ts PART FOLDER`: one process as plain JavaScript that needs Node and nothing of
 * this repository. The images are made of it.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyPackages } from './packages.ts';
import { partNamed, type Part } from './parts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** CommonJS packages inside of a module ask for `require`. */
const REQUIRE =
  "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);";

/** Never installed; their packages ask for them in vain and go on without. */
const ABSENT = ['bufferutil', 'utf-8-validate', 'pg-native', '@aws-sdk/signature-v4-crt', 'canvas'];

/**
 * Bundles a part into `target` (emptied first): each entry a file of its own, with its source map, its assets
 * beside it and in `node_modules` the packages that cannot be bundled.
 * @throws Error when something is imported that is neither there nor known to be absent
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
