/** The shell without a remote, a chunk, the configuration or the network. */
import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import type { HTTPRequest } from 'puppeteer-core';
import sharp from 'sharp';
import { startFront } from '../src/browser/front.ts';
import { createDocument } from '../src/journey.ts';
import { follow, heading, PHONE, withScreen, type Interference } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(60_000);

const CARD = 'This part of Karaar could not be loaded';
const OFFLINE = 'You are offline.';
const SLOW = 'This is taking longer than usual.';

const world = await openBrowser();
const person = await newPerson(world.url, 'Meera Nair');
const front = await startFront(world.url);
afterAll(() => front.close());

type Fault = Exclude<ReturnType<Interference>, undefined>;
const faults: [string, Fault][] = [
  ['missing', { status: 404, body: '{}', contentType: 'application/json' }],
  ['out of reach', 'reset'],
  ['broken', { status: 200, body: 'window.nothing.here();', contentType: 'text/javascript' }],
];
/** Makes matching requests fail until `heal` is called. */
function taking(pattern: RegExp, fault: Fault): { interfere: Interference; heal: () => void } {
  let ill = true;
  return {
    interfere: (request) => (ill && pattern.test(request.url()) ? fault : undefined),
    heal: () => (ill = false),
  };
}

it.each(faults)(
  'shows a retry card in the place of a user remote that is %s, and the screen after it',
  async (_, fault) => {
    const { interfere, heal } = taking(/\/mfe\/user\/remoteEntry\./, fault);
    await withScreen(world, { path: '/wallet', as: person, interfere }, async ({ page, sees, press }) => {
      await sees(CARD);
      await sees('Welcome, Meera Nair');
      heal();
      await press('Try again');
      await heading(page, 'Wallet');
    });
  },
);

it.each(faults)('shows a retry card instead of an admin remote that is %s', async (_, fault) => {
  const { interfere, heal } = taking(/\/mfe\/admin\/remoteEntry\./, fault);
  const storage = { admin_token: 'unread by the shell' };
  await withScreen(world, { path: '/admin/users', storage, interfere }, async ({ sees, gone, press }) => {
    await sees(CARD);
    heal();
    await press('Try again');
    await gone(CARD);
  });
});

it.each(faults)('shows a retry card while the manifest of a remote is %s', async (_, fault) => {
  const { interfere, heal } = taking(/\/mfe\/user\/mf-manifest\./, fault);
  await withScreen(world, { path: '/login', interfere }, async ({ page, sees, press }) => {
    await sees(CARD);
    heal();
    await press('Try again');
    await heading(page, 'Sign in');
  });
});

it.each([
  ['manifest', /\/mfe\/user\/mf-manifest\./],
  ['entry', /\/mfe\/user\/remoteEntry\./],
])(
  'reports a delay while the %s of a remote does not arrive, and shows the screen once it does',
  async (_, slow) => {
    const held: HTTPRequest[] = [];
    let holding = true;
    const interfere: Interference = (request) => {
      if (!holding || !slow.test(request.url())) return undefined;
      held.push(request);
      return 'never';
    };
    await withScreen(world, { path: '/wallet', as: person, interfere }, async ({ page, sees, gone }) => {
      await sees(SLOW);
      await sees('Welcome, Meera Nair');
      holding = false;
      for (const request of held) void request.continue();
      await heading(page, 'Wallet');
      await gone(SLOW);
    });
  },
);

it('shows a retry card instead of a remote that never arrives', async () => {
  let holding = true;
  const interfere: Interference = (request) =>
    holding && /\/mfe\/user\/remoteEntry\./.test(request.url()) ? 'never' : undefined;
  await withScreen(world, { path: '/login', interfere }, async ({ page, sees, press }) => {
    await sees(SLOW);
    await sees(CARD, 30_000);
    holding = false;
    await press('Try again');
    await heading(page, 'Sign in');
  });
});

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Answers with the user remote of another build, which requires this version of React, with correct hashes. */
async function builtFor(react: string): Promise<Interference> {
  const text = async (path: string) => (await fetch(world.url + path)).text();
  const json = async (path: string) => JSON.parse(await text(path)) as unknown;
  const config = (await json('/config.json')) as Config;
  const { url: at } = config.remotes.user;
  const manifest = (await json(at)) as Manifest;
  const entryAt = new URL(manifest.metaData.remoteEntry.name, world.url + at).pathname;
  const entry = await text(entryAt);
  const others = entry.replaceAll(/requiredVersion:"\^19[^"]*"/g, `requiredVersion:"${react}"`);
  expect(others).not.toBe(entry);
  const metaData = { ...manifest.metaData, entryIntegrity: sha256(others) };
  const shared = manifest.shared.map((one) =>
    /^react(-dom)?$/.test(one.name) ? { ...one, requiredVersion: react } : one,
  );
  const described = JSON.stringify({ ...manifest, metaData, shared });
  const user = { url: at, integrity: sha256(described) };
  const changed: Record<string, string> = {
    '/config.json': JSON.stringify({ ...config, remotes: { ...config.remotes, user } }),
    [at]: described,
    [entryAt]: others,
  };
  return (request) => {
    const { pathname } = new URL(request.url());
    const body = changed[pathname];
    return body === undefined ? undefined : { status: 200, body, contentType: mime(pathname) };
  };
}
type Config = { remotes: { user: { url: string } } };
type Manifest = { metaData: { remoteEntry: { name: string } }; shared: { name: string }[] };
const mime = (path: string) => (path.endsWith('.js') ? 'text/javascript' : 'application/json');

