import { spawn } from 'node:child_process';
import { accessSync, appendFileSync, constants, mkdirSync, statSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { SetupError } from './report.mjs';

/** Debian installs servers in sbin, which is not on every user's PATH. */
const extraFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/opt/homebrew/bin', '/usr/local/bin'];

/** Returns a PATH with the clone's own programs first (including Node 24) and the servers' folders last. */
export function searchPath(root, path = process.env.PATH ?? '') {
  return [...new Set([join(root, 'node_modules', '.bin'), ...path.split(delimiter), ...extraFolders])]
    .filter((folder) => folder !== '')
    .join(delimiter);
}

/**
 * Returns the full path of the first of these programs on the path.
 *
 * @param {string[]} names
 * @param {string} path
 * @param {string} [except] a folder to skip
 */
export function findProgram(names, path, except) {
  for (const name of names) {
    for (const folder of path.split(delimiter)) {
      if (folder === '' || (except !== undefined && `${folder}${sep}`.startsWith(`${except}${sep}`)))
        continue;
      const file = join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // missing, or not executable for us
  }
}

/**
 * Runs a program to its end. Its output goes to the log file; if it fails, the error contains the end of the
 * output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, log?: string, timeoutMs?: number }} [options]
 * @returns {Promise<string>} standard output
 */
export function run(command, args, { cwd, env = process.env, log, timeoutMs } = {}) {
  return new Promise((resolve, reject) => {
    if (log !== undefined) {
      mkdirSync(dirname(log), { recursive: true });
      appendFileSync(log, `\n$ ${command} ${args.join(' ')}\n`);
    }
    let output = '';
    let all = '';
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    const keep = (chunk) => {
      all = (all + chunk).slice(-20_000);
      if (log !== undefined) appendFileSync(log, chunk);
    };
    child.stdout.on('data', (chunk) => {
      output += chunk;
      keep(chunk);
    });
    child.stderr.on('data', keep);
    child.on('error', (cause) => reject(new SetupError(`cannot run ${command}: ${cause.message}`)));
    child.on('close', (code, by) => {
      if (code === 0) return resolve(output);
      const tail = all.trimEnd().split('\n').slice(-40).join('\n');
      reject(
        new SetupError(
          `${command} ${args.join(' ')} ended with ${by ?? `code ${code}`}\n${tail}${log ? `\n(all of it: ${log})` : ''}`,
        ),
      );
    });
  });
}
