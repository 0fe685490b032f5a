/**
 * Combines projects with the same compiler options into one TypeScript program, so that shared files are read
 * and checked once. One program per project would need more than 4 GB in the linter.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root, sourceFiles, textOf } from './testing/source-files.ts';

type Config = { extends?: string; compilerOptions?: object; include?: string[]; exclude?: string[] };
type Program = Required<Pick<Config, 'include' | 'exclude'>> & Config;

/**
 * Writes a tsconfig file for each program and returns the paths.
 * @param folder below `.karaar/cache`
 * @param base takes only the projects that extend it
 */
export function writePrograms(folder: string, base = ''): string[] {
  const programs = new Map<string, Program>();
  for (const path of sourceFiles('*tsconfig*.json')) {
    const config = JSON.parse(textOf(path)) as Config;
    // A base configuration that others extend.
    if (!config.include || !config.extends?.endsWith(base)) continue;
    const from = (paths: readonly string[] = []): string[] =>
      paths.map((each) => resolve(root, dirname(path), each));
    const options = {
      extends: resolve(root, dirname(path), config.extends ?? ''),
      compilerOptions: config.compilerOptions ?? {},
    };
    const program = programs.get(JSON.stringify(options)) ?? { ...options, include: [], exclude: [] };
    program.include.push(...from(config.include));
    program.exclude.push(...from(config.exclude));
    programs.set(JSON.stringify(options), program);
  }
  mkdirSync(folder, { recursive: true });
  return [...programs.values()].map((program, i) => {
    const file = join(folder, `tsconfig.${i}.json`);
    const text = JSON.stringify(program, null, 2);
    // A concurrent run may be reading the file.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
    return file;
  });
}
