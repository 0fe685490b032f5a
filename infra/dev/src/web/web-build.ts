import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitForLock } from '@karaar/testing/machine/lock';
import { SetupError } from '@karaar/testing/machine/report';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { faultOf } from '../tool.ts';

export const webApps = ['shell', 'user-mfe', 'admin-mfe'] as const;

/** The sources of the front end. */
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

/** Returns true if the built front end matches the sources. */
export function webIsBuilt(): boolean {
  if (!webApps.every((app) => existsSync(join(cloneRoot, 'apps', app, 'dist')))) return false;
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint(cloneRoot, inputs);
}

/** Makes the next `buildWeb` build, because another process writes the front end from now on. */
export function forgetWebBuild(): void {
  rmSync(stampFile, { force: true });
}

/** Builds the front end if its sources changed. Concurrent callers wait for one build. @throws SetupError */
export async function buildWeb(abort = new AbortController().signal): Promise<void> {
  const release = await waitForLock(join(stateRoot, 'web-build.lock'));
  try {
    if (webIsBuilt()) return;
    // Before the build, so that a source saved during it causes another build.
    const built = fingerprint(cloneRoot, inputs);
    rmSync(stampFile, { force: true });
    const projects = webApps.map((app) => `@karaar/${app}`).join(',');
    const args = ['run-many', '-t', 'build', '-p', projects, '--output-style=static'];
    // The daemon would outlive this process.
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

/** Returns a hash of names, sizes and times, which is quick enough for every start. */
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