it('loads a remote of another build with compatible shared versions', async () => {
  const interfere = await builtFor('^19.0.0');
  await withScreen(world, { path: '/admin/login', interfere }, async ({ page, sees }) => {
    await sees('Username');
    await follow(page, '/login');
    await heading(page, 'Sign in');
  });
});

it('shows a card for a remote that requires another React, instead of a broken hook', async () => {
  const interfere = await builtFor('^20.0.0');
  await withScreen(world, { path: '/admin/login', interfere }, async (screen) => {
    const { page, sees, settled, press } = screen;
    const failures: string[] = [];
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    page.on('pageerror', (error) => failures.push(String(error)));
    await sees('Username');
    await follow(page, '/login');
    await sees(CARD);
    await press('Try again');
    await settled();
    await sees(CARD);
    expect(asked.filter((path) => path.includes('/mfe/user/remoteEntry.'))).toEqual([]);
    expect(failures).toEqual([]);
  });
});

it.each([
  ['cannot be had', { status: 500, body: '' }],
  ['is not JSON', { status: 200, body: '<html>', contentType: 'text/html' }],
  ['names no remotes', { status: 200, body: '{}', contentType: 'application/json' }],
] as [string, Fault][])('works when config.json %s', async (_, fault) => {
  const { interfere, heal } = taking(/\/config\.json/, fault);
  await withScreen(world, { path: '/login', interfere }, async ({ page, sees, press }) => {
    await sees(CARD);
    heal();
    await press('Try again');
    await heading(page, 'Sign in');
  });
});

it('loads a chunk again that failed when its screen was opened', async () => {
  let down = false;
  const interfere: Interference = (request) =>
    down && /\/mfe\/user\/.*\.(js|css)$/.test(request.url()) ? 'reset' : undefined;
  await withScreen(world, { path: '/dashboard', as: person, interfere }, async ({ page, sees, press }) => {
    await heading(page, 'Dashboard');
    down = true;
    await follow(page, '/pricing');
    await sees(CARD);
    await press('Try again');
    await sees(CARD);
    down = false;
    await press('Try again');
    await heading(page, 'Pricing');
  });
});

it('shows a card instead of a panel whose code fails to load, keeps the page, and opens the panel on retry', async () => {
  let down = true;
  // The chunks that the shell loads on demand.
  const interfere: Interference = (request) =>
    down && /^\/\d+\.\w+\.(js|css)$/.test(new URL(request.url()).pathname) ? 'reset' : undefined;
  const owner = await newPerson(world.url, 'Asha Rao');
  const { body } = await owner.call('GET', `/documents/${await createDocument(owner)}`);
  const code = String(body['document_code']);
  const options = { path: '/document/join', as: person, viewport: PHONE, interfere };
  await withScreen(world, options, async ({ page, sees, press, fill }) => {
    await fill('Document code', code);
    await press('Open menu');
    await sees(CARD);
    await press('Try again');
    await sees(CARD);
    await press('Close');
    await press('Join Document');
    await sees(CARD);
    down = false;
    await press('Try again');
    await page.waitForSelector('[role=dialog] ::-p-text(Verification Documents)', { visible: true });
    // The form behind it keeps its content.
    expect(await page.$eval('main input', (field) => (field as HTMLInputElement).value)).toBe(code);
    await press('Cancel');
    await press('Open menu');
    await page.waitForSelector('[role=dialog] nav', { visible: true });
  });
});

it('shows English for a text file that fails to load, and the rest in the chosen language', async () => {
  const { interfere } = taking(/\/texts-hi-json\./, 'reset');
  await withScreen(world, { path: '/login', storage: { language: 'hi' }, interfere }, async (screen) => {
    await heading(screen.page, 'साइन इन करें');
    await screen.sees('You agreed. Now it is on record.');
  });
});

