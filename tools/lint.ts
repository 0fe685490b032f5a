/**
 * `npm run lint`: runs ESLint on the repository in parts. Type-aware rules keep every type in memory: 3.8 GB for
 * the whole repository, more than Node's default on small machines.
 */
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './testing/source-files.ts';

const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const FOLDERS = ['apps', 'libs', 'services'];
const parts: { name: string; args: string[] }[] = [
  ...FOLDERS.map((folder) => ({ name: folder, args: [folder] })),
  { name: 'rest', args: ['.', ...FOLDERS.flatMap((folder) => ['--ignore-pattern', `${folder}/`])] },
];

// Without the project graph, the boundary rule is skipped silently.
execFileSync(process.execPath, [bin('nx'), 'show', 'projects'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const eslint = parts.map(({ name, args }) => {
  const cache = ['--cache', '--cache-location', join(root, `.karaar/cache/eslint-${name}`)];
  return ['--max-old-space-size=3072', bin('eslint'), ...args, ...cache];
});
// Circular imports, and imports from a lower room to a higher one.
const rooms = [...FOLDERS, 'bench', 'e2e', 'gateway', 'infra', 'tools'];
const structure = ['rooms', 'features'].map((rules) => [
  bin('depcruise'),
  ...['--config', `tools/structure/${rules}.mjs`, ...rooms],
]);

const waiting = [...eslint, ...structure];
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
