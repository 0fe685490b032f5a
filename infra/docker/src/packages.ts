import { constants, cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

type Manifest = Partial<
  Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', Record<string, string>>
>;

/**
 * Copies packages with their installed dependencies, each at its path in the workspace.
 * @throws Error if one is missing
 */
export function copyPackages(names: readonly string[], from: string, root: string, target: string): void {
  const copied = new Set<string>();
  const copy = (name: string, by: string, isOptional = false): void => {
    const folder = findPackage(name, by, root);
    if (folder === undefined && isOptional) return;
    if (folder === undefined) throw new Error(`${name}, needed by ${relative(root, by)}, is not installed`);
    if (copied.has(folder)) return;
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
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      copy(one, folder, !(one in dependencies) || one in optionalDependencies);
  };
  for (const name of names) copy(name, from);
}

/** Resolves a package as Node does, from `from` up to the root. */
function findPackage(name: string, from: string, root: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

/** Returns the path in the bundle: from the first `node_modules` on. */
function placeOf(folder: string, root: string): string {
  const path = relative(root, folder).split(sep);
  return path.slice(path.indexOf('node_modules')).join(sep);
}

/** Leaves out nested packages, which are copied if they are needed, and binaries for other systems. */
function isRunTime(folder: string): (source: string) => boolean {
  return (source) => {
    const path = relative(folder, source).split(sep);
    if (path.includes('node_modules')) return false;
    // onnxruntime-node has a library for each system: bin/napi-v6/<system>/<processor>.
    const at = path.findIndex((name) => path[0] === 'bin' && /^(linux|darwin|win32)$/.test(name));
    if (at < 0) return true;
    return path[at] === process.platform && (path[at + 1] ?? process.arch) === process.arch;
  };
}
