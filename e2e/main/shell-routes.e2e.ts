/** Every path of the route table: access, redirects and navigation. */
import { jest } from '@jest/globals';
import { createDocument } from '../src/journey.ts';
import { follow, heading, withScreen, type OpenOptions } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(60_000);

const world = await openBrowser();
const person = await newPerson(world.url, 'Meera Nair');
const documentId = await createDocument(person);

const asPerson = (path: string, look: (screen: Screen) => Promise<void>, more: Partial<OpenOptions> = {}) =>
  withScreen(world, { path, as: person, ...more }, look);
const asGuest = (path: string, look: (screen: Screen) => Promise<void>) => withScreen(world, { path }, look);

it('[ROUTE-001] [ROUTE-002] [ROUTE-003] [ROUTE-004] [ROUTE-005] [ROUTE-006] [ROUTE-007] [ROUTE-008] [ROUTE-011] [ROUTE-012] [ROUTE-013] [ROUTE-014] [ROUTE-015] [ROUTE-030] [ROUTE-035] a signed-in user sees each screen at its path', async () => {
  await asPerson('/', async ({ page, isAt, says }) => {
    await isAt(/^\/dashboard$/);
    await heading(page, 'Dashboard');
    const screens = [
      ['/document/create', 'Create Agreement'],
      [`/document/${documentId}`, 'Rent agreement'],
      ['/document/join', 'Join Document'],
      [`/document/${documentId}/payment`, 'Payment'],
      ['/profile', 'Profile'],
      ['/wallet', 'Wallet'],
      ['/pricing', 'Pricing'],
      ['/about', 'About Us'],
      ['/contact', 'Contact Support'],
      ['/terms', 'Terms & Conditions'],
      ['/privacy', 'Privacy Policy'],
      ['/dashboard', 'Dashboard'],
    ] as const;
    for (const [path, title] of screens) {
      await follow(page, path);
      await heading(page, title);
      expect(new URL(page.url()).pathname).toBe(path);
      if (title === 'Payment') await says('Rent agreement');
    }
    await follow(page, '/no/such/page?x=1');
    await isAt(/^\/dashboard$/);
    await follow(page, '/join-document?code=9H4TR2WK');
    await isAt(/^\/document\/join$/);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some((field) => field.value.replace(/\W/g, '') === '9H4TR2WK'),
    );
  });
});

it('[ROUTE-016] every user route redirects a visitor to /login', async () => {
  const paths = [
    '/',
    '/dashboard',
    '/document/create',
    '/document/x',
    '/document/join',
    '/document/x/payment',
  ];
  paths.push(
    '/profile',
    '/wallet',
    '/chat',
    '/chat/x',
    '/pricing',
    '/about',
    '/contact',
    '/terms',
    '/privacy',
  );
  await asGuest('/login', async ({ page, isAt }) => {
    for (const path of paths) {
      await follow(page, '/register');
      await heading(page, 'Create an account');
      await follow(page, path);
      await isAt(/^\/login$/);
      await heading(page, 'Sign in');
    }
  });
});

it('[ROUTE-017] [ROUTE-018] [ROUTE-019] sign-in, registration and the camera test are open to all visitors', async () => {
  await asGuest('/login', async ({ page }) => {
    await heading(page, 'Sign in');
    await follow(page, '/register');
    await heading(page, 'Create an account');
    await follow(page, '/camera');
    await heading(page, 'Camera Capture');
  });
});

it('[ROUTE-020] /login, /register and /camera redirect a signed-in user to /dashboard', async () => {
  await asPerson('/login', async ({ page, isAt }) => {
    for (const path of ['/register', '/camera']) {
      await isAt(/^\/dashboard$/);
      await heading(page, 'Dashboard');
      await follow(page, '/wallet');
      await heading(page, 'Wallet');
      await follow(page, path);
    }
    await isAt(/^\/dashboard$/);
  });
});

it('names the tab after the screen, moves the focus to its heading and announces its name', async () => {
  await asPerson('/dashboard', async ({ page, press }) => {
    await heading(page, 'Dashboard');
    expect(await page.title()).toBe('Dashboard · Karaar');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await press('About Us', 'link');
    await heading(page, 'About Us');
    await page.waitForFunction(() => document.activeElement?.matches('main h1'));
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('About Us');
    await page.waitForFunction(
      () => document.querySelector('[role=status][aria-live=polite]')?.textContent === 'About Us · Karaar',
    );
    expect(await page.title()).toBe('About Us · Karaar');
  });
});

it('lets the keyboard skip the navigation', async () => {
  await asPerson('/wallet', async ({ page }) => {
    await heading(page, 'Wallet');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('main'));
    await heading(page, 'Wallet');
  });
});

it('starts a new page at its top and restores the scroll position of an earlier one', async () => {
  const viewport = { width: 1280, height: 420 };
  await asPerson(
    '/document/create',
    async ({ page }) => {
      await heading(page, 'Create Agreement');
      await page.evaluate(() => window.scrollTo(0, 333));
      await page.waitForFunction(() => window.scrollY === 333);
      // A press would scroll to the link first.
      await page.$eval('nav a[href="/terms"]', (link) => link.click());
      await heading(page, 'Terms & Conditions');
      await page.waitForFunction(() => window.scrollY === 0);
      await page.goBack();
      await heading(page, 'Create Agreement');
      await page.waitForFunction(() => window.scrollY === 333);
      await page.reload();
      await page.waitForFunction(() => window.scrollY === 333);
    },
    { viewport },
  );
});

it('loads a screen when the pointer is over its link, before the click', async () => {
  await asPerson('/dashboard', async ({ page, settled }) => {
    await heading(page, 'Dashboard');
    // The first touch of a page also loads the code of toasts.
    await page.keyboard.press('Shift');
    await page.waitForNetworkIdle();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const link = await page.waitForSelector('nav a[href="/pricing"], nav a[href="/about"]', {
      visible: true,
    });
    await link?.hover();
    await page.waitForNetworkIdle();
    expect(asked.filter((url) => /\/mfe\/user\/.*\.js/.test(url)).length).toBeGreaterThan(0);
    asked.length = 0;
    await link?.click();
    await heading(page, 'About Us');
    await settled();
    expect(asked.filter((url) => /\.(js|css)$/.test(url))).toEqual([]);
  });
});

it('fades from screen to screen, unless the user prefers reduced motion', async () => {
  await asPerson('/dashboard', async ({ page }) => {
    await heading(page, 'Dashboard');
    await page.evaluate(() => {
      const real = document.startViewTransition.bind(document);
      Object.assign(window, { fades: 0 });
      document.startViewTransition = (change) => {
        Object.assign(window, { fades: Number(Reflect.get(window, 'fades')) + 1 });
        return real(change);
      };
    });
    const fades = () => page.evaluate(() => Reflect.get(window, 'fades') as number);
    await follow(page, '/wallet');
    await heading(page, 'Wallet');
    expect(await fades()).toBe(0);
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'no-preference' }]);
    await follow(page, '/profile');
    await heading(page, 'Profile');
    expect(await fades()).toBe(1);
  });
});