it('reloads the page once after a deployment has removed its files', async () => {
  let deployed = false;
  const documents: string[] = [];
  const interfere: Interference = (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
    const gone = deployed && /\/mfe\/user\/(?!remoteEntry).*\.(js|css)$/.test(request.url());
    return gone ? { status: 404, body: '{}', contentType: 'application/json' } : undefined;
  };
  await withScreen(world, { path: '/dashboard', as: person, interfere }, async ({ page, sees }) => {
    await heading(page, 'Dashboard');
    deployed = true;
    await follow(page, '/pricing');
    while (documents.length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
    // If they are still missing after the reload, the page shows a card.
    await sees(CARD);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(documents.map((url) => new URL(url).pathname)).toEqual(['/dashboard', '/pricing']);
    deployed = false;
    await page.reload();
    await heading(page, 'Pricing');
  });
});

it('shows that the device is offline', async () => {
  await withScreen(world, { path: '/wallet', as: person }, async ({ page, sees, gone }) => {
    await heading(page, 'Wallet');
    await page.setOfflineMode(true);
    await sees(OFFLINE);
    await page.setOfflineMode(false);
    await gone(OFFLINE);
  });
});

it('says that a document which was never opened is not on this device', async () => {
  const [opened, other] = [await createDocument(person), await createDocument(person)];
  await withScreen(
    world,
    { path: `/document/${opened}`, as: person },
    async ({ page, sees, gone, settled }) => {
      await heading(page, 'Rent agreement');
      await settled();
      await page.setOfflineMode(true);
      await sees(OFFLINE);
      await gone('Not on this device.');
      await follow(page, `/document/${other}`);
      await sees('Not on this device.');
      await page.setOfflineMode(false);
      await heading(page, 'Rent agreement');
      await gone('Not on this device.');
    },
  );
});

it('starts offline with the last pages, sign-in and a banner, and caches no answers of the API', async () => {
  const there = { ...world, url: front.url };
  await withScreen(there, { path: '/about', as: person, worker: true }, async (screen) => {
    const { page, sees, gone, goto } = screen;
    await heading(page, 'About Us');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // The cache contains the files of the page, and the screens that work offline.
    await page.waitForFunction(async () => (await (await caches.open('files-1')).keys()).length >= 8, {
      polling: 200,
    });
    await page.waitForNetworkIdle();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toEqual(expect.arrayContaining(['/', '/config.json']));
    expect(kept.filter((path) => path.startsWith('/mfe/user/remoteEntry.'))).toHaveLength(1);
    expect(kept.filter((path) => path.startsWith('/api'))).toEqual([]);

    await front.goAway();
    await goto('/about');
    await heading(page, 'About Us');
    await page.waitForFunction(() => (document.querySelector('article')?.innerText.length ?? 0) > 20);
    await sees(OFFLINE);
    await page.evaluate(() => localStorage.removeItem('token'));
    await goto('/login');
    await heading(page, 'Sign in');
    await sees(OFFLINE);
    await front.comeBack();
    await gone(OFFLINE);
  });
});

it('offers a new version, and loads it on request', async () => {
  const there = { ...world, url: front.url };
  await withScreen(there, { path: '/about', as: person, worker: true }, async (screen) => {
    const { page, sees, settled, press } = screen;
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.reload();
    await heading(page, 'About Us');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    front.append('/sw.js', '\n// another build');
    await page.waitForFunction(
      () => {
        // Not awaited, because it may settle late under load; the next poll checks again.
        void navigator.serviceWorker.ready.then((worker) => worker.update()).catch(() => undefined);
        return document.body.innerText.includes('A new version of Karaar is available.');
      },
      { polling: 500 },
    );
    const loaded = page.waitForNavigation();
    await press('Update now');
    await loaded;
    await heading(page, 'About Us');
    await sees('Welcome, Meera Nair');
    await settled();
    expect(await page.evaluate(() => document.body.innerText)).not.toContain('A new version');
  });
});

it('can be installed: the manifest’s icons have the sizes that it declares', async () => {
  const manifest = (await (await fetch(`${world.url}/manifest.webmanifest`)).json()) as {
    display: string;
    icons: { src: string; sizes: string; purpose?: string; type: string }[];
  };
  expect(manifest.display).toBe('standalone');
  const drawn = manifest.icons.filter(({ type }) => type === 'image/png');
  expect(drawn.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(2);
  for (const { src, sizes } of drawn) {
    const icon = await fetch(world.url + src);
    const { width, height } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata();
    expect([src, `${width}x${height}`]).toEqual([src, sizes]);
  }
});
