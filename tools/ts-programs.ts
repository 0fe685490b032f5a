/**
 * The projects of the repository as few TypeScript programs: what has the same compiler options is one, so that what
 * many projects share is read and checked once. One program per project would need more than 4 GB in the linter.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');

type Config = { extends?: string; compilerOptions?: object; include?: string[]; exclude?: string[] };
type Program = Required<Pick<Config, 'include' | 'exclude'>> & Config;

/**
 * Writes a tsconfig file for each program.
 * @param folder where to, below `.karaar/cache`; made when it is not there
 * @returns the paths of these files
 */
export function writePrograms(folder: string): string[] {
  const programs = new Map<string, Program>();
  // A project that is not committed yet counts as well.
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*tsconfig*.json'];
  const found = execFileSync('git', list, { cwd: root, encoding: 'utf8' });
  for (const path of found.trim().split('\n')) {
    const config = JSON.parse(readFileSync(join(root, path), 'utf8')) as Config;
    // The ones that others extend.
    if (!config.include) continue;
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
    // A second run beside this one may be reading it.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
    return file;
  });
}
