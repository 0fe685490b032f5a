/** Apps of the front end built as another commit would have them, and put beside what is served. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { webApps } from '@karaar/dev/web/web-build';

export type WebApp = (typeof webApps)[number];

/** Where a gateway finds the builds, apart from those of the clone. */
export const distOf = (webDir: string, app: WebApp): string => join(webDir, app, 'dist');

/** Copies the clone's own builds to a folder for a gateway. */
export function serveBuilds(webDir: string): void {
  for (const app of webApps)
    cpSync(distOf(join(cloneRoot, 'apps'), app), distOf(webDir, app), { recursive: true });
}

/** What a build has made; `remove` takes it away. */
export type Build = { dist: string; remove: () => void };

/** A change to one file of the sources, by its path below `apps/`. */
export type Change = { file: string; from: string; to: string };

/**
 * Builds an app for production from a copy of its sources with one change.
 *
 * @throws Error when the file does not hold what is to be changed, or with the output of a build that failed
 */
export async function buildChanged(app: WebApp, { file, from, to }: Change): Promise<Build> {
  mkdirSync(stateRoot, { recursive: true });
  // Inside the clone, where packages are found.
  const copy = mkdtempSync(join(stateRoot, 'release-'));
  const skipped = new Set(['dist', 'node_modules']);
  cpSync(join(cloneRoot, 'apps'), copy, {
    recursive: true,
    filter: (path) => !skipped.has(basename(path)),
  });
  const remove = () => rmSync(copy, { recursive: true });
  try {
    const changed = join(copy, file);
    const text = readFileSync(changed, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
    writeFileSync(
      changed,
      text.replace(from, () => to),
    );
    const cwd = join(copy, app);
    await promisify(execFile)(process.execPath, [webpackOf(app), 'build', '--mode', 'production'], { cwd });
    return { dist: join(cwd, 'dist'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const webpackOf = (app: WebApp): string =>
  createRequire(join(cloneRoot, 'apps', app, 'package.json')).resolve('webpack-cli/bin/cli.js');
