/**
 * `npm run lint`: runs ESLint on one part of the repository after the other. Type-aware rules keep every type
 * in memory: 3.8 GB for the whole repository, more than Node's default on small machines.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
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
const codes = parts.map(({ name, args }) => {
  const cache = ['--cache', '--cache-location', join(root, `.karaar/cache/eslint-${name}`)];
  const node = ['--max-old-space-size=3072', bin('eslint'), ...args, ...cache];
  return spawnSync(process.execPath, node, { cwd: root, stdio: 'inherit' }).status;
});
// Circular imports, and imports from a lower room to a higher one.
const rooms = [...FOLDERS, 'bench', 'e2e', 'gateway', 'infra', 'tools'];
const structure = ['rooms', 'features'].map(
  (rules) =>
    spawnSync(process.execPath, [bin('depcruise'), '--config', `tools/structure/${rules}.mjs`, ...rooms], {
      cwd: root,
      stdio: 'inherit',
    }).status,
);
process.exitCode = [...codes, ...structure].every((code) => code === 0) ? 0 : 1;
