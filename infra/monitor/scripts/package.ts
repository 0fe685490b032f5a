/**
 * `npm run package -- FOLDER`: the monitor as an npm package of one file without dependencies. The bundled
 * packages (@noble/*) are MIT-licensed; the file contains their notices.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function writePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(root, 'src/main.ts')],
    outfile: join(folder, 'karaar-monitor.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'eof',
    logLevel: 'error',
  });
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
    description: string;
  };
  const manifest = {
    name: 'karaar-monitor',
    version,
    description,
    type: 'module',
    bin: { 'karaar-monitor': 'karaar-monitor.js' },
    engines: { node: '>=20' },
    files: ['karaar-monitor.js', 'README.md'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'README.md'), join(folder, 'README.md'));
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Usage: package.ts FOLDER');
  await writePackage(resolve(folder));
}
