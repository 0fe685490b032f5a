import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Returns the files that match git patterns, including new files that are not ignored. */
export function sourceFiles(...patterns: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));
}

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
