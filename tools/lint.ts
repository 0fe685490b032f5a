/** `npm run lint`: runs ESLint, the type-aware rules of Oxlint, and the checks of the structure. */
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './testing/source-files.ts';

const bin = (name: string): string => join(root, 'node_modules/.bin', name);

// Without the project graph, the boundary rule is skipped silently.
execFileSync(process.execPath, [bin('nx'), 'show', 'projects'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const cache = ['--cache', '--cache-location', join(root, '.karaar/cache/eslint')];
// Circular imports, and imports from a lower room to a higher one.
const rooms = ['apps', 'bench', 'e2e', 'gateway', 'infra', 'libs', 'services', 'tools'];
const structure = ['rooms', 'features'].map((rules) => [
  bin('depcruise'),
  ...['--config', `tools/structure/${rules}.mjs`, ...rooms],
]);

const waiting = [[bin('oxlint')], [bin('eslint'), '.', ...cache], ...structure];
async function runWaiting(): Promise<void> {
  for (let args = waiting.shift(); args !== undefined; args = waiting.shift())
    try {
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 1e8 });
      process.stdout.write(stdout);
    } catch (error) {
      // execFile adds both outputs to its errors; a program that was killed may have printed nothing.
      const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
      process.stdout.write(stdout + stderr || `${message}\n`);
      process.exitCode = 1;
    }
}
// More than two would not fit into the memory of a small machine.
await Promise.all([runWaiting(), runWaiting()]);
