/**
 * `npm run typecheck`: checks the types of all projects, in one program per set of compiler options. `npm run
 * typecheck -w <project>` checks one project.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { writePrograms } from './ts-programs.ts';
import { root } from './testing/source-files.ts';

const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
/** Each checker repeats some work of the others; two are the fastest on few cores. */
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
