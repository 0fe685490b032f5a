/**
 * `npm run typecheck`: the types of all projects, in as few programs as there are compiler options;
 * `npm run typecheck -w <project>` checks one by itself.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { writePrograms } from './ts-programs.ts';

const root = join(import.meta.dirname, '..');
const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
/** Each of its own checks again what the others have seen: two are the quickest for the least work. */
const CHECKERS = '2';

const programs = writePrograms(join(root, '.karaar/cache/typecheck'));
const codes = await Promise.all(
  programs.map(
    (file) =>
      new Promise<number | null>((done, fail) => {
        const args = [compiler, '-p', file, '--checkers', CHECKERS];
        spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }).once('exit', done).once('error', fail);
      }),
  ),
);
process.stdout.write(
  `${programs.length} programs, ${codes.filter((code) => code !== 0).length} with faults\n`,
);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
