/**
 * `npm run release:remote -- BUILD TARGET`: releases one remote of the front end while gateways serve TARGET.
 * Both are `dist` folders of that remote. To roll back, release the older build again.
 */
import { copyFileSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Gateways read the release from this file, so it is copied last. */
const MANIFEST = 'manifest.json';

/** @throws Error if BUILD is not a complete build; TARGET is unchanged then */
export function releaseRemote(build: string, target: string): void {
  const files = readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(build, join(entry.parentPath, entry.name)));
  if (!files.includes(MANIFEST))
    throw new Error(`${build} has no ${MANIFEST}: it is not a build of a remote`);
  // Files of earlier releases stay, because open pages still request them.
  for (const file of [...files.filter((one) => one !== MANIFEST), MANIFEST]) {
    const to = join(target, file);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(build, file), `${to}.new`);
    renameSync(`${to}.new`, to);
  }
}

if (import.meta.main) {
  const [build, target] = process.argv.slice(2);
  if (build === undefined || target === undefined) {
    process.stderr.write('Usage: npm run release:remote -- BUILD TARGET   (dist folders of one remote)\n');
    process.exitCode = 1;
  } else releaseRemote(resolve(build), resolve(target));
}
