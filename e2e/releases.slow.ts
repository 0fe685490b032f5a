/** Releases of single parts of the front end, built from changed sources, while pages load. */
import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { startProduct, type Product } from '@karaar/dev/product';
import { buildWeb } from '@karaar/dev/web/web-build';
import { cloneRoot } from '@karaar/testing/roots';
import { releaseRemote } from '@karaar/images/release-remote';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { follow, heading, withScreen, type World } from './src/browser/opened.ts';
import { buildChanged, distOf, serveBuilds, type Build } from './src/releases.ts';
import { roomyEnv } from './src/room.ts';

jest.setTimeout(180_000);

const CARD = 'This part of Karaar could not be loaded';
/** The title of the sign-in page in the build of the clone, and in the next one. */
const BEFORE = 'Sign in';
const AFTER = 'Sign in to Karaar';
/** A text of the shell in both builds. */
const SHELL_BEFORE = 'You agreed. Now it is on record.';
const SHELL_AFTER = 'You agreed, and it is on record.';

let dir: string;
let webDir: string;
let starting: Promise<Product>;
/** A configuration of the admin remote that requires a React that the shell does not have. */
const OTHER_REACT = `
const config = remoteConfig('admin', import.meta.dirname);
export default (env, args) => {
  const made = config(env, args);
  const federation = made.plugins.find((plugin) => plugin.constructor.name === 'ModuleFederationPlugin');
  federation._options.shared.react.requiredVersion = '^99.0.0';
  return made;
};`;

let chromium: TestBrowser;
let world: World;
let builds: { user: Build; admin: Build; shell: Build };
const changedBuilds = async (): Promise<typeof builds> => ({
  user: await buildChanged('user-mfe', {
    file: 'user-mfe/src/features/auth/texts/en.json',
    from: `"loginTitle": "${BEFORE}"`,
    to: `"loginTitle": "${AFTER}"`,
  }),
  admin: await buildChanged('admin-mfe', {
    file: 'admin-mfe/webpack.config.mjs',
    from: "export default remoteConfig('admin', import.meta.dirname);",
    to: OTHER_REACT,
  }),
  shell: await buildChanged('shell', {
    file: 'shell/src/layout/texts/en.json',
    from: `"${SHELL_BEFORE}"`,
    to: `"${SHELL_AFTER}"`,
  }),
});

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-releases-'));
  webDir = join(dir, 'web');
  await buildWeb();
  serveBuilds(webDir);
  starting = startProduct({
    stateDir: join(dir, 'state'),
    quiet: true,
    env: { ...roomyEnv, WEB_DIR: webDir },
  });
  const [product, made] = await Promise.all([starting, changedBuilds()]);
  builds = made;
  chromium = await launchChromium();
  world = { url: product.url, browser: chromium.browser };
}, 600_000);

afterAll(async () => {
  await chromium?.close();
  await (await starting).stop({ remove: true });
  for (const build of Object.values(builds ?? {})) build.remove();
  await rm(dir, { recursive: true });
}, 60_000);

const release = (app: 'user-mfe' | 'admin-mfe', dist: string) => releaseRemote(dist, distOf(webDir, app));
const ofClone = (app: 'user-mfe' | 'admin-mfe' | 'shell') => distOf(join(cloneRoot, 'apps'), app);

/** Repeats `once` in parallel until `stop` is called. */
function load(
  times: number,
  once: () => Promise<void>,
): { stop: () => Promise<{ done: number; faults: string[] }> } {
  let going = true;
  let done = 0;
  const faults: string[] = [];
  const runs = Array.from({ length: times }, async () => {
    while (going) {
      await once().then(
        () => (done += 1),
        (error: unknown) => faults.push(String(error)),
      );
    }
  });
  return {
    stop: async () => {
      going = false;
      await Promise.all(runs);
      return { done, faults };
    },
  };
}

/** Loads the files of the user remote like a page, and checks each hash that the previous file names. */
async function fetchRemote(): Promise<void> {
  const { remotes } = (await (await fetch(`${world.url}/config.json`)).json()) as {
    remotes: { user: { url: string; integrity: string } };
  };
  const manifest = await checked(remotes.user.url, remotes.user.integrity);
  const { metaData } = JSON.parse(manifest) as {
    metaData: { remoteEntry: { name: string }; entryIntegrity: string };
  };
  await checked(`/mfe/user/${metaData.remoteEntry.name}`, metaData.entryIntegrity);
  const page = await fetch(`${world.url}/login`);
  for (const [, path = '', hash] of (page.headers.get('link') ?? '').matchAll(
    /<([^>]+)>[^,]*?(?:integrity="([^"]+)")?(?:,|$)/g,
  ))
    await checked(path, hash);
}

