import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one project's tests came to. */
export interface Counts {
  passed: number;
  failed: number;
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

/**
 * Adds up the `test-results.json` of every project. A project that left none has failed without
 * counting, which counts as one failure.
 */
export function sumResults(projects: readonly TestProject[]): Counts & { uncounted: string[] } {
  const sum = { passed: 0, failed: 0, uncounted: [] as string[] };
  for (const { name, dir } of projects) {
    const counts = readCounts(join(dir, 'test-results.json'));
    if (counts === undefined) sum.uncounted.push(name);
    sum.passed += counts?.passed ?? 0;
    sum.failed += counts?.failed ?? 1;
  }
  return sum;
}

function readCounts(file: string): Counts | undefined {
  if (!existsSync(file)) return undefined;
  const { passed, failed } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Counts>;
  return typeof passed === 'number' && typeof failed === 'number' ? { passed, failed } : undefined;
}
