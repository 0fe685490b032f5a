/**
 * `npm run release:remote -- BUILD TARGET`: releases one remote of the front end alone, while gateways serve TARGET.
 * Both are `dist` folders of the same remote. An older build, released again, takes the release back.
 */
import { copyFileSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What a gateway reads to know the release: it comes last, so that everything which it names is there. */
const MANIFEST = 'manifest.json';

/** @throws Error when BUILD is not a whole build; TARGET then names the release that it named before */
export function releaseRemote(build: string, target: string): void {
  const files = readdirSync(resolve(build), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(resolve(build).length + 1));
  if (!files.includes(MANIFEST))
    throw new Error(`${build} has no ${MANIFEST}: it is not a build of a remote`);
  for (const file of files) if (file !== MANIFEST) put(join(build, file), join(target, file));
  put(join(build, MANIFEST), join(target, MANIFEST));
}

/** Whole or not at all for whoever reads it. Files of earlier releases stay: open pages still ask for them. */
function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const draft = `${to}.new`;
  copyFileSync(from, draft);
  renameSync(draft, to);
}

if (import.meta.main) {
  const [build, target] = process.argv.slice(2);
  if (build === undefined || target === undefined) {
    process.stderr.write('Usage: npm run release:remote -- BUILD TARGET   (dist folders of one remote)\n');
    process.exitCode = 1;
  } else releaseRemote(resolve(build), resolve(target));
}
