import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The result of one test file; `path` is relative to its project. */
export interface FileResult {
  path: string;
  passed: number;
  failures: { test: string; error: string }[];
}

/** A project of the workspace that has tests. */
export interface TestProject {
  name: string;
  dir: string;
}

const skipped = new Set(['node_modules', 'dist', '.git', '.karaar', '.nx', 'coverage']);

/** File names of the tests that `npm test` runs, and of those that `npm run test:long` does. */
const SHORT = /(?<!\.long)\.test\.tsx?$/;
const LONG = /\.long\.test\.ts$/;

/**
 * Projects below `root` that hold at least one test file, by the name in their package.json.
 *
 * @param which the long tests or, when not given, all others
 */
export function projectsWithTests(
  root: string,
  patterns: readonly string[],
  which: 'short' | 'long' = 'short',
): TestProject[] {
  const dirs = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [join(root, pattern)];
    const parent = join(root, pattern.slice(0, -2));
    return existsSync(parent) ? readdirSync(parent).map((entry) => join(parent, entry)) : [];
  });
  return dirs.flatMap((dir) => {
    const manifest = join(dir, 'package.json');
    if (!existsSync(manifest) || !hasTests(dir, which === 'long' ? LONG : SHORT)) return [];
    return [{ name: (JSON.parse(readFileSync(manifest, 'utf8')) as { name: string }).name, dir }];
  });
}

function hasTests(dir: string, names: RegExp): boolean {
  return readdirSync(dir, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory()) return !skipped.has(entry.name) && hasTests(join(dir, entry.name), names);
    return names.test(entry.name);
  });
}

/** Forgets the results of an earlier run. */
export function removeResults({ dir }: TestProject): void {
  rmSync(join(dir, 'test-results.json'), { force: true });
}

/** The results that a project's last run left, or undefined when that run ended without writing them. */
export function readResults({ dir }: TestProject): FileResult[] | undefined {
  const file = join(dir, 'test-results.json');
  if (!existsSync(file)) return undefined;
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as { files?: FileResult[] };
  return Array.isArray(files) ? files : undefined;
}
