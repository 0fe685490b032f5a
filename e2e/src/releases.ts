import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { webApps } from '@karaar/dev/web/web-build';

type WebApp = (typeof webApps)[number];
const apps = join(cloneRoot, 'apps');

export const distOf = (webDir: string, app: WebApp): string => join(webDir, app, 'dist');

export function serveBuilds(webDir: string): void {
  for (const app of webApps) cpSync(distOf(apps, app), distOf(webDir, app), { recursive: true });
}

export type Build = { dist: string; remove: () => void };

/**
 * Builds an app for production from a copy of its sources with one change.
 *
 * @param change replaces a text in a file, whose path is relative to `apps/`
 * @throws Error if the file does not contain the text, or with the output of a failed build
 */
export async function buildChanged(
  app: WebApp,
  change: { file: string; from: string; to: string },
): Promise<Build> {
  mkdirSync(stateRoot, { recursive: true });
  // A folder in the clone, where Node finds the packages.
  const copy = mkdtempSync(join(stateRoot, 'release-'));
  const remove = () => rmSync(copy, { recursive: true });
  const isSource = (path: string) => !['dist', 'node_modules'].includes(basename(path));
  cpSync(apps, copy, { recursive: true, filter: isSource });
  try {
    const changed = join(copy, change.file);
    const text = readFileSync(changed, 'utf8');
    if (!text.includes(change.from)) throw new Error(`${change.file} does not contain ${change.from}`);
    writeFileSync(
      changed,
      text.replace(change.from, () => change.to),
    );
    const cwd = join(copy, app);
    const webpack = createRequire(join(apps, app, 'package.json')).resolve('webpack-cli/bin/cli.js');
    await promisify(execFile)(process.execPath, [webpack, 'build', '--mode', 'production'], { cwd });
    return { dist: join(cwd, 'dist'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
