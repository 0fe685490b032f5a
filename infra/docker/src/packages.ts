/** Takes a package and everything it needs at run time out of the workspace's node_modules. */
import { constants, cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

type Manifest = {
  name: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/**
 * Copies the named packages with all their dependencies to `target/node_modules`, at the same places below it
 * as they have here, so that each finds the version it was resolved to. Optional ones come along where they
 * are installed, that is, for this machine's system and processor.
 *
 * @param from the folder whose imports are meant
 * @throws Error naming a package that is needed and not installed
 */
export function copyPackages(names: readonly string[], from: string, root: string, target: string): string[] {
  const copied = new Map<string, string>();
  const waiting = names.map((name) => ({ name, from, optional: false }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = findPackage(next.name, next.from, root);
    if (folder === undefined) {
      if (next.optional) continue;
      throw new Error(`${next.name}, needed by ${relative(root, next.from)}, is not installed`);
    }
    if (copied.has(folder)) continue;
    const place = placeOf(folder, root);
    copied.set(folder, place);
    cpSync(folder, join(target, place), {
      recursive: true,
      dereference: true,
      filter: isRunTime(folder),
      mode: constants.COPYFILE_FICLONE,
    });
    const manifest = readManifest(folder);
    const needed = [
      ...Object.keys(manifest.dependencies ?? {}).map((name) => ({ name, optional: false })),
      ...Object.keys(manifest.peerDependencies ?? {}).map((name) => ({ name, optional: true })),
      ...Object.keys(manifest.optionalDependencies ?? {}).map((name) => ({ name, optional: true })),
    ];
    // npm lists an optional dependency twice; there it is optional.
    const optional = new Set(Object.keys(manifest.optionalDependencies ?? {}));
    for (const one of needed)
      waiting.push({ name: one.name, from: folder, optional: one.optional || optional.has(one.name) });
  }
  return [...copied.values()].sort();
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The folder that Node's own search finds, from `from` up to the root. */
function findPackage(name: string, from: string, root: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

/** A package of the workspace's root keeps its place; one of a service's own folder moves up to the bundle. */
function placeOf(folder: string, root: string): string {
  const path = relative(root, folder).split(sep);
  return path.slice(path.indexOf('node_modules')).join(sep);
}

const SYSTEMS = new Set(['linux', 'darwin', 'win32']);

/** Nested packages are copied by themselves, where they are needed; programs of other systems not at all. */
function isRunTime(folder: string): (source: string) => boolean {
  return (source) => {
    const path = relative(folder, source).split(sep);
    if (path.includes('node_modules')) return false;
    // onnxruntime-node brings its library for each system: bin/napi-v6/<system>/<processor>.
    const at = path.findIndex((name, index) => path[0] === 'bin' && index > 0 && SYSTEMS.has(name));
    if (at < 0) return true;
    return path[at] === process.platform && (path[at + 1] ?? process.arch) === process.arch;
  };
}
