import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitForLock } from '@karaar/testing/machine/lock';
import { SetupError } from '@karaar/testing/machine/report';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { faultOf } from '../tool.ts';

export const webApps = ['shell', 'user-mfe', 'admin-mfe'] as const;

/** Everything that goes into the front end. */
export const inputs = [
  'apps',
  'libs/ui',
  'libs/api-client',
  'libs/contracts',
  'libs/i18n',
  'libs/faces',
  'libs/proof',
  'libs/web-build',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.browser.json',
];
const outputs = new Set(['node_modules', 'dist', 'coverage']);
const stampFile = join(stateRoot, 'web-build.json');

/** True when the built front end is of the present sources. */
export function webIsBuilt(): boolean {
  if (!webApps.every((app) => existsSync(join(cloneRoot, 'apps', app, 'dist')))) return false;
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint(cloneRoot, inputs);
}

/** Another process writes the front end from now on: the next `buildWeb` builds it again. */
export function forgetWebBuild(): void {
  rmSync(stampFile, { force: true });
}

/**
 * Builds the front end when its sources have changed since the last time; Nx then builds only the apps
 * concerned. Of two processes that ask at the same time, one builds and the other waits.
 *
 * @param abort stops a build that is under way
 * @throws SetupError with the end of the build's output
 */
export async function buildWeb(abort = new AbortController().signal): Promise<void> {
  const release = await waitForLock(join(stateRoot, 'web-build.lock'));
  try {
    if (webIsBuilt()) return;
    // Taken before the build: a source saved during it makes the next start build again.
    const built = fingerprint(cloneRoot, inputs);
    rmSync(stampFile, { force: true });
    const projects = webApps.map((app) => `@karaar/${app}`).join(',');
    const args = ['run-many', '-t', 'build', '-p', projects, '--output-style=static'];
    // No daemon, which would outlive us, and plain output.
    const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' };
    const fault = await faultOf('web-build', 'nx', args, env, abort);
    if (fault)
      throw new SetupError(`The build of the front end ${fault.how}:\n${fault.lines.slice(-40).join('\n')}`);
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, built);
  } finally {
    release();
  }
}

/**
 * A text that changes when one of these files or folders does. Looks at names, sizes and times only,
 * which is quick enough for every start; what really changed is for Nx to say.
 */
export function fingerprint(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found === undefined) return;
    if (!found.isDirectory()) {
      hash.update(`${path}\0${found.size}\0${found.mtimeMs}\0`);
      return;
    }
    const entries = readdirSync(join(root, path)).sort();
    for (const entry of entries) if (!outputs.has(entry)) visit(join(path, entry));
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}
