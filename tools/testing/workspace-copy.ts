/** A copy of the parts of this workspace that generators touch, in which tests may make a mess. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const COPIED = [
  'package.json',
  'tsconfig.base.json',
  'jest.preset.mjs',
  'eslint.config.mjs',
  '.prettierrc.json',
  '.prettierignore',
  '.gitignore',
  'tools',
  'libs/contracts',
  'services/cms',
];

export type WorkspaceCopy = {
  root: string;
  /** Runs a script on this Node; resolves to its exit code and its whole output. */
  run: (script: string, args: readonly string[], cwd?: string) => Promise<{ code: number; output: string }>;
  /** The same for what must end well: resolves to its output. Throws an Error with the output else. */
  succeed: (script: string, args: readonly string[], cwd?: string) => Promise<string>;
  remove: () => void;
};

/** Copies what generators read and change; packages and the other libraries are links to the real ones. */
export function copyWorkspace(): WorkspaceCopy {
  const copy = mkdtempSync(join(tmpdir(), 'karaar-generate-'));
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  // The linter asks git for the projects.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@karaar'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@karaar') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  symlinkSync(join(copy, 'libs/contracts'), join(modules, '@karaar/contracts'));
  for (const name of ['platform', 'testing']) {
    symlinkSync(join(root, 'libs', name), join(modules, '@karaar', name));
  }
  const run: WorkspaceCopy['run'] = (script, args, cwd = '.') =>
    new Promise((resolve) => {
      const options = script.includes('/jest/') ? ['--experimental-vm-modules', '--no-warnings'] : [];
      execFile(
        process.execPath,
        [...options, join(copy, script), ...args],
        { cwd: join(copy, cwd), maxBuffer: 16 * 1024 * 1024 },
        (error, stdout, stderr) => {
          const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
          resolve({ code, output: stdout + stderr });
        },
      );
    });
  return {
    root: copy,
    run,
    succeed: async (script, args, cwd) => {
      const { code, output } = await run(script, args, cwd);
      if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}:\n${output}`);
      return output;
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
