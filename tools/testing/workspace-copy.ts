/** A copy of the parts of this workspace that generators touch, in which tests may make a mess. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const COPIED = [
  'package.json',
  'tsconfig.base.json',
  'jest.config.mjs',
  'eslint.config.mjs',
  '.prettierrc.json',
  '.prettierignore',
  '.gitignore',
  'tools',
  'libs/contracts',
  'libs/platform',
  'libs/testing',
  'services/cms',
];
/** Packages that are among the copied ones: they have to meet the copied contracts. */
const COPIED_PACKAGES = ['contracts', 'platform', 'testing'];

export type WorkspaceCopy = {
  root: string;
  /** Runs a script on this Node; resolves to its exit code and its whole output. */
  run: (script: string, args: readonly string[], cwd?: string) => Promise<{ code: number; output: string }>;
  /** The same for what must end well: resolves to its output. Throws an Error with the output else. */
  succeed: (script: string, args: readonly string[], cwd?: string) => Promise<string>;
  /** Ends the servers that its tests started, and removes it. */
  remove: () => Promise<void>;
};

const END_HOSTS = `import { endHost } from '@karaar/testing/test-backing/test-backing';
for (const kind of ['embedded', 'containers']) await endHost(kind);`;

/** Copies what generators read and change; what these need beside them are links to the real ones. */
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
  for (const name of readdirSync(join(root, 'node_modules/@karaar'))) {
    const real = realpathSync(join(root, 'node_modules/@karaar', name));
    const target = COPIED_PACKAGES.includes(name) ? join(copy, relative(root, real)) : real;
    symlinkSync(target, join(modules, '@karaar', name));
  }
  // Tests in the copy start servers of their own: these have users for the copy's services.
  const env = { ...process.env };
  for (const name of ['TEST_DATABASE_URL', 'TEST_NATS_URL', 'TEST_REDIS_URL', 'KARAAR_LEVEL'])
    Reflect.deleteProperty(env, name);
  const node = (args: readonly string[], cwd: string): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        args,
        { cwd: join(copy, cwd), maxBuffer: 16 * 1024 * 1024, env },
        (error, stdout, stderr) => {
          const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
          resolve({ code, output: stdout + stderr });
        },
      );
    });
  const run: WorkspaceCopy['run'] = (script, args, cwd = '.') => {
    const options = script.includes('/jest/') ? ['--experimental-vm-modules', '--no-warnings'] : [];
    return node([...options, join(copy, script), ...args], cwd);
  };
  return {
    root: copy,
    run,
    succeed: async (script, args, cwd) => {
      const { code, output } = await run(script, args, cwd);
      if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}:\n${output}`);
      return output;
    },
    remove: async () => {
      const { code, output } = await node(['--input-type=module', '--eval', END_HOSTS], '.');
      rmSync(copy, { recursive: true, force: true });
      if (code !== 0) throw new Error(`The copy's servers did not end:\n${output}`);
    },
  };
}
