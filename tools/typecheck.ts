/**
 * `npm run typecheck`: the types of all projects. What has the same compiler options is one program, so that what
 * many projects share is read and checked once; `npm run typecheck -w <project>` checks one by itself.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.karaar/cache/typecheck');
const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
/** Each of its own checks again what the others have seen: two are the quickest for the least work. */
const CHECKERS = '2';

type Config = { extends?: string; compilerOptions?: object; include?: string[]; exclude?: string[] };
type Program = Required<Pick<Config, 'include' | 'exclude'>> & Config;

const programs = new Map<string, Program>();
const tracked = execFileSync('git', ['ls-files', '*tsconfig*.json'], { cwd: root, encoding: 'utf8' });
for (const path of tracked.trim().split('\n')) {
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

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const codes = await Promise.all(
  [...programs.values()].map((program, i) => {
    const file = join(folder, `tsconfig.${i}.json`);
    writeFileSync(file, JSON.stringify(program, null, 2));
    return new Promise<number | null>((done, fail) => {
      const args = [compiler, '-p', file, '--checkers', CHECKERS];
      spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }).once('exit', done).once('error', fail);
    });
  }),
);
process.stdout.write(`${programs.size} programs, ${codes.filter((code) => code !== 0).length} with faults\n`);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
