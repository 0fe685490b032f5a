/** Takes a package and everything it needs at run time out of the workspace's node_modules. */
import { constants, cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

type Manifest = Partial<
  Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', Record<string, string>>
>;

/**
 * Copies the named packages with all their dependencies to `target/node_modules`, at the same places below it
 * as they have here, so that each finds the version it was resolved to. Optional ones come along where they
 * are installed, that is, for this machine's system and processor.
 *
 * @param from the folder whose imports are meant
 * @throws Error naming a package that is needed and not installed
 */
export function copyPackages(names: readonly string[], from: string, root: string, target: string): void {
  const copied = new Set<string>();
  const waiting = names.map((name) => ({ name, from, optional: false }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = findPackage(next.name, next.from, root);
    if (folder === undefined) {
      if (next.optional) continue;
      throw new Error(`${next.name}, needed by ${relative(root, next.from)}, is not installed`);
    }
    if (copied.has(folder)) continue;
    copied.add(folder);
    cpSync(folder, join(target, placeOf(folder, root)), {
      recursive: true,
      dereference: true,
      filter: isRunTime(folder),
      mode: constants.COPYFILE_FICLONE,
    });
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
    } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    // npm lists an optional dependency among the others too.
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      waiting.push({ name, from: folder, optional: !(name in dependencies) || name in optionalDependencies });
  }
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

/** Nested packages are copied by themselves, where they are needed; programs of other systems not at all. */
function isRunTime(folder: string): (source: string) => boolean {
  return (source) => {
    const path = relative(folder, source).split(sep);
    if (path.includes('node_modules')) return false;
    // onnxruntime-node brings its library for each system: bin/napi-v6/<system>/<processor>.
    const at = path.findIndex((name) => path[0] === 'bin' && /^(linux|darwin|win32)$/.test(name));
    if (at < 0) return true;
    return path[at] === process.platform && (path[at + 1] ?? process.arch) === process.arch;
  };
}