async function checked(path: string, hash?: string): Promise<string> {
  const answer = await fetch(world.url + path);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  const found = `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
  if (hash !== undefined && hash !== found) throw new Error(`${path} is not what is named`);
  return bytes.toString();
}

/** Loads the sign-in page of either release with an empty cache. */
const seen = { before: 0, after: 0 };
async function loadPage(): Promise<void> {
  await withScreen(world, { path: '/login' }, async ({ page }) => {
    await page.waitForFunction(
      (card: string) => document.querySelector('main h1') !== null || document.body.innerText.includes(card),
      { timeout: 30_000 },
      CARD,
    );
    const title = await page.evaluate(() => document.querySelector('main h1')?.textContent?.trim());
    if (title === AFTER) seen.after += 1;
    else if (title === BEFORE) seen.before += 1;
    else throw new Error(`the page says ${title ?? CARD}`);
  });
}

it('releases a single remote under load: no page fails, and an open shell loads it on its next navigation', async () => {
  await withScreen(world, { path: '/admin/login' }, async (open) => {
    await open.sees('Username');
    await withScreen(world, { path: '/login' }, async (old) => {
      await heading(old.page, BEFORE);
      const pages = load(2, loadPage);
      const files = load(4, fetchRemote);
      for (let round = 0; round < 4; round += 1) {
        const until = seen.before + seen.after + 2;
        release('user-mfe', round % 2 === 0 ? builds.user.dist : ofClone('user-mfe'));
        while (seen.before + seen.after < until) await new Promise((resolve) => setTimeout(resolve, 50));
      }
      release('user-mfe', builds.user.dist);
      const [loaded, fetched] = await Promise.all([pages.stop(), files.stop()]);
      expect([loaded.faults, fetched.faults]).toEqual([[], []]);
      expect(Math.min(seen.before, seen.after, fetched.done)).toBeGreaterThan(0);

      // A shell that has not loaded the remote yet loads the new one.
      await follow(open.page, '/login');
      await heading(open.page, AFTER);
      // A page with the old remote continues with it, also on a screen that it had not loaded.
      await follow(old.page, '/register');
      await heading(old.page, 'Create an account');
      await follow(old.page, '/login');
      await heading(old.page, BEFORE);
      await old.page.reload();
      await heading(old.page, AFTER);
    });
  });
});

it('runs the old remote with the new shell, and the new remote with the old shell', async () => {
  release('user-mfe', ofClone('user-mfe'));
  await withScreen(world, { path: '/admin/login' }, async (old) => {
    await old.sees('Username');
    // The page is last, because it names the other files.
    const last = (path: string) => path.endsWith('index.html');
    const target = distOf(webDir, 'shell');
    cpSync(builds.shell.dist, target, { recursive: true, filter: (path) => !last(path) });
    cpSync(join(builds.shell.dist, 'index.html'), join(target, 'index.html'));
    await withScreen(world, { path: '/login' }, async ({ page, sees }) => {
      await sees(SHELL_AFTER);
      await heading(page, BEFORE);
    });
    release('user-mfe', builds.user.dist);
    await follow(old.page, '/login');
    await heading(old.page, AFTER);
    await old.sees(SHELL_BEFORE);
    await withScreen(world, { path: '/login' }, async ({ page, sees }) => {
      await sees(SHELL_AFTER);
      await heading(page, AFTER);
    });
  });
});

it('shows a card for a release that requires another React, until it is rolled back', async () => {
  release('admin-mfe', builds.admin.dist);
  await withScreen(world, { path: '/login' }, async ({ page, sees, press }) => {
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    await heading(page, AFTER);
    await follow(page, '/admin/login');
    await sees(CARD);
    await press('Try again');
    await sees(CARD);
    release('admin-mfe', ofClone('admin-mfe'));
    await press('Try again');
    await sees('Username');
    expect(failures).toEqual([]);
  });
});
